// Simplified formulas keep value and gradient, as the long double reference gives them, wherever
// those of the original are finite.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "eval/reference.h"
#include "expr/print.h"
#include "expr/rewrite.h"
#include "expr/walk.h"
#include "property/conditioning.h"
#include "property/rows.h"
#include "property/shrink.h"

namespace vieta::property {
namespace {

const oracle::FormulaSpace kSpace = {oracle::smooth_ops(), kVariables, kParameters.size()};

// Where most rules are, and formulas that give them something to gather.
const oracle::FormulaSpace kAlgebra = {
    {Op::add, Op::sub, Op::mul, Op::div, Op::neg, Op::pow, Op::square, Op::cube, Op::inv, Op::abs,
     Op::sqrt, Op::if_, Op::lt},
    kVariables,
    kParameters.size()};
const oracle::FormulaSpace kSums = {{Op::add, Op::sub, Op::mul, Op::neg}, 2, 1};
const oracle::FormulaSpace kProducts = {
    {Op::mul, Op::div, Op::pow, Op::square, Op::cube, Op::inv, Op::add}, 2, 1};

// The size of a leaf, 1 if it is 0: what a derivative by it is worth in the value's units.
long double size_of(const Leaf& leaf, const std::vector<double>& x) {
  const double value = leaf.kind == Leaf::Kind::variable ? x[leaf.index] : kParameters[leaf.index];
  return value == 0 ? 1 : std::fabs(value);
}

std::string hessian_differs(const Expr& expr, const Judge& judge, const std::vector<double>& x,
                            const reference::Derivatives& met, const Judgement& judged,
                            std::span<const Leaf> leaves) {
  const auto right = reference::evaluate(expr, x, kParameters, leaves, 2).hessian;
  const auto moves = judge.hessian_moves(x);
  std::size_t at = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    for (std::size_t j = i; j < leaves.size(); ++j, ++at) {
      // Six digits are left, as is asked of gradients.
      if (!(moves[at] < 1e10L * (std::fabs(right[at]) + 1))) continue;
      // The reference's own rounding, where terms cancel that no node's error moves, as in
      // inv(1/x): its epsilon is 1/2048 of a double's; 64 of them for some 60 nodes.
      const long double a = size_of(leaves[i], x);
      const long double b = size_of(leaves[j], x);
      const long double own = (judged.value_error / (a * b) + judged.gradient_error[i] / b +
                               judged.gradient_error[j] / a) /
                              32;
      // 16 is twice sqrt(60), what hessian_moves may miss of the worst case.
      const long double error = std::fabs(right[at]) + moves[at] + own;
      if (is_close(met.hessian[at], right[at], error, 16)) continue;
      return differs("second derivative by " + leaf_name(expr, leaves[i]) + " and " +
                         leaf_name(expr, leaves[j]),
                     met.hessian[at], right[at]);
    }
  }
  return {};
}

// Both sides are exact but for the numbers that simplify folds, merges and rounds to double: that
// 0.1*x + 0.2*x becomes 0.30000000000000004*x. Each of them is a rounding of a node of the
// original, so conditioning.h bounds what they do.
std::string keeps_all_derivatives(const Expr& expr, const Rows& rows,
                                  const SimplifyOptions& options, std::size_t& judged) {
  const Expr simple = simplify(expr, options);
  if (simple == expr) return {};
  const auto leaves = leaves_of(expr, false);
  const Judge judge(expr, kParameters, leaves);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::vector<double> x = rows.row(r);
    const Judgement right = judge.at(x);
    if (!right.usable) continue;
    ++judged;
    const auto met = reference::evaluate(simple, x, kParameters, leaves, 2);
    const std::string at = print(simple) + " in row " + std::to_string(r);
    if (!is_close(met.value, right.value, right.value_error)) {
      return differs(at, met.value, right.value);
    }
    for (std::size_t j = 0; j < leaves.size(); ++j) {
      if (is_close(met.gradient[j], right.gradient[j], right.gradient_error[j])) continue;
      return differs(at + " by " + leaf_name(expr, leaves[j]), met.gradient[j], right.gradient[j]);
    }
    const std::string second = hessian_differs(expr, judge, x, met, right, leaves);
    if (!second.empty()) return at + ", " + second;
  }
  return {};
}

using Draw = std::function<Rows(std::uint32_t)>;

Rows moderate(std::uint32_t trial) { return Rows::moderate(3, trial); }

// Zeros of both signs, ones, and numbers whose cubes are near the end of what is judged.
Rows edges(std::uint32_t trial) {
  static constexpr double kEdges[] = {0, -0.0, 1, -1, 2, -0.5, 1e25, -1e25, 1e-25, 3};
  return Rows::chosen(kEdges, 4, trial);
}

void expect_simplify_keeps_all(const oracle::FormulaSpace& space, std::size_t size,
                               std::uint32_t trials, std::uint64_t seed,
                               const SimplifyOptions& options, const Draw& draw = moderate) {
  std::size_t judged = 0;
  const auto found = find_counterexample(space, size, trials, seed, [&](std::uint32_t trial) {
    return [&, rows = draw(trial)](const Expr& expr) {
      return keeps_all_derivatives(expr, rows, options, judged);
    };
  });
  EXPECT_FALSE(found) << found->text;
  EXPECT_GT(judged, trials / 10) << "too few points for the test to mean anything";
}

