#include "expr/shared.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "expr/inline_operators.h"
#include "expr/operators.h"
#include "expr/test_formulas.h"

namespace vieta {
namespace {

using testing::formula;

std::size_t unique(std::string_view text) { return count_unique(formula(text).nodes()); }

std::string shared_text(std::string_view text) { return print_shared(formula(text)); }

const ParseOptions kOptions = {.variables = {"x", "y", "z"}, .parameters = {"k", "m"}};

Result<Expr> read(std::string_view text) { return parse_shared(text, kOptions); }

std::string refusal(std::string_view text) {
  const auto refused = read(text);
  return refused ? "accepted" : refused.error().message;
}

TEST(CountUnique, CountsEverySubtreeOnce) {
  EXPECT_EQ(unique("x"), 1U);
  EXPECT_EQ(unique("x*x"), 2U);
  EXPECT_EQ(unique("x*y - x*y"), 4U);
  EXPECT_EQ(unique("sin(x + y)*sin(x + y)"), 5U);
  EXPECT_EQ(unique("x + y - (y + x)"), 5U) << "order counts";
}

TEST(CountUnique, AgreesWithTheCountsOfASharedGraph) {
  const std::string base = "(cos(x - 3.2*y) - x^3.5 + 0.3*0.9)";
  EXPECT_EQ(formula(base).size(), 14U);
  EXPECT_EQ(unique(base), 13U);
  EXPECT_EQ(formula("sin" + base + " + " + base).size(), 30U);
  EXPECT_EQ(unique("sin" + base + " + " + base), 15U);
}

TEST(CountUnique, ComparesConstantsByTheirBits) {
  EXPECT_EQ(unique("nan*nan"), 2U);
  EXPECT_EQ(unique("0*-0"), 3U);
  EXPECT_EQ(unique("inf + -inf"), 3U);
  Node other_nan = Node::constant(0);
  other_nan.value = -std::numeric_limits<double>::quiet_NaN();
  std::vector<Node> nodes = {Node::constant(other_nan.value), other_nan};
  append_call(nodes, Op::add);
  EXPECT_EQ(count_unique(nodes), 2U);
}

TEST(CountUnique, TellsKindsOfLeavesApart) {
  const Expr e = parse("x + k", {.variables = {"x"}, .parameters = {"k"}}).value();
  EXPECT_EQ(count_unique(e.nodes()), 3U) << "variable 0 is not parameter 0";
}

TEST(SubtreeNumbers, AreEqualForEqualSubtreesOnly) {
  Rng rng(11, 0, 0);
  auto material = testing::all_ops_over({{"x", "y"}, {"k"}}, {0.0, -0.0, 1});
  material.leaf_chance = 0.1;
  for (int trial = 0; trial < 200; ++trial) {
    const Expr e = testing::random_formula(material, 5, rng);
    const auto numbers = subtree_numbers(e.nodes());
    ASSERT_EQ(numbers.size(), e.size());
    for (std::size_t i = 0; i < e.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const auto a = subtree(e.nodes(), i);
        const auto b = subtree(e.nodes(), j);
        EXPECT_EQ(numbers[i] == numbers[j], std::ranges::equal(a, b, same_node)) << print(e);
      }
    }
    EXPECT_EQ(std::set(numbers.begin(), numbers.end()).size(), count_unique(e.nodes()));
  }
}

TEST(PrintShared, NamesWhatOccursTwice) {
  EXPECT_EQ(shared_text("(x + y)*(x + y) + sin(x + y)"), "t1 = x + y; t1*t1 + sin(t1)");
  EXPECT_EQ(shared_text("exp(x*y)/(1 + exp(x*y))"), "t1 = exp(x*y); t1/(1 + t1)");
  EXPECT_EQ(shared_text("sin(x*y) + exp(sin(x*y)) - x*y"),
            "t1 = x*y; t2 = sin(t1); t2 + exp(t2) - t1");
  EXPECT_EQ(shared_text("-(2)*x - -(2)"), "t1 = -(2); t1*x - t1");
}

TEST(PrintShared, LeavesTheRestAlone) {
  for (const char* const text : {"x", "nan", "x*x", "sin(x) + cos(x)", "2*x + 2", "-inf"}) {
    EXPECT_EQ(shared_text(text), text);
  }
}

TEST(PrintShared, AvoidsNamesThatAreTaken) {
  const Expr e = parse("sin(t1)*sin(t1) + (t3 + 1)*(t3 + 1)",
                       {.variables = {"t1", "unused"}, .parameters = {"t3"}})
                     .value();
  EXPECT_EQ(print_shared(e), "t2 = sin(t1); t4 = t3 + 1; t2*t2 + t4*t4");
}

TEST(PrintShared, RoundsAsPrintDoes) {
  EXPECT_EQ(print_shared(formula("(x + 1.2345)*(x + 1.2345)"), {.digits = 2}),
            "t1 = x + 1.2; t1*t1");
}

// formula/(a part of it)
Expr with_a_part_again(const Expr& e, Rng& rng) {
  const auto part = subtree(e.nodes(), rng.below(e.size()));
  std::vector<Node> nodes(e.nodes().begin(), e.nodes().end());
  nodes.insert(nodes.end(), part.begin(), part.end());
  append_call(nodes, Op::div);
  return {std::move(nodes), e.shared_symbols()};
}

TEST(ParseShared, ReadsEveryPrintedFormulaBack) {
  Rng rng(12, 0, 0);
  auto material = testing::all_ops_over({{"x", "y", "a;b", "t1"}, {"k", "inf"}},
                                        {0.0, -0.0, -1, 0.1, HUGE_VAL, std::nan("")});
  material.leaf_chance = 0.1;
  std::size_t shared = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    Expr e = testing::random_formula(material, 1 + rng.below(6), rng);
    if (rng.chance(0.5)) e = with_a_part_again(e, rng);
    const std::string text = print_shared(e);
    shared += text.contains(" = ") ? 1 : 0;
    const auto back = parse_shared(
        text, {.variables = e.symbols().variables, .parameters = e.symbols().parameters});
    ASSERT_TRUE(back) << text << "\n" << describe(back.error());
    ASSERT_TRUE(*back == e) << text << "\n" << print(e);
  }
  EXPECT_GT(shared, 200U);
}

