#include "fit/constant_fitter.h"

#include <algorithm>
#include <cmath>

namespace vieta {
namespace {

// Of losses with a kink, while a step is computed: small beside any residual that matters, large
// enough for a few steps to get somewhere.
constexpr double kRounding = 1e-4;
// Squares of residuals that are the rounding of the target, relative to its own.
constexpr double kNegligible = 1e-31;

}  // namespace

void ConstantFitter::set(std::span<const Node> nodes, std::span<const std::uint8_t> frozen) {
  structure_ = &structures_.find(nodes, frozen, data_.x.pointers.size());
  const Program& program = structure_->program;
  uniforms_.assign(program.constants.begin(), program.constants.end());
  uniforms_.insert(uniforms_.end(), program.numbers.begin(), program.numbers.end());
  x_.clear();
  for (const std::uint32_t u : structure_->unknowns) x_.push_back(uniforms_[u]);
  problem_.set(program, uniforms_, structure_->unknowns, structure_->code);
  problem_.loss().set_rounding(0);
}

double ConstantFitter::loss(std::span<const Node> nodes) {
  set(nodes, {});
  return problem_.cost(x_) / problem_.total_weight();
}

LeastSquaresOptions ConstantFitter::options(int max_iterations) const {
  return {
      .max_iterations = max_iterations,
      .cost_tolerance = 1e-9,
      .negligible_cost = data_.loss.squares() ? kNegligible * problem_.loss().target_squares() : 0};
}

// Which unknowns enter linearly, and the code of what they multiply.
void ConstantFitter::split() {
  Structure& s = *structure_;
  if (s.split) return;
  s.split = true;
  linear_.assign(s.program.constants.size(), 0);
  for (const std::uint32_t u : s.unknowns) linear_[u] = 1;
  keep_linear_constants(s.nodes, linear_, degrees_);
  s.is_linear.clear();
  for (const std::uint32_t u : s.unknowns) s.is_linear.push_back(linear_[u]);
  separable_coder_.run(s.program, s.unknowns, s.is_linear, s.separable);
}

// False where there is nothing to solve for, or not this way.
bool ConstantFitter::minimize_projected(int max_iterations, Outcome& outcome) {
  if (!projects_ || !problem_.loss().plain()) return false;
  const bool known = structure_->split;
  split();
  if (!structure_->separable.usable) return false;
  pass_.set(structure_->separable, uniforms_, known);
  const LeastSquaresReport report =
      projected_.minimize(pass_, problem_, structure_->is_linear, x_, options(max_iterations));
  outcome.evaluations += report.evaluations;
  outcome.stop = report.stop_reason;
  outcome.loss = report.cost / problem_.total_weight();
  return report.stop_reason != StopReason::not_finite;
}

ConstantFitter::Outcome ConstantFitter::fit(std::span<Node> nodes, int max_iterations,
                                            std::span<const std::uint8_t> frozen) {
  set(nodes, frozen);
  Outcome outcome;
  if (x_.empty()) {
    outcome.loss = problem_.cost(x_) / problem_.total_weight();
    outcome.evaluations = 1;
    outcome.stop = StopReason::converged;
    return outcome;
  }
  if (!minimize_projected(max_iterations, outcome)) {
    // The start itself: most formulas of a search are refused here, without a Jacobian.
    const double start = problem_.cost(x_);
    ++outcome.evaluations;
    outcome.loss = start / problem_.total_weight();
    outcome.stop = StopReason::not_finite;
    if (!std::isfinite(start) || !minimize(start, max_iterations, outcome)) return outcome;
  }
  std::size_t c = 0;
  const auto uniforms = problem_.uniforms_at(x_);
  for (Node& node : nodes) {
    if (node.is_constant()) node.value = uniforms[c++];
  }
  return outcome;
}

// From a finite start; false if it is not left.
bool ConstantFitter::minimize(double start, int max_iterations, Outcome& outcome) {
  problem_.loss().set_rounding(kRounding);
  const LeastSquaresOptions how = options(max_iterations);
  bool projects = projects_ && data_.loss.squares();
  if (projects) {
    split();
    projects = std::ranges::count(structure_->is_linear, 1) > 0;
  }
  const LeastSquaresReport report =
      projects ? projection_.minimize(problem_, structure_->is_linear, x_, how)
               : minimizer_.minimize(problem_, x_, how);
  outcome.evaluations += report.evaluations;
  outcome.stop = report.stop_reason;
  double cost = report.cost;
  if (problem_.loss().kinked()) {
    problem_.loss().set_rounding(0);
    cost = problem_.cost(x_);
  }
  if (!(cost <= start)) return false;
  outcome.loss = cost / problem_.total_weight();
  return true;
}

}  // namespace vieta
