// Printed formulas read back to the same nodes and bits, plainly and with shared parts named.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "expr/parse.h"
#include "expr/shared.h"
#include "property/shrink.h"

namespace vieta::property {
namespace {

oracle::FormulaSpace every_operator() {
  std::vector<Op> ops;
  for (std::size_t o = 0; o < kOpCount; ++o) ops.push_back(op_at(o));
  return {ops, 3, 2};
}

// The formula over names that need care, some of its numbers at the ends of the format. A function
// of the formula alone, so that it shrinks.
Expr disguised(const Expr& expr, std::uint32_t trial) {
  using Limits = std::numeric_limits<double>;
  static const std::vector<double> odd = {-0.0,          HUGE_VAL,      -HUGE_VAL,
                                          std::nan(""),  Limits::max(), Limits::denorm_min(),
                                          Limits::min(), 1.0 / 3,       -1e-7};
  static const auto names =
      std::make_shared<const Symbols>(Symbols{{"t1", "sin", "a;b = `c`"}, {"inf", "größe"}});
  Rng rng(5, 1, trial);
  std::vector<Node> nodes(expr.nodes().begin(), expr.nodes().end());
  for (Node& node : nodes) {
    if (node.is_constant() && rng.chance(0.3)) node = Node::constant(odd[rng.below(odd.size())]);
  }
  return {std::move(nodes), names};
}

// `read` is parse or parse_shared.
template <class Read>
std::string reads_back(const Expr& expr, const std::string& text, Read read) {
  const auto back =
      read(text, {.variables = expr.symbols().variables, .parameters = expr.symbols().parameters});
  if (!back) return text + ": " + describe(back.error());
  return *back == expr ? "" : text + " reads as " + print(*back);
}

TEST(Text, ParseOfPrintIsTheIdentity) {
  const auto found = find_counterexample(every_operator(), 40, 800, 1, [](std::uint32_t trial) {
    return [trial](const Expr& plain) {
      const Expr expr = disguised(plain, trial);
      return reads_back(expr, print(expr), parse);
    };
  });
  EXPECT_FALSE(found) << found->text;
}

TEST(Text, ParseSharedOfPrintSharedIsTheIdentity) {
  // Few leaves and operators, so that much is shared.
  const oracle::FormulaSpace space{{Op::add, Op::mul, Op::neg, Op::pow, Op::fma}, 1, 0};
  const auto found = find_counterexample(space, 60, 800, 2, [](std::uint32_t) {
    return [](const Expr& expr) { return reads_back(expr, print_shared(expr), parse_shared); };
  });
  EXPECT_FALSE(found) << found->text;
}

TEST(Text, NamingNeverMakesTheFormulaLarger) {
  const oracle::FormulaSpace space{{Op::add, Op::mul, Op::sin}, 1, 0};
  const auto found = find_counterexample(space, 60, 400, 3, [](std::uint32_t) {
    return [](const Expr& expr) {
      const std::string text = print_shared(expr);
      const auto names = std::ranges::count(text, '=');
      const auto unique = count_unique(expr.nodes());
      const bool fine = unique <= expr.size() && static_cast<std::size_t>(names) < unique;
      return fine ? std::string() : text;
    };
  });
  EXPECT_FALSE(found) << found->text;
}

}  // namespace
}  // namespace vieta::property