TEST(ParseShared, AgreesWithTheBodiesOfDefinitions) {
  Rng rng(13, 0, 0);
  const auto material = testing::all_ops_over({{"x", "y"}, {}}, {1, 2});
  for (int trial = 0; trial < 200; ++trial) {
    const Expr e = testing::random_formula(material, 4, rng);
    Operators operators;
    const auto added = operators.define("f(x, y) = " + print_shared(e));
    ASSERT_TRUE(added) << describe(added.error());
    const ParseOptions options{.variables = {"x", "y"}, .operators = &operators};
    EXPECT_TRUE(inline_operators(parse("f(x, y)", options).value()).value() == e);
  }
}

void expect_reads_as(std::string_view shared, std::string_view plain) {
  const auto read_back = read(shared);
  ASSERT_TRUE(read_back) << shared << "\n" << describe(read_back.error());
  EXPECT_TRUE(*read_back == parse(plain, kOptions).value()) << shared << "\n" << plain;
}

TEST(ParseShared, ReadsLocalNames) {
  expect_reads_as("x + k", "x + k");
  expect_reads_as("s = x + y; s*s", "(x + y)*(x + y)");
  expect_reads_as("a = x; b = a; c = b^2; -c + a", "-(x^2) + x");
  expect_reads_as("unused = x/0; `odd; name` = y*2; `odd; name` - 1", "y*2 - 1");
  expect_reads_as("e = 2*x; e + pi", "2*x + pi");  // names win over numbers
}

