#include "fit/least_squares.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace vieta {
namespace {

constexpr double kFirstDamping = 1e-3;
constexpr double kLargestDamping = 1e16;

// Nielsen's rule: the better the model predicted the fall, the bolder the next step.
struct Damping {
  double value = kFirstDamping;
  double growth = 2;

  void accept(double gain) {
    value *= std::max(1.0 / 3.0, 1 - std::pow(2 * gain - 1, 3));
    growth = 2;
  }
  void refuse() {
    value *= growth;
    growth *= 2;
  }
};

}  // namespace

LeastSquaresReport LevenbergMarquardt::minimize(LeastSquaresProblem& problem, std::span<double> x,
                                                const LeastSquaresOptions& options) {
  const std::size_t n = problem.unknowns();
  VIETA_CHECK(x.size() == n);
  scale_.assign(n, 0.0);
  step_.resize(n);
  trial_.resize(n);
  LeastSquaresReport report;
  const auto stop = [&](StopReason reason) {
    report.stop_reason = reason;
    return report;
  };

  report.evaluations = 1;
  if (!problem.linearize(x, equations_)) return stop(StopReason::not_finite);
  report.cost = equations_.cost;
  raise_scale();
  Damping damping;
  while (true) {
    if (is_stationary(options.gradient_tolerance)) return stop(StopReason::converged);
    if (report.iterations == options.max_iterations) return stop(StopReason::iteration_limit);
    ++report.iterations;
    if (!solve_damped(equations_, scale_, damping.value, step_)) {
      damping.refuse();
      if (damping.value > kLargestDamping) return stop(StopReason::no_progress);
      continue;
    }
    for (std::size_t i = 0; i < n; ++i) trial_[i] = x[i] + step_[i];
    const double cost = problem.cost(trial_);
    ++report.evaluations;
    const double predicted = predicted_fall(damping.value);
    if (!(cost < report.cost)) {
      // At the bottom, rounding hides a fall that is too small to matter.
      if (predicted <= options.cost_tolerance * report.cost) return stop(StopReason::converged);
      damping.refuse();
      if (damping.value > kLargestDamping) return stop(StopReason::no_progress);
      continue;
    }
    const double fall = report.cost - cost;
    std::copy(trial_.begin(), trial_.end(), x.begin());
    report.cost = cost;
    if (cost == 0 || std::max(fall, predicted) <= options.cost_tolerance * cost)
      return stop(StopReason::converged);
    damping.accept(fall / predicted);
    ++report.evaluations;
    if (!problem.linearize(x, equations_)) return stop(StopReason::no_progress);
    raise_scale();
  }
}

// The cosine of the angle between the residual and each column of J.
bool LevenbergMarquardt::is_stationary(double tolerance) const {
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    const double size = std::sqrt(equations_.at(i, i) * equations_.cost);
    if (std::fabs(equations_.gradient[i]) > tolerance * size) return false;
  }
  return true;
}

void LevenbergMarquardt::raise_scale() {
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    scale_[i] = std::max(scale_[i], equations_.at(i, i));
    // No influence at all: any positive number keeps the unknown where it is.
    if (scale_[i] == 0) scale_[i] = 1;
  }
}

// What the local model says the step gains: s^T (damping D s - J^T r).
double LevenbergMarquardt::predicted_fall(double damping) const {
  double fall = 0;
  for (std::size_t i = 0; i < step_.size(); ++i) {
    fall += step_[i] * (damping * scale_[i] * step_[i] - equations_.gradient[i]);
  }
  return fall;
}

}  // namespace vieta
