#include "fit/formula_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace vieta {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

FormulaProblem::FormulaProblem(const FitData& data, kernels::Target target)
    : data_(data), table_(kernels::kernel_table<double>(target)) {
  VIETA_CHECK(data.target.size() == data.x.rows);
  VIETA_CHECK(data.weights.empty() || data.weights.size() == data.x.rows);
  for (const double w : data.weights) {
    total_weight_ += w;
    has_zero_weight_ = has_zero_weight_ || w == 0;
  }
  if (data.weights.empty()) total_weight_ = static_cast<double>(data.x.rows);
  // Buffers of one tile, whatever the formula.
  stride_ = padded<double>(tile_rows<double>(1, data.x.rows) + kernels::kMaxLanes);
  residual_.resize(stride_);
  weighted_residual_.resize(stride_);
}

void FormulaProblem::set(const Program& program, std::span<const double> uniforms,
                         std::span<const std::uint32_t> unknowns) {
  VIETA_CHECK(uniforms.size() == program.uniforms());
  program_ = &program;
  uniforms_.assign(uniforms.begin(), uniforms.end());
  unknowns_.assign(unknowns.begin(), unknowns.end());
  coder_.value(program, value_code_);
  has_gradient_code_ = false;
}

std::span<const double> FormulaProblem::uniforms_at(std::span<const double> x) {
  VIETA_CHECK(x.size() == unknowns_.size());
  for (std::size_t i = 0; i < x.size(); ++i) uniforms_[unknowns_[i]] = x[i];
  return uniforms_;
}

double FormulaProblem::cost(std::span<const double> x) {
  TileRun<double> run(table_, workspace_);
  run.bind(value_code_, data_.x);
  run.start(uniforms_at(x));
  double sum = 0;
  while (run.next()) {
    sum += residuals(run);
    if (!run.status().ok && !has_zero_weight_) return kInfinity;
  }
  // With rows that do not count, a value that is not finite matters only if it is in the sum.
  return std::isfinite(sum) ? sum : kInfinity;
}

bool FormulaProblem::linearize(std::span<const double> x, NormalEquations& equations) {
  if (!has_gradient_code_) {
    leaves_.clear();
    for (const std::uint32_t u : unknowns_) leaves_.push_back({Operand::Kind::uniform, u});
    coder_.gradient(*program_, leaves_, gradient_code_);
    has_gradient_code_ = true;
  }
  const std::size_t n = unknowns_.size();
  const bool weights = !data_.weights.empty();
  equations.reset(n);
  if (weights) columns_.resize(std::max(columns_.size(), 2 * n * stride_));
  TileRun<double> run(table_, workspace_);
  run.bind(gradient_code_, data_.x);
  run.start(uniforms_at(x));
  while (run.next()) {
    equations.cost += residuals(run);
    if (!run.status().ok && !has_zero_weight_) return false;
    if (weights) weigh_columns(run);
    for (std::size_t i = 0; i < n; ++i) {
      const double* column = weights ? columns_.data() + i * stride_ : run.output(1 + i);
      equations.gradient[i] += table_.dot(column, residual_.data(), run.rows());
      for (std::size_t j = 0; j <= i; ++j) {
        const double* other = weights ? columns_.data() + (n + j) * stride_ : run.output(1 + j);
        equations.at(i, j) += table_.dot(column, other, run.rows());
      }
    }
  }
  bool finite = std::isfinite(equations.cost);
  for (std::size_t i = 0; i < n; ++i) {
    finite = finite && std::isfinite(equations.gradient[i]);
    for (std::size_t j = 0; j <= i; ++j) {
      equations.at(j, i) = equations.at(i, j);
      finite = finite && std::isfinite(equations.at(i, j));
    }
  }
  return finite;
}

// Fills residual_ for the tile, zero on rows that do not count; gives the weighted sum of squares.
double FormulaProblem::residuals(const TileRun<double>& run) {
  const double* value = run.output(0);
  const double* target = data_.target.data() + run.first_row();
  const std::size_t rows = run.rows();
  for (std::size_t r = 0; r < rows; ++r) residual_[r] = value[r] - target[r];
  if (data_.weights.empty()) return table_.dot(residual_.data(), residual_.data(), rows);
  const double* weight = data_.weights.data() + run.first_row();
  for (std::size_t r = 0; r < rows; ++r) {
    if (weight[r] == 0) residual_[r] = 0;
    weighted_residual_[r] = weight[r] * residual_[r];
  }
  return table_.dot(residual_.data(), weighted_residual_.data(), rows);
}

// Columns of J twice: times the weight, and as they are; both zero where the weight is, whatever J
// holds there.
void FormulaProblem::weigh_columns(const TileRun<double>& run) {
  const std::size_t n = unknowns_.size();
  const double* weight = data_.weights.data() + run.first_row();
  for (std::size_t i = 0; i < n; ++i) {
    double* times_weight = columns_.data() + i * stride_;
    double* plain = columns_.data() + (n + i) * stride_;
    for (std::size_t r = 0; r < run.rows(); ++r) {
      plain[r] = weight[r] == 0 ? 0 : run.output(1 + i)[r];
      times_weight[r] = weight[r] * plain[r];
    }
  }
}

}  // namespace vieta
