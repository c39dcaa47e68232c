#include "fit/projected_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fit/damping.h"

namespace vieta {
namespace {

// Two costs that differ by less may be the same: rounding of sums of some thousand terms.
constexpr double kRounding = 1e-12;

}  // namespace

LeastSquaresReport ProjectedFit::minimize(SeparablePass& pass, FormulaProblem& problem,
                                          std::span<const std::uint8_t> is_linear,
                                          std::span<double> x, const LeastSquaresOptions& options) {
  here_->linear.clear();
  here_->nonlinear.clear();
  for (std::size_t i = 0; i < x.size(); ++i)
    (is_linear[i] != 0 ? here_->linear : here_->nonlinear).push_back(x[i]);
  scale_.assign(here_->nonlinear.size(), 0.0);
  step_.resize(scale_.size());
  LeastSquaresReport report;
  report.evaluations = 1;
  report.stop_reason = StopReason::not_finite;
  if (!pass.project(*here_)) return report;
  const double start = here_->cost_before;
  const auto again = [&] {
    ++report.evaluations;
    const bool finite = pass.project(*here_);
    here_->exact = true;
    return finite;
  };
  double end = std::numeric_limits<double>::infinity();  // the cost of joined_, once known
  Damping damping;
  const auto stop = [&](StopReason reason) { report.stop_reason = reason; };
  while (true) {
    raise_scale();
    if (here_->equations.cost <= options.negligible_cost ||
        is_stationary(options.gradient_tolerance)) {
      stop(StopReason::converged);
      if (here_->exact || !again()) break;
      continue;
    }
    stop(StopReason::iteration_limit);
    if (report.iterations == options.max_iterations) break;
    ++report.iterations;
    bool better = false;
    const bool solved = solve_damped(here_->equations, scale_, damping.value, step_);
    if (solved) {
      go();
      const double before = here_->equations.cost;
      const double predicted = predicted_fall(damping.value);
      const double small = options.cost_tolerance * before;
      ++report.evaluations;
      if (predicted <= small && here_->exact) {
        // What is left is less than matters: the last step, and the cost where it ends.
        end = cost_at(*there_, problem, is_linear);
        if (!(end <= before * (1 + kRounding))) end = std::numeric_limits<double>::infinity();
        stop(StopReason::converged);
        if (!(before - end > small)) break;
        std::swap(here_, there_);
        if (!again()) break;
        continue;
      }
      const bool finite = pass.project(*there_);
      const double fall = before - there_->equations.cost;
      better = finite && fall > 0;
      if (better) {
        std::swap(here_, there_);
        damping.accept(fall / predicted);
        stop(StopReason::converged);
        if (std::max(fall, predicted) <= small) break;
        continue;
      }
    }
    stop(StopReason::no_progress);
    if (!here_->exact) {
      if (!again()) break;
      continue;
    }
    damping.refuse();
    if (damping.value > kLargestDamping) break;
  }
  if (!std::isfinite(end)) {
    ++report.evaluations;
    end = cost_at(*here_, problem, is_linear);
  }
  report.cost = end;
  if (!std::isfinite(end)) {
    report.stop_reason = StopReason::not_finite;
    return report;
  }
  if (!(end < start * (1 - kRounding))) {
    ++report.evaluations;
    report.cost = problem.cost(x);
    if (!std::isfinite(report.cost)) report.stop_reason = StopReason::not_finite;
    if (!(end < report.cost)) return report;
    report.cost = end;
  }
  std::ranges::copy(joined_, x.begin());
  return report;
}

// Marquardt's scale, kept from shrinking.
void ProjectedFit::raise_scale() {
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    scale_[i] = std::max(scale_[i], here_->size[i]);
    if (scale_[i] <= 0) scale_[i] = 1;  // no influence at all: any positive number
  }
}

bool ProjectedFit::is_stationary(double tolerance) const {
  const NormalEquations& e = here_->equations;
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    const double size = std::sqrt(std::max(e.at(i, i), 0.0)) * std::sqrt(e.cost);
    if (std::fabs(e.gradient[i]) > tolerance * size) return false;
  }
  return true;
}

double ProjectedFit::predicted_fall(double damping) const {
  double fall = 0;
  for (std::size_t i = 0; i < step_.size(); ++i)
    fall += step_[i] * (damping * scale_[i] * step_[i] - here_->equations.gradient[i]);
  return fall;
}

// there_ = here_ + step_, the linear unknowns following.
void ProjectedFit::go() {
  const std::size_t n = step_.size();
  there_->linear = here_->linear;
  there_->nonlinear = here_->nonlinear;
  for (std::size_t k = 0; k < n; ++k) {
    there_->nonlinear[k] += step_[k];
    for (std::size_t j = 0; j < there_->linear.size(); ++j)
      there_->linear[j] += here_->follow[j * n + k] * step_[k];
  }
}

double ProjectedFit::cost_at(const ProjectedPoint& point, FormulaProblem& problem,
                             std::span<const std::uint8_t> is_linear) {
  joined_.clear();
  std::size_t linear = 0;
  std::size_t nonlinear = 0;
  for (const std::uint8_t is : is_linear)
    joined_.push_back(is != 0 ? point.linear[linear++] : point.nonlinear[nonlinear++]);
  return problem.cost(joined_);
}

}  // namespace vieta
