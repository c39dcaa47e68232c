#include "fit/constant_fitter.h"

#include <cmath>

#include "base/check.h"

namespace vieta {
namespace {

// Of losses with a kink, while a step is computed: small beside any residual that matters, large
// enough for a few steps to get somewhere.
constexpr double kRounding = 1e-4;
// Squares of residuals that are the rounding of the target, relative to its own.
constexpr double kNegligible = 1e-31;

}  // namespace

void ConstantFitter::set(std::span<const Node> nodes, std::span<const std::uint8_t> frozen) {
  lowering_.run(nodes, data_.x.pointers.size(), 0, {.tunable = true}, program_);
  unknowns_.clear();
  x_.clear();
  for (std::uint32_t c = 0; c < program_.constants.size(); ++c) {
    if (c < frozen.size() && frozen[c] != 0) continue;
    unknowns_.push_back(c);
    x_.push_back(program_.constants[c]);
  }
  uniforms_.assign(program_.constants.begin(), program_.constants.end());
  uniforms_.insert(uniforms_.end(), program_.numbers.begin(), program_.numbers.end());
  problem_.set(program_, uniforms_, unknowns_);
  problem_.loss().set_rounding(0);
}

double ConstantFitter::loss(std::span<const Node> nodes) {
  set(nodes, {});
  return problem_.cost(x_) / problem_.total_weight();
}

LeastSquaresReport ConstantFitter::minimize(std::span<const Node> nodes,
                                            std::span<const std::uint8_t> frozen,
                                            int max_iterations) {
  const bool squares = data_.loss.squares();
  const LeastSquaresOptions options{
      .max_iterations = max_iterations,
      .cost_tolerance = 1e-9,
      .negligible_cost = squares ? kNegligible * problem_.loss().target_squares() : 0};
  if (squares && projects_) {
    linear_.assign(program_.constants.size(), 1);
    for (std::size_t c = 0; c < frozen.size(); ++c) linear_[c] = frozen[c] == 0 ? 1 : 0;
    keep_linear_constants(nodes, linear_, degrees_);
    std::size_t kept = 0;
    bool any = false;
    for (std::size_t c = 0; c < linear_.size(); ++c) {
      if (c < frozen.size() && frozen[c] != 0) continue;
      any = any || linear_[c] != 0;
      linear_[kept++] = linear_[c];
    }
    linear_.resize(kept);
    if (any) return projection_.minimize(problem_, linear_, x_, options);
  }
  return minimizer_.minimize(problem_, x_, options);
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
  // The start itself: most formulas of a search are refused here, without a Jacobian.
  const double start = problem_.cost(x_);
  outcome.evaluations = 1;
  outcome.loss = start / problem_.total_weight();
  outcome.stop = StopReason::not_finite;
  if (!std::isfinite(start)) return outcome;
  problem_.loss().set_rounding(kRounding);
  const LeastSquaresReport report = minimize(nodes, frozen, max_iterations);
  outcome.evaluations += report.evaluations;
  outcome.stop = report.stop_reason;
  double cost = report.cost;
  if (problem_.loss().kinked()) {
    problem_.loss().set_rounding(0);
    cost = problem_.cost(x_);
  }
  if (!(cost <= start)) return outcome;
  const auto uniforms = problem_.uniforms_at(x_);
  std::size_t c = 0;
  for (Node& node : nodes) {
    if (node.is_constant()) node.value = uniforms[c++];
  }
  outcome.loss = cost / problem_.total_weight();
  return outcome;
}

}  // namespace vieta
