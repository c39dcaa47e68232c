// Four ways to a gradient agree: reverse sweep, forward along each leaf, symbolic derivative, and
// the long double reference.

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "eval/products.h"
#include "property/conditioning.h"
#include "property/rows.h"
#include "property/shrink.h"

namespace vieta::property {
namespace {

const oracle::FormulaSpace kSpace = {oracle::smooth_ops(), kVariables, kParameters.size()};

// Judgements of every row.
std::vector<Judgement> judgements(const Expr& expr, const Rows& rows,
                                  const std::vector<Leaf>& leaves) {
  const Judge judge(expr, kParameters, leaves);
  std::vector<Judgement> all;
  for (std::size_t r = 0; r < rows.size(); ++r) all.push_back(judge.at(rows.row(r)));
  return all;
}

std::string compare_sweeps(const Expr& expr, const Rows& rows, std::size_t& judged) {
  const auto leaves = leaves_of(expr, true);
  const auto right = judgements(expr, rows, leaves);
  const auto reverse = evaluate<double>(expr, rows.view(), kParameters, leaves, 1);
  for (std::size_t j = 0; j < leaves.size(); ++j) {
    std::vector<double> direction(leaves.size(), 0.0);
    direction[j] = 1;
    const auto forward = jvp<double>(expr, rows.view(), kParameters, leaves, direction);
    const std::string by = " by " + leaf_name(expr, leaves[j]);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (!right[r].usable) continue;
      ++judged;
      const long double wanted = right[r].gradient[j];
      const long double error = right[r].gradient_error[j];
      if (!is_close(reverse.values[r], right[r].value, right[r].value_error)) {
        return differs("value", reverse.values[r], right[r].value);
      }
      const double by_reverse = reverse.gradient_column(j)[r];
      if (!is_close(by_reverse, wanted, error)) return differs("reverse" + by, by_reverse, wanted);
      const double by_forward = forward.tangents[r];
      if (!is_close(by_forward, wanted, error)) return differs("forward" + by, by_forward, wanted);
    }
  }
  return {};
}

TEST(Derivatives, ReverseAndForwardAgreeWithTheReference) {
  std::size_t judged = 0;
  const auto found = find_counterexample(kSpace, 12, 3000, 1, [&](std::uint32_t trial) {
    return [&, rows = Rows::moderate(5, trial)](const Expr& expr) {
      return compare_sweeps(expr, rows, judged);
    };
  });
  EXPECT_FALSE(found) << found->text;
  EXPECT_GT(judged, 20000U) << "too few points for the test to mean anything";
}

// The symbolic derivative as a formula of its own: rounding may move it as any other, on top of
// what moves the gradient.
std::string compare_symbolic(const Expr& expr, const Rows& rows, std::size_t& judged) {
  const auto leaves = leaves_of(expr, true);
  const auto right = judgements(expr, rows, leaves);
  for (std::size_t j = 0; j < leaves.size(); ++j) {
    const auto derivative = diff(expr, leaves[j]);
    if (!derivative && derivative.error().code == ErrorCode::numeric) continue;  // undefined
    if (!derivative) return describe(derivative.error());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (!right[r].usable) continue;
      ++judged;
      const auto [value, own_error] = value_and_error(*derivative, rows.row(r), kParameters);
      if (is_close(value, right[r].gradient[j], right[r].gradient_error[j] + own_error)) continue;
      return differs(print(*derivative) + " by " + leaf_name(expr, leaves[j]), value,
                     right[r].gradient[j]);
    }
  }
  return {};
}

TEST(Derivatives, SymbolicOnesAgreeWithTheReference) {
  std::size_t judged = 0;
  const auto found = find_counterexample(kSpace, 12, 2000, 2, [&](std::uint32_t trial) {
    return [&, rows = Rows::moderate(2, trial)](const Expr& expr) {
      return compare_symbolic(expr, rows, judged);
    };
  });
  EXPECT_FALSE(found) << found->text;
  EXPECT_GT(judged, 5000U) << "too few points for the test to mean anything";
}

}  // namespace
}  // namespace vieta::property
