#include "fit/row_loss.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "eval/evaluate.h"
#include "program/lower.h"

namespace vieta {
namespace {

// Closer to the target than this fraction of its spread, loss'/r is taken from the loss beside it.
constexpr double kProbe = 1e-7;

}  // namespace

LossPass::LossPass(const Loss& loss, kernels::Target target)
    : target_(target), loss_(loss), program_(lower(loss.formula)) {
  if (loss.function) return;
  TileCoder coder;
  const std::array<Operand, 1> prediction = {Operand{Operand::Kind::variable, 0}};
  coder.value(program_, codes_[0]);
  coder.gradient(program_, prediction, codes_[1]);
  coder.hessian(program_, prediction, codes_[2]);
  uniforms_ = uniforms_of(program_, {});
}

void LossPass::run(const double* prediction, const double* target, std::size_t rows, int order) {
  const auto count = static_cast<std::size_t>(order) + 1;
  std::array<double*, 3> outputs{};
  for (std::size_t i = 0; i < count; ++i) {
    if (results_[i].size() < rows) results_[i].resize(rows);
    outputs[i] = results_[i].data();
  }
  if (loss_.function) {
    loss_.function(prediction, target, rows, order, outputs.data());
    return;
  }
  columns_.pointers = {prediction, target};
  columns_.rows = rows;
  columns_.readable = rows;
  run_code<double>(codes_[count - 1], columns_, uniforms_,
                   std::span<double* const>(outputs.data(), count), {&workspace_, 1},
                   {.target = target_});
}

RowLoss::RowLoss(const FitData& data, kernels::Target target, std::size_t tile_rows)
    : data_(data), table_(kernels::kernel_table<double>(target)) {
  VIETA_CHECK(data.target.size() == data.x.rows);
  VIETA_CHECK(data.weights.empty() || data.weights.size() == data.x.rows);
  pull_.resize(tile_rows);
  bend_.resize(tile_rows);
  divide_weights();
  for (std::size_t r = 0; r < data.target.size(); ++r) {
    if (counts(r)) target_squares_ += weight(r) * data.target[r] * data.target[r];
  }
  if (data.loss.squares()) return;
  measure_spread();
  pass_ = std::make_unique<LossPass>(data.loss, target);
  find_kinks();
}

void RowLoss::divide_weights() {
  total_weight_ = static_cast<double>(data_.x.rows);
  if (data_.weights.empty()) return;
  const double largest = std::ranges::max(data_.weights);
  if (largest > 0) weight_unit_ = std::ldexp(1.0, std::ilogb(largest));
  weights_.resize(data_.weights.size());
  total_weight_ = 0;
  for (std::size_t r = 0; r < weights_.size(); ++r) {
    weights_[r] = data_.weights[r] / weight_unit_;
    total_weight_ += weights_[r];
    has_zero_weight_ = has_zero_weight_ || weights_[r] == 0;
  }
}

void RowLoss::measure_spread() {
  double mean = 0;
  double size = 0;
  for (std::size_t r = 0; r < data_.target.size(); ++r) {
    if (!counts(r)) continue;
    mean += weight(r) / total_weight_ * data_.target[r];
    size = std::max(size, std::fabs(data_.target[r]));
  }
  double variance = 0;
  for (std::size_t r = 0; r < data_.target.size(); ++r) {
    if (!counts(r)) continue;
    const double away = data_.target[r] - mean;
    variance += weight(r) / total_weight_ * away * away;
  }
  const double deviation = std::sqrt(variance);
  spread_ = deviation > 1e-12 * size && std::isfinite(deviation) ? deviation : size;
  if (!(spread_ > 0)) spread_ = 1;
}

// A kink is a jump of loss' at the target that does not shrink with the distance it is seen from.
void RowLoss::find_kinks() {
  const std::size_t rows = data_.x.rows;
  AlignedVector<double> beside(rows);
  const auto slopes = [&](double distance) {
    for (std::size_t r = 0; r < rows; ++r) {
      beside[r] = data_.target[r] + distance * std::max(spread_, std::fabs(data_.target[r]));
    }
    pass_->run(beside.data(), data_.target.data(), rows, 1);
    return AlignedVector<double>(pass_->first(), pass_->first() + rows);
  };
  const auto far_above = slopes(1e-4);
  const auto far_below = slopes(-1e-4);
  const auto above = slopes(1e-9);
  const auto below = slopes(-1e-9);
  bool any = false;
  kinks_.resize(rows);
  tilts_.resize(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    const double jump = (above[r] - below[r]) / 2;
    const double far_jump = (far_above[r] - far_below[r]) / 2;
    const bool kink = jump > 0 && jump > 0.5 * far_jump && counts(r);
    kinks_[r] = kink ? jump : 0;
    tilts_[r] = kink ? (above[r] + below[r]) / 2 : 0;
    any = any || kink;
  }
  if (any) return;
  kinks_.clear();
  tilts_.clear();
}

// sqrt(r^2 + epsilon^2) - |r|, without cancellation.
double RowLoss::kink_rest(double r) const {
  if (epsilon_ == 0) return 0;
  return epsilon_ * epsilon_ / (std::hypot(r, epsilon_) + std::fabs(r));
}

// Fills pull_ with the residuals, or with weight times residual.
double RowLoss::squares(const double* value, std::size_t first_row, std::size_t rows) {
  const double* target = data_.target.data() + first_row;
  if (weights_.empty()) return table_.residuals(value, target, pull_.data(), rows);
  table_.residuals(value, target, bend_.data(), rows);
  const double* weight = weights_.data() + first_row;
  for (std::size_t r = 0; r < rows; ++r) {
    if (weight[r] == 0) bend_[r] = 0;
    pull_[r] = weight[r] * bend_[r];
  }
  return table_.dot(bend_.data(), pull_.data(), rows);
}

double RowLoss::sum(const double* value, std::size_t first_row, std::size_t rows) {
  if (plain()) return table_.squared_distance(value, data_.target.data() + first_row, rows);
  if (pass_ == nullptr) return squares(value, first_row, rows);
  pass_->run(value, data_.target.data() + first_row, rows, 0);
  return sum_of_pass(value, first_row, rows);
}

// Of the values that the last pass left.
double RowLoss::sum_of_pass(const double* value, std::size_t first_row, std::size_t rows) {
  const double* target = data_.target.data() + first_row;
  for (std::size_t r = 0; r < rows; ++r) {
    const double kink = kinks_.empty() ? 0 : kinks_[first_row + r];
    bend_[r] = counts(first_row + r)
                   ? pass_->value()[r] + (kink > 0 ? kink * kink_rest(value[r] - target[r]) : 0)
                   : 0;
    pull_[r] = weight(first_row + r);
  }
  return table_.dot(bend_.data(), pull_.data(), rows);
}

double RowLoss::derivatives(const double* value, std::size_t first_row, std::size_t rows,
                            Curvature curvature) {
  if (pass_ == nullptr) {
    const double total = squares(value, first_row, rows);
    if (!weights_.empty()) std::copy_n(weights_.data() + first_row, rows, bend_.data());
    return total;
  }
  const double* target = data_.target.data() + first_row;
  pass_->run(value, target, rows, 2);
  const double total = sum_of_pass(value, first_row, rows);
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t row = first_row + r;
    if (!counts(row)) {
      pull_[r] = bend_[r] = 0;
      continue;
    }
    const double away = value[r] - target[r];
    double first = pass_->first()[r];
    double second = pass_->second()[r];
    const double kink = kinks_.empty() ? 0 : kinks_[row];
    if (kink > 0) {
      const double root = std::hypot(away, epsilon_);
      const double sign = away > 0 ? 1 : away < 0 ? -1 : 0;
      if (away == 0) first = tilts_[row];
      first += root > 0 ? kink * (away / root - sign) : 0;
      second = std::max(second, 0.0);
      if (curvature == Curvature::gauss_newton) {
        second += kink / root;
      } else if (epsilon_ >
                 0) {  // else the kink is straight on both sides, and 0/0 where it is met
        const double share = epsilon_ / root;
        second += kink / root * share * share;
      }
    } else if (curvature == Curvature::gauss_newton) {
      const double ratio = first / away;
      const bool near = std::fabs(away) <= kProbe * std::max(spread_, std::fabs(target[r]));
      if (!near && ratio >= 0 && std::isfinite(ratio)) second = ratio;
      second = std::max(second, 0.0);
    }
    pull_[r] = weight(row) * first / 2;
    bend_[r] = weight(row) * second / 2;
  }
  return total;
}

}  // namespace vieta
