// Simplified formulas keep value and gradient, as the long double reference gives them, wherever
// those of the original are finite.

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "eval/reference.h"
#include "expr/rewrite.h"
#include "property/conditioning.h"
#include "property/rows.h"
#include "property/shrink.h"

namespace vieta::property {
namespace {

const oracle::FormulaSpace kSpace = {oracle::smooth_ops(), kVariables, kParameters.size()};

// Both sides are exact but for the numbers that simplify folds, merges and rounds to double. Each
// of them is a rounding of a node of the original, so conditioning.h bounds what they do.
std::string keeps_value_and_gradient(const Expr& expr, const Rows& rows,
                                     const SimplifyOptions& options, std::size_t& judged) {
  const Expr simple = simplify(expr, options);
  const auto leaves = leaves_of(expr, false);
  const Judge judge(expr, kParameters, leaves);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::vector<double> x = rows.row(r);
    const Judgement right = judge.at(x);
    if (!right.usable) continue;
    ++judged;
    const auto met = reference::evaluate(simple, x, kParameters, leaves, 1);
    const std::string at = print(simple) + " in row " + std::to_string(r);
    if (!is_close(met.value, right.value, right.value_error)) {
      return differs(at, met.value, right.value);
    }
    for (std::size_t j = 0; j < leaves.size(); ++j) {
      if (is_close(met.gradient[j], right.gradient[j], right.gradient_error[j])) continue;
      return differs(at + " by " + leaf_name(expr, leaves[j]), met.gradient[j], right.gradient[j]);
    }
  }
  return {};
}

void expect_simplify_keeps_all(const oracle::FormulaSpace& space, std::size_t size,
                               std::uint32_t trials, std::uint64_t seed,
                               const SimplifyOptions& options) {
  std::size_t judged = 0;
  const auto found = find_counterexample(space, size, trials, seed, [&](std::uint32_t trial) {
    return [&, rows = Rows::moderate(3, trial)](const Expr& expr) {
      return keeps_value_and_gradient(expr, rows, options, judged);
    };
  });
  EXPECT_FALSE(found) << found->text;
  EXPECT_GT(judged, trials) << "too few points for the test to mean anything";
}

TEST(Simplify, KeepsValueAndGradient) { expect_simplify_keeps_all(kSpace, 14, 3000, 1, {}); }

TEST(Simplify, KeepsThemWithTunableConstants) {
  expect_simplify_keeps_all(kSpace, 14, 3000, 2, {.tunable_constants = true});
}

TEST(Simplify, KeepsThemWhereMostRulesAre) {
  const oracle::FormulaSpace space{
      {Op::add, Op::sub, Op::mul, Op::div, Op::neg, Op::pow, Op::abs, Op::inv, Op::if_, Op::lt},
      kVariables,
      kParameters.size()};
  expect_simplify_keeps_all(space, 24, 1000, 3, {});
  expect_simplify_keeps_all(space, 24, 1000, 4, {.tunable_constants = true});
}

TEST(Simplify, IsNeverLargerAndSettlesAtOnce) {
  std::size_t smaller = 0;
  const auto found = find_counterexample(kSpace, 30, 3000, 5, [&](std::uint32_t) {
    return [&](const Expr& expr) -> std::string {
      const Expr once = simplify(expr);
      smaller += once.size() < expr.size() ? 1 : 0;
      if (once.size() > expr.size()) return "grows to " + print(once);
      return simplify(once) == once ? "" : print(once) + " changes again";
    };
  });
  EXPECT_FALSE(found) << found->text;
  EXPECT_GT(smaller, 100U);
}

}  // namespace
}  // namespace vieta::property
