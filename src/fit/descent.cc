#include "fit/descent.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fit/kinked_fit.h"
#include "fit/starts.h"

namespace vieta {
namespace {

constexpr std::uint32_t kStarts = 40;
constexpr int kScoutIterations = 40;
constexpr int kRefinements = 8;
constexpr double kRounding = 1e-14;  // of a sum of some thousand terms

}  // namespace

Descent::Descent(const FitInput& input, FormulaProblem& problem, LevenbergMarquardt& minimizer)
    : input_(input), problem_(problem), minimizer_(minimizer) {
  problem_.set(input.program, input.uniforms, input.unknowns.uniforms);
}

Minimum Descent::run() {
  scout_all();
  if (best_.x.empty()) return best_;
  const auto end = descend(best_.x, input_.options.max_iterations);
  best_.cost = end.cost;
  best_.stop_reason = end.stop_reason;
  best_.iterations = end.iterations;
  if (std::ranges::count(input_.unknowns.free_start, true) == 0) try_projected();
  refine();
  return best_;
}

// A few steps from every start; the best one is followed to the end.
void Descent::scout_all() {
  const Starts starts(input_.expr, input_.data, input_.unknowns, input_.uniforms,
                      input_.options.target, input_.options.seed);
  const std::vector<std::uint8_t> linear = linear_unknowns();
  const bool projects = std::ranges::count(linear, 1) > 0;
  const bool several = std::ranges::count(input_.unknowns.free_start, true) > 0;
  for (std::uint32_t k = 0; k < (several ? kStarts : 1); ++k) {
    std::vector<double> x = starts.draw(k);
    if (several && projects) project(x, linear, kScoutIterations);
    scout(std::move(x));
  }
}

void Descent::scout(std::vector<double> x) {
  ++best_.starts;
  const auto end = problem_.loss().kinked()
                       ? descend(x, kScoutIterations)
                       : minimizer_.minimize(problem_, x, bounded(kScoutIterations));
  if (!(end.cost < best_.cost)) return;
  best_.cost = end.cost;
  best_.x = std::move(x);
}

LeastSquaresReport Descent::descend(std::span<double> x, int max_iterations) {
  const LeastSquaresOptions options = bounded(max_iterations);
  if (problem_.loss().kinked()) {
    return minimize_kinked(minimizer_, problem_, input_.data, x, options,
                           [this](std::span<const double> at) { return input_.end_at(at); });
  }
  const LeastSquaresReport near = minimizer_.minimize(problem_, x, options);
  if (input_.data.loss.squares() || near.stop_reason == StopReason::not_finite) return near;
  // Weights of the first kind get near from anywhere; the exact second derivatives get there.
  problem_.set_curvature(Curvature::exact);
  const LeastSquaresReport polished = minimizer_.minimize(problem_, x, options);
  problem_.set_curvature(Curvature::gauss_newton);
  LeastSquaresReport end = polished.stop_reason == StopReason::not_finite ? near : polished;
  end.iterations = near.iterations + polished.iterations;
  end.evaluations = near.evaluations + polished.evaluations;
  return end;
}

// From a start that was given, the way down the valley of the linear unknowns may end lower.
void Descent::try_projected() {
  const std::vector<std::uint8_t> linear = linear_unknowns();
  const auto known = static_cast<std::size_t>(std::ranges::count(linear, 1));
  if (known == 0 || known == linear.size()) return;
  std::vector<double> x = input_.unknowns.start;
  project(x, linear, input_.options.max_iterations);
  const auto end = descend(x, input_.options.max_iterations);
  // Clearly lower: between equal minima the one that the plain way leads to stays.
  if (!(end.cost < best_.cost * (1 - 1e-6))) return;
  best_ = {std::move(x), end.cost, end.stop_reason, end.iterations, best_.starts};
}

// A fall of the cost that rounding hides still moves the unknowns by the root of it: steps of
// Newton's method (Gauss and Newton's for squares) as long as they shrink.
void Descent::refine() {
  if (problem_.loss().kinked() || !input_.unknowns.lower.empty()) return;
  problem_.set_curvature(input_.data.loss.squares() ? Curvature::gauss_newton : Curvature::exact);
  NormalEquations equations;
  const std::vector<double> no_damping(best_.x.size(), 0.0);
  std::vector<double> step(best_.x.size());
  // Of the sum: a residual has the rounding of the target it is taken from.
  const double size = std::fabs(best_.cost);
  const double rounding = kRounding * (size + std::sqrt(size * problem_.loss().target_squares()));
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kRefinements; ++k) {
    if (!problem_.linearize(best_.x, equations)) break;
    if (!solve_damped(equations, no_damping, 0, step)) break;
    double length = 0;  // in standard deviations, but for a factor
    for (std::size_t i = 0; i < step.size(); ++i) length -= step[i] * equations.gradient[i];
    if (!(length < last)) break;
    last = length;
    std::vector<double> trial = best_.x;
    for (std::size_t i = 0; i < step.size(); ++i) trial[i] += step[i];
    const double cost = problem_.cost(trial);
    if (!(cost <= best_.cost + rounding)) break;
    best_.x = std::move(trial);
    best_.cost = std::min(cost, best_.cost);
  }
  problem_.set_curvature(Curvature::gauss_newton);
}

LeastSquaresOptions Descent::bounded(int max_iterations) const {
  // Down to where rounding hides the fall: every digit of an estimate is shown.
  return {.max_iterations = max_iterations,
          .gradient_tolerance = 1e-15,
          .lower = input_.unknowns.lower,
          .upper = input_.unknowns.upper};
}

// All 0 where they cannot be solved for.
std::vector<std::uint8_t> Descent::linear_unknowns() const {
  const bool projects = input_.data.loss.squares() && input_.unknowns.lower.empty();
  std::vector<std::uint8_t> allowed(input_.unknowns.size(), projects ? 1 : 0);
  return linear_leaves(input_.expr, input_.unknowns.leaves, allowed);
}

// The linear unknowns always at their best.
void Descent::project(std::vector<double>& x, std::span<const std::uint8_t> linear,
                      int iterations) {
  projection_.minimize(problem_, linear, x, {.max_iterations = iterations, .cost_tolerance = 1e-9});
}

}  // namespace vieta
