// Shrinking itself: properties that are broken on purpose, whose smallest counterexample is known.

#include "property/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "expr/parse.h"

namespace vieta::property {
namespace {

using oracle::FormulaSpace;

Expr formula(std::string_view text) {
  return parse(text, {.variables = {"x1", "x2", "x3"}, .parameters = {"k1"}}).value();
}

bool holds_within(const Expr& expr, Op outer, Op inner) {
  for (std::size_t at = 0; at < expr.size(); ++at) {
    const auto part = subtree(expr.nodes(), at);
    if (part.back().is_call(outer) &&
        std::ranges::any_of(part, [&](const Node& node) { return node.is_call(inner); })) {
      return true;
    }
  }
  return false;
}

std::string no_quotient_under_a_sine(const Expr& expr) {
  return holds_within(expr, Op::sin, Op::div) ? "a quotient under a sine" : "";
}

std::string uses_x2_twice(const Expr& expr) {
  return positions(expr.nodes(),
                   [](const Node& node) {
                     return same_node(node, Node::variable(1));
                   }).size() < 2
             ? ""
             : "x2 twice";
}

std::string few_nodes(const Expr& expr) { return expr.size() < 5 ? "" : "five nodes"; }

TEST(Shrink, FindsTheSmallestFormulaThatFails) {
  const Expr large = formula("exp(x1)*sin(cos(2.5 + x3/(k1 - 7)) + x2) - fma(x1, 3, x2^2)");
  EXPECT_EQ(print(shrunk(large, no_quotient_under_a_sine)), "sin(0/0)");
  EXPECT_EQ(print(shrunk(large, uses_x2_twice)), "x2 - x2");
  EXPECT_EQ(shrunk(large, few_nodes).size(), 5U);
}

TEST(Shrink, KeepsWhatIsSmallestAlready) {
  EXPECT_EQ(print(shrunk(formula("sin(0/0)"), no_quotient_under_a_sine)), "sin(0/0)");
  EXPECT_EQ(print(shrunk(formula("sin(k1/2.5)"), no_quotient_under_a_sine)), "sin(0/0)");
  const auto never_right = [](const Expr&) { return std::string("wrong"); };
  EXPECT_EQ(print(shrunk(formula("sin(x1) + nan"), never_right)), "0");
}

TEST(Shrink, TakesPlainerNumbers) {
  const auto above_two = [](const Expr& expr) {
    const auto values = expr.constants();
    return std::ranges::any_of(values, [](double c) { return c > 2; }) ? "above 2" : "";
  };
  EXPECT_EQ(print(shrunk(formula("x1 + 7.25*x2"), above_two)), "7");
}

TEST(Shrink, WorksOnWhatTheGeneratorFinds) {
  const FormulaSpace space{{Op::add, Op::div, Op::sin, Op::exp, Op::fma}, 3, 1};
  const auto found = find_counterexample(space, 30, 1000, 1,
                                         [](std::uint32_t) { return no_quotient_under_a_sine; });
  ASSERT_TRUE(found);
  EXPECT_EQ(print(found->formula), "sin(0/0)");
  EXPECT_TRUE(found->text.contains(": sin(0/0)\n  a quotient under a sine\n  shrunk from "));
}

TEST(Shrink, FindsNothingWhereThePropertyHolds) {
  const FormulaSpace space{{Op::add, Op::sin}, 3, 1};
  EXPECT_FALSE(find_counterexample(space, 30, 200, 1,
                                   [](std::uint32_t) { return no_quotient_under_a_sine; }));
}

}  // namespace
}  // namespace vieta::property