TEST(Simplify, KeepsValueGradientAndHessian) { expect_simplify_keeps_all(kSpace, 14, 3000, 1, {}); }

TEST(Simplify, KeepsThemWithTunableConstants) {
  expect_simplify_keeps_all(kSpace, 14, 3000, 2, {.tunable_constants = true});
}

TEST(Simplify, KeepsThemWhereMostRulesAre) {
  for (const bool tunable_constants : {false, true}) {
    for (const bool finite_inputs : {false, true}) {
      const SimplifyOptions options{tunable_constants, finite_inputs};
      expect_simplify_keeps_all(kAlgebra, 24, 700, 3, options);
      expect_simplify_keeps_all(kSums, 24, 700, 4, options);
      expect_simplify_keeps_all(kProducts, 20, 700, 5, options);
    }
  }
}

TEST(Simplify, KeepsThemAtZeroAndAtHugeNumbers) {
  expect_simplify_keeps_all(kAlgebra, 12, 3000, 6, {}, edges);
  expect_simplify_keeps_all(kSums, 16, 1500, 7, {}, edges);
  expect_simplify_keeps_all(kProducts, 10, 3000, 8, {}, edges);
}

// The sign of a zero is not kept; where one is divided by, it decides what follows.
bool meets_a_zero(const Expr& expr, const std::vector<double>& x) {
  for (std::size_t i = 0; i < expr.size(); ++i) {
    if (expr.nodes()[i].kind != NodeKind::call) continue;
    if (reference::evaluate(extract(expr, i), x, kParameters, {}, 0).value == 0) return true;
  }
  return false;
}

std::string kind(long double value) {
  if (std::isnan(value)) return "NaN";
  return std::isfinite(value) ? "finite" : value > 0 ? "infinite" : "-infinite";
}

// Whether rounding in its operators could change the kind. (-2)^(1/(1/3)^3) is that: the exponent
// is 27 in double, and no whole number in the reference's long double.
bool hangs_on_rounding(const Expr& expr, const std::vector<double>& x) {
  for (std::size_t i = 0; i < expr.size(); ++i) {
    if (expr.nodes()[i].is_call(Op::pow) && expr.nodes()[i - 1].kind == NodeKind::call) return true;
  }
  const Expr factored = with_factors(expr);
  const std::string as_it_is = kind(reference::evaluate(expr, x, kParameters, {}, 0).value);
  for (std::uint32_t draw = 0; draw < 8; ++draw) {
    Rng rng(11, 4, draw);
    std::vector<double> factors = kParameters;
    for (const Node& node : expr.nodes()) {
      const double error = node.kind == NodeKind::call ? 1e-13 : 0;
      factors.push_back(1 + (rng.chance(0.5) ? error : -error));
    }
    if (kind(reference::evaluate(factored, x, factors, {}, 0).value) != as_it_is) return true;
  }
  return false;
}

TEST(Simplify, KeepsInfinitiesAndNaNWhereNothingIsAssumedOfInputs) {
  static constexpr double kInf = std::numeric_limits<double>::infinity();
  static constexpr double kInputs[] = {kInf, -kInf, std::nan(""), 0, 1, -2, 0.5, 3};
  std::size_t judged = 0;
  for (const oracle::FormulaSpace& space : {kAlgebra, kSums, kProducts}) {
    const auto found = find_counterexample(space, 14, 3000, 9, [&](std::uint32_t trial) {
      return [&, rows = Rows::chosen(kInputs, 6, trial)](const Expr& expr) -> std::string {
        const Expr simple = simplify(expr, {.finite_inputs = false});
        if (simple == expr) return {};
        for (std::size_t r = 0; r < rows.size(); ++r) {
          const std::vector<double> x = rows.row(r);
          if (meets_a_zero(expr, x) || hangs_on_rounding(expr, x)) continue;
          ++judged;
          const auto right = reference::evaluate(expr, x, kParameters, {}, 0).value;
          const auto met = reference::evaluate(simple, x, kParameters, {}, 0).value;
          if (kind(met) == kind(right)) continue;
          return print(simple) + " in row " + std::to_string(r) + ": " + kind(met) + ", wanted " +
                 kind(right);
        }
        return {};
      };
    });
    EXPECT_FALSE(found) << found->text;
  }
  EXPECT_GT(judged, 10000U) << "too few points for the test to mean anything";
}

TEST(Simplify, IsNeverLargerAndSettlesAtOnce) {
  std::size_t smaller = 0;
  for (const oracle::FormulaSpace& space : {kSpace, kAlgebra, kSums, kProducts}) {
    for (const bool tunable_constants : {false, true}) {
      const SimplifyOptions options{tunable_constants};
      const auto found = find_counterexample(space, 60, 2000, 5, [&](std::uint32_t) {
        return [&](const Expr& expr) -> std::string {
          const Expr once = simplify(expr, options);
          smaller += once.size() < expr.size() ? 1 : 0;
          if (once.size() > expr.size()) return "grows to " + print(once);
          return simplify(once, options) == once ? "" : print(once) + " changes again";
        };
      });
      EXPECT_FALSE(found) << found->text;
    }
  }
  EXPECT_GT(smaller, 1000U);
}

}  // namespace
}  // namespace vieta::property
