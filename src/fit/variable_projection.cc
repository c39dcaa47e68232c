#include "fit/variable_projection.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.h"

namespace vieta {
namespace {

// Keeps the linear block solvable where its columns depend on each other; moves the solution by
// about this fraction at most, and the fit goes on from there.
constexpr double kRidge = 1e-13;

constexpr int kNonlinear = 2;

// Degree of a call in the leaves looked at: 0, 1, or kNonlinear for anything else.
int degree_of_call(Op op, std::span<const int> args) {
  const int largest = *std::ranges::max_element(args);
  if (largest == 0) return 0;
  switch (op) {
    case Op::add:
    case Op::sub:
    case Op::neg:
      return largest;
    case Op::mul:
      return std::min(kNonlinear, args[0] + args[1]);
    case Op::div:
      return args[1] == 0 ? args[0] : kNonlinear;
    case Op::fma:
      return std::max(std::min(kNonlinear, args[0] + args[1]), args[2]);
    case Op::if_:
      return args[0] == 0 ? largest : kNonlinear;
    default:
      return kNonlinear;
  }
}

bool is_one_of(const Node& node, std::size_t constant, std::span<const Leaf> leaves,
               std::span<const std::uint8_t> chosen) {
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (chosen[i] == 0) continue;
    if (node.kind == NodeKind::parameter && leaves[i].kind == Leaf::Kind::parameter &&
        leaves[i].index == node.index)
      return true;
    if (node.kind == NodeKind::constant && leaves[i].kind == Leaf::Kind::constant &&
        leaves[i].index == constant)
      return true;
  }
  return false;
}

int degree(const Expr& expr, std::span<const Leaf> leaves, std::span<const std::uint8_t> chosen) {
  std::vector<int> stack;
  std::size_t constant = 0;
  for (const Node& node : expr.nodes()) {
    const auto arity = static_cast<std::size_t>(node.arity());
    if (arity == 0) {
      stack.push_back(is_one_of(node, constant, leaves, chosen) ? 1 : 0);
      if (node.is_constant()) ++constant;
      continue;
    }
    const int result = degree_of_call(node.op, std::span(stack).last(arity));
    stack.resize(stack.size() - arity);
    stack.push_back(result);
  }
  return stack.back();
}

}  // namespace

std::vector<std::uint8_t> linear_leaves(const Expr& expr, std::span<const Leaf> leaves,
                                        std::span<const std::uint8_t> allowed) {
  VIETA_CHECK(allowed.size() == leaves.size());
  std::vector<std::uint8_t> chosen(leaves.size(), 0);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (allowed[i] == 0) continue;
    chosen[i] = 1;
    if (degree(expr, leaves, chosen) == kNonlinear) chosen[i] = 0;
  }
  return chosen;
}

ProjectedProblem::ProjectedProblem(LeastSquaresProblem& full, std::span<const std::uint8_t> linear,
                                   std::span<const double> x)
    : full_(full), all_(x.begin(), x.end()) {
  VIETA_CHECK(linear.size() == full.unknowns() && x.size() == full.unknowns());
  for (std::size_t i = 0; i < linear.size(); ++i)
    (linear[i] != 0 ? linear_ : nonlinear_).push_back(i);
}

// The formula is linear in these unknowns, so one step of Gauss and Newton lands on the least sum.
bool ProjectedProblem::solve_columns(NormalEquations& equations) {
  const std::size_t n = linear_.size();
  block_.reset(n);
  scale_.resize(n);
  step_.resize(n);
  for (std::size_t a = 0; a < n; ++a) {
    block_.gradient[a] = equations.gradient[linear_[a]];
    for (std::size_t b = 0; b < n; ++b) block_.at(a, b) = equations.at(linear_[a], linear_[b]);
    scale_[a] = block_.at(a, a) > 0 ? block_.at(a, a) : 1;
  }
  if (!solve_damped(block_, scale_, kRidge, step_)) return false;
  for (std::size_t a = 0; a < n; ++a) all_[linear_[a]] += step_[a];
  return true;
}

bool ProjectedProblem::solve(std::span<const double> x) {
  VIETA_CHECK(x.size() == nonlinear_.size());
  for (std::size_t i = 0; i < x.size(); ++i) all_[nonlinear_[i]] = x[i];
  // From zero: a linear unknown left large by an earlier point would cost digits.
  for (const std::size_t a : linear_) all_[a] = 0;
  return full_.linearize(all_, equations_) && solve_columns(equations_);
}

double ProjectedProblem::cost(std::span<const double> x) {
  return solve(x) ? full_.cost(all_) : std::numeric_limits<double>::infinity();
}

bool ProjectedProblem::linearize(std::span<const double> x, NormalEquations& equations) {
  if (!solve(x) || !full_.linearize(all_, equations_)) return false;
  const std::size_t n = nonlinear_.size();
  equations.reset(n);
  equations.cost = equations_.cost;
  const std::size_t m = linear_.size();
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = 0; b < m; ++b) block_.at(a, b) = equations_.at(linear_[a], linear_[b]);
    scale_[a] = block_.at(a, a) > 0 ? block_.at(a, a) : 1;
  }
  for (std::size_t j = 0; j < n; ++j) {
    equations.gradient[j] = equations_.gradient[nonlinear_[j]];
    for (std::size_t a = 0; a < m; ++a)
      block_.gradient[a] = equations_.at(linear_[a], nonlinear_[j]);
    if (m > 0 && !solve_damped(block_, scale_, kRidge, step_)) return false;
    for (std::size_t i = 0; i < n; ++i) {
      double value = equations_.at(nonlinear_[i], nonlinear_[j]);
      for (std::size_t a = 0; a < m; ++a)
        value += equations_.at(nonlinear_[i], linear_[a]) * step_[a];
      equations.at(i, j) = value;
    }
  }
  return true;
}

}  // namespace vieta
