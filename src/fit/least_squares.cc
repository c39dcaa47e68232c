#include "fit/least_squares.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "fit/damping.h"

namespace vieta {

LeastSquaresReport LevenbergMarquardt::minimize(LeastSquaresProblem& problem, std::span<double> x,
                                                const LeastSquaresOptions& options) {
  const std::size_t n = problem.unknowns();
  VIETA_CHECK(x.size() == n);
  VIETA_CHECK(options.lower.size() == options.upper.size());
  VIETA_CHECK(options.lower.empty() || options.lower.size() == n);
  scale_.assign(n, 0.0);
  step_.resize(n);
  trial_.resize(n);
  for (std::size_t i = 0; i < options.lower.size(); ++i)
    x[i] = std::clamp(x[i], options.lower[i], options.upper[i]);
  LeastSquaresReport report;
  const auto stop = [&](StopReason reason) {
    report.stop_reason = reason;
    return report;
  };

  report.evaluations = 1;
  if (!linearize(problem, x, options)) return stop(StopReason::not_finite);
  report.cost = equations_.cost;
  Damping damping;
  while (true) {
    if (std::fabs(report.cost) <= options.negligible_cost ||
        is_stationary(options.gradient_tolerance))
      return stop(StopReason::converged);
    if (report.iterations == options.max_iterations) return stop(StopReason::iteration_limit);
    ++report.iterations;
    if (!solve_damped(equations_, scale_, damping.value, step_)) {
      damping.refuse();
      if (damping.value > kLargestDamping) return stop(StopReason::no_progress);
      continue;
    }
    const bool cut = take_step(x, options);
    const double cost = problem.cost(trial_);
    ++report.evaluations;
    const double predicted = cut ? predicted_fall() : predicted_fall(damping.value);
    if (!(cost < report.cost)) {
      // At the bottom, rounding hides a fall that is too small to matter.
      if (predicted <= options.cost_tolerance * std::fabs(report.cost))
        return stop(StopReason::converged);
      damping.refuse();
      if (damping.value > kLargestDamping) return stop(StopReason::no_progress);
      continue;
    }
    const double fall = report.cost - cost;
    std::copy(trial_.begin(), trial_.end(), x.begin());
    report.cost = cost;
    if (std::max(fall, predicted) <= options.cost_tolerance * std::fabs(cost))
      return stop(StopReason::converged);
    damping.accept(fall / predicted);
    ++report.evaluations;
    if (!linearize(problem, x, options)) return stop(StopReason::no_progress);
  }
}

bool LevenbergMarquardt::linearize(LeastSquaresProblem& problem, std::span<const double> x,
                                   const LeastSquaresOptions& options) {
  if (!problem.linearize(x, equations_)) return false;
  raise_scale();
  hold_at_bounds(x, options);
  return true;
}

// For squared residuals: the cosine of the angle between the residual and each column of J.
bool LevenbergMarquardt::is_stationary(double tolerance) const {
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    // Roots first: the product may overflow.
    const double size =
        std::sqrt(std::fabs(equations_.at(i, i))) * std::sqrt(std::fabs(equations_.cost));
    if (std::fabs(equations_.gradient[i]) > tolerance * size) return false;
  }
  return true;
}

void LevenbergMarquardt::raise_scale() {
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    scale_[i] = std::max(scale_[i], std::fabs(equations_.at(i, i)));
    // No influence at all: any positive number keeps the unknown where it is.
    if (scale_[i] == 0) scale_[i] = 1;
  }
}

// An unknown that its bound keeps from going down the gradient takes no part in the next step.
void LevenbergMarquardt::hold_at_bounds(std::span<const double> x,
                                        const LeastSquaresOptions& options) {
  for (std::size_t i = 0; i < options.lower.size(); ++i) {
    const double slope = equations_.gradient[i];
    const bool held =
        (x[i] <= options.lower[i] && slope >= 0) || (x[i] >= options.upper[i] && slope <= 0);
    if (!held) continue;
    equations_.gradient[i] = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (j != i) equations_.at(i, j) = equations_.at(j, i) = 0;
    }
  }
}

// trial_ = x + step_; true if the bounds cut it, step_ is then what was stepped.
bool LevenbergMarquardt::take_step(std::span<const double> x, const LeastSquaresOptions& options) {
  for (std::size_t i = 0; i < x.size(); ++i) trial_[i] = x[i] + step_[i];
  bool cut = false;
  for (std::size_t i = 0; i < options.lower.size(); ++i) {
    const double inside = std::clamp(trial_[i], options.lower[i], options.upper[i]);
    if (inside == trial_[i]) continue;
    trial_[i] = inside;
    step_[i] = inside - x[i];
    cut = true;
  }
  return cut;
}

// What the local model says a whole step gains: s^T (damping D s - J^T r), without cancellation.
double LevenbergMarquardt::predicted_fall(double damping) const {
  double fall = 0;
  for (std::size_t i = 0; i < step_.size(); ++i) {
    fall += step_[i] * (damping * scale_[i] * step_[i] - equations_.gradient[i]);
  }
  return fall;
}

// What it says any step gains: -s^T (2 J^T r + J^T J s).
double LevenbergMarquardt::predicted_fall() const {
  double fall = 0;
  const std::size_t n = step_.size();
  for (std::size_t i = 0; i < n; ++i) {
    double slope = 2 * equations_.gradient[i];
    for (std::size_t j = 0; j < n; ++j) slope += equations_.at(i, j) * step_[j];
    fall -= step_[i] * slope;
  }
  return fall;
}

}  // namespace vieta