TEST(ParseShared, CountsNewParametersInOrderOfAppearance) {
  const auto e = parse_shared("t = b*x; a + t*b", {.variables = {"x"}, .new_parameters = true});
  ASSERT_TRUE(e);
  EXPECT_EQ(e->symbols().parameters, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(print(*e), "a + b*x*b");
}

TEST(ParseShared, CallsOperatorsOfTheUser) {
  Operators operators;
  ASSERT_TRUE(operators.define("twice(a) = 2*a"));
  const ParseOptions options = {.variables = {"x"}, .operators = &operators};
  const auto e = parse_shared("t = twice(x); t + sin(t)", options);
  EXPECT_TRUE(e.value() == parse("twice(x) + sin(twice(x))", options).value());
  EXPECT_EQ(print_shared(*e), "t1 = twice(x); t1 + sin(t1)");
}

TEST(ParseShared, SaysWhatIsWrong) {
  EXPECT_TRUE(refusal("t = x").starts_with("a formula of the result is wanted"));
  EXPECT_TRUE(refusal("x + 1; y").starts_with("';' follows a formula"));
  EXPECT_TRUE(refusal("x = 2; x").contains("is taken by a column"));
  EXPECT_TRUE(refusal("k = 2; k").contains("is taken"));
  EXPECT_TRUE(refusal("t = 1 + x; t = 2; t").contains("is taken"));
  EXPECT_TRUE(refusal("total = x + y; totl*2").contains("did you mean 'total'"));
  EXPECT_TRUE(refusal("t = t + 1; t").contains("'t'"));
  for (const char* const text : {"", ";", "t = ; t", "t = x;", "t = x; ", "t =", "= x; x",
                                 "t = x $; t", "t = (x; t)", "t = x = y; t"}) {
    EXPECT_NE(refusal(text), "accepted") << text;
  }
}

TEST(ParseShared, PointsAtTheFault) {
  const auto refused = read("t = x + y; t*oops");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().place.column, 14U);
  EXPECT_EQ(refused.error().place.text, "t = x + y; t*oops");
}

// t1 = x + x; t2 = t1*t1; t3 = t2*t2; ...: as a tree twice as large with every name.
std::string doubling(int names) {
  std::string text = "t1 = x + x; ";
  for (int i = 2; i <= names; ++i) {
    const std::string before = "t" + std::to_string(i - 1);
    text += "t" + std::to_string(i) + " = " + before + "*" + before + "; ";
  }
  return text + "t" + std::to_string(names);
}

TEST(ParseShared, RefusesWhatIsTooLargeBeforeItIsBuilt) {
  const auto large = read(doubling(20));
  ASSERT_TRUE(large);
  EXPECT_EQ(large->size(), (std::size_t{1} << 21U) - 1);
  EXPECT_EQ(count_unique(large->nodes()), 21U);
  EXPECT_TRUE(refusal(doubling(22)).contains("nodes"));
  EXPECT_TRUE(refusal(doubling(5000)).contains("nodes"));
  EXPECT_TRUE(read(doubling(5000) + " = 1; x").error().message.contains("taken"));
}

TEST(PrintShared, IsLinearInLongFormulas) {
  // A sum whose terms all occur twice: 20,000 names.
  constexpr std::size_t kTerms = 20'000;
  std::vector<Node> nodes = {Node::variable(0)};
  for (int copy = 0; copy < 2; ++copy) {
    for (std::size_t i = 0; i < kTerms; ++i) {
      nodes.push_back(Node::variable(1));
      nodes.push_back(Node::constant(static_cast<double>(i)));
      append_call(nodes, Op::mul);
      append_call(nodes, Op::add);
    }
  }
  const Expr e(std::move(nodes), formula("x").shared_symbols());
  EXPECT_EQ(count_unique(e.nodes()), 2 + 4 * kTerms);
  const std::string text = print_shared(e);
  EXPECT_TRUE(text.contains("t20000 = y*19999; "));
  EXPECT_TRUE(read(text).value() == Expr(e));
}

TEST(PrintShared, WalksDeepChains) {
  std::vector<Node> nodes = {Node::variable(0)};
  for (int i = 0; i < 100'000; ++i) append_call(nodes, Op::sin);
  std::vector<Node> twice = nodes;
  twice.insert(twice.end(), nodes.begin(), nodes.end());
  append_call(twice, Op::add);
  const auto symbols = formula("x").shared_symbols();
  EXPECT_EQ(count_unique(nodes), 100'001U);
  EXPECT_EQ(count_unique(twice), 100'002U);
  const std::string text = print_shared(Expr(twice, symbols));
  EXPECT_TRUE(text.starts_with("t1 = sin(sin("));
  EXPECT_TRUE(text.ends_with("); t1 + t1"));
}

}  // namespace
}  // namespace vieta
