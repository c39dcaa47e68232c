#include "expr/print.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "expr/test_formulas.h"

namespace vieta {
namespace {

using testing::formula;

TEST(Print, UsesTheFewestBracketsThatKeepTheTree) {
  for (const char* text : {"x + y*z",
                           "(x + y)*z",
                           "x - (y - z)",
                           "x - y - z",
                           "x/(y*z)",
                           "x/y*z",
                           "x^y^z",
                           "(x^y)^z",
                           "-x^2",
                           "(-x)^2",
                           "(-2)^x",
                           "-2^x",
                           "x^-2",
                           "x^-y^z",
                           "x^(y*z)",
                           "-x*y",
                           "-(x*y)",
                           "-(2)",
                           "--2",
                           "x*-y",
                           "x - -2",
                           "x - -y",
                           "x < y",
                           "(x < y) < z",
                           "x < (y < z)",
                           "x && y || z",
                           "x && (y || z)",
                           "(x || y) && z",
                           "!x && !(y && z)",
                           "!-x",
                           "if(x > 0, x, -x)",
                           "min(x, max(y, z))",
                           "fma(x, y, z)",
                           "(x < y)*z + 1",
                           "log2(x) + log10(x)",
                           "x^-inf",
                           "nan*x",
                           "-(inf)",
                           "-inf",
                           "1e-05",
                           "5e-324",
                           "-0",
                           "1e+300*x",
                           "x == y",
                           "(x == y) + 1",
                           "x || (y || z)",
                           "sqrt(x)^2",
                           "2*(x + 1)",
                           "x + (y + z)",
                           "x*(y*z)"}) {
    EXPECT_EQ(print(formula(text)), text);
  }
}

TEST(Print, QuotesNamesThatMeanSomethingElse) {
  EXPECT_EQ(quoted_name("x1"), "x1");
  EXPECT_EQ(quoted_name("температура"), "температура");
  EXPECT_EQ(quoted_name("π₁"), "π₁");
  for (const char* name :
       {"e", "pi", "inf", "NaN", "sin", "ln", "if", "air temp", "load_%", "1x", "", "x-y"}) {
    EXPECT_EQ(quoted_name(name), "`" + std::string(name) + "`");
  }
  EXPECT_EQ(quoted_name("a`b"), "`a``b`");
}

TEST(Print, KeepsInfinityApartFromColumnsOfItsName) {
  const double inf = std::numeric_limits<double>::infinity();
  const ParseOptions options = {.variables = {"inf", "Inf", "nan"}};
  std::vector<Node> nodes = {Node::variable(0), Node::constant(-inf)};
  append_call(nodes, Op::mul);
  const Expr e(nodes, std::make_shared<const Symbols>(Symbols{options.variables, {}}));
  EXPECT_EQ(print(e), "`inf`*-INF");
  EXPECT_TRUE(parse(print(e), options).value() == e);
}

TEST(Print, RoundsConstantsWhenAsked) {
  EXPECT_EQ(print(formula("3.14159265*x + 1e-9"), {.digits = 3}), "3.14*x + 1e-09");
}

TEST(Print, ParsesBackTheFormulaOfTheReports) {
  const std::string text = "x + (((y + 0.8001067) + exp(0.14465569)) - -0.36010084)";
  const Expr e = formula(text);
  EXPECT_EQ(print(e), "x + (y + 0.8001067 + exp(0.14465569) - -0.36010084)");
  EXPECT_TRUE(formula(print(e)) == e);
}

TEST(Print, NamesEveryOperator) {
  for (std::size_t i = 0; i < kOpCount; ++i) {
    std::vector<Node> nodes;
    for (int k = 0; k < info(op_at(i)).arity; ++k) {
      nodes.push_back(Node::variable(static_cast<std::size_t>(k)));
    }
    append_call(nodes, op_at(i));
    const Expr e(nodes, std::make_shared<const Symbols>(Symbols{{"x", "y", "z"}, {}}));
    EXPECT_TRUE(formula(print(e)) == e) << info(op_at(i)).id << ": " << print(e);
  }
}

TEST(Print, ParsesBackToTheSameNodesAndBits) {
  const double inf = std::numeric_limits<double>::infinity();
  const Symbols names{{"x", "sin", "air temp", "e", "`", "μ"}, {"k", "pi", "if"}};
  const testing::Material material = testing::all_ops_over(
      names, {0.0, -0.0, 1, 2, -1, -2.5, 0.1, 5e-324, -5e-324, 1e300, -1e-300, 1e22, 123456789.125,
              inf, -inf, std::numeric_limits<double>::quiet_NaN()});
  const auto fails = [&](const Expr& e) {
    const Result<Expr> back =
        parse(print(e), {.variables = names.variables, .parameters = names.parameters});
    return !back || !(*back == e);
  };
  Rng rng(1, 0, 0);
  for (int i = 0; i < 20'000; ++i) {
    const Expr e = testing::random_formula(material, 2 + rng.below(6), rng);
    if (!fails(e)) continue;
    FAIL() << "does not parse back: " << print(testing::shrunk(e, fails));
  }
}

TEST(Print, ParsesBackSignsPowersAndComparisonsNestedEveryWay) {
  testing::Material material = testing::all_ops_over({{"x"}, {}}, {2, -2});
  material.ops = {Op::neg, Op::not_, Op::pow,  Op::mul,   Op::sub,
                  Op::lt,  Op::eq,   Op::both, Op::either};
  const auto fails = [](const Expr& e) {
    const Result<Expr> back = parse(print(e), {.variables = {"x"}});
    return !back || !(*back == e);
  };
  Rng rng(2, 0, 0);
  for (int i = 0; i < 20'000; ++i) {
    const Expr e = testing::random_formula(material, 2 + rng.below(6), rng);
    if (!fails(e)) continue;
    FAIL() << "does not parse back: " << print(testing::shrunk(e, fails));
  }
}

TEST(Print, TakesChainsOfAnyDepth) {
  constexpr std::size_t n = 100'000;
  std::vector<Node> nodes = {Node::variable(0)};
  for (std::size_t i = 0; i < n; ++i) append_call(nodes, Op::sin);
  const Expr deep(nodes, std::make_shared<const Symbols>(Symbols{{"x"}, {}}));
  EXPECT_EQ(print(deep).size(), 5 * n + 1);
  const Expr copy = deep;
  EXPECT_TRUE(copy == deep);
  EXPECT_EQ(structural_hash(copy.nodes()), structural_hash(deep.nodes()));
}

}  // namespace
}  // namespace vieta
