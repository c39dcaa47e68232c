#include "expr/diff.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "expr/fold.h"
#include "expr/inline_stack.h"
#include "expr/print.h"
#include "expr/test_formulas.h"

namespace vieta {
namespace {

using testing::formula;

std::string derivative(std::string_view text, std::initializer_list<std::string_view> names) {
  const Expr e = formula(text);
  std::vector<Leaf> leaves;
  for (const std::string_view name : names) leaves.push_back(find_leaf(e, name).value());
  const Result<Expr> d = diff(e, leaves);
  return d ? print(*d) : "error: " + d.error().message;
}

TEST(Diff, LooksLikeATextbook) {
  const std::pair<std::string, std::string> cases[] = {
      {"x^2", "2*x"},
      {"x^3", "3*x^2"},
      {"x", "1"},
      {"y", "0"},
      {"7", "0"},
      {"exp(a*x)", "a*exp(a*x)"},
      {"exp(-a*x)", "-a*exp(-a*x)"},
      {"a*exp(-b*x)", "-b*exp(-b*x)*a"},
      {"sin(x)*x", "cos(x)*x + sin(x)"},
      {"log(x)", "1/x"},
      {"log(2*x)", "1/x"},
      {"y + cos(x)", "-sin(x)"},
      {"sqrt(x)", "0.5/sqrt(x)"},
      {"sqrt(1 + x^2)", "x/sqrt(x^2 + 1)"},
      {"1/x", "-1/x/x"},
      {"x/y", "1/y"},
      {"2*x + 3", "2"},
      {"x*x", "2*x"},
      {"x - y", "1"},
      {"y - x", "-1"},
      {"sin(2*x)", "2*cos(2*x)"},
      {"2^x", "0.6931471805599453*2^x"},
      {"abs(x)", "sign(x)"},
      {"max(x, 1)", "x >= 1"},
      {"max(x^2, y)", "if(x^2 >= y, 2*x, 0)"},
      {"max(2*x, x)", "if(2*x >= x, 2, 1)"},
      {"if(y > 0, sqrt(x), x)", "if(y > 0, 0.5/sqrt(x), 1)"},
      {"relu(x)", "x > 0"},
      {"floor(x) + x", "1"},
      {"x < y", "0"},
      {"tanh(y) + x", "1"},
      {"square(x)", "2*x"},
      {"fma(x, y, x)", "y + 1"},
      {"expm1(x)", "exp(x)"},
      {"log2(x)", "1.4426950408889634/x"},
  };
  for (const auto& [text, wanted] : cases) EXPECT_EQ(derivative(text, {"x"}), wanted) << text;
}

TEST(Diff, TakesParametersConstantsAndHigherOrders) {
  EXPECT_EQ(derivative("k*x^2", {"k"}), "x^2");
  EXPECT_EQ(derivative("3*x + 2", {"c1"}), "x");
  EXPECT_EQ(derivative("3*x + 2", {"c2"}), "1");
  EXPECT_EQ(derivative("x^2", {"c1"}), "if(x^2 == 0, 0, x^2*log(x))");
  EXPECT_EQ(derivative("x^3", {"x", "x"}), "6*x");
  EXPECT_EQ(derivative("x^3", {"x", "x", "x", "x"}), "0");
  EXPECT_EQ(derivative("exp(2*x)", {"c1", "c1"}), "x*exp(2*x)*x");
  EXPECT_EQ(derivative("2*x^2", {"c1", "c1"}), "0");
  EXPECT_EQ(derivative("x*y", {"x", "y"}), "1");
  EXPECT_EQ(derivative("x*y", {}), "x*y");
}

TEST(Diff, RefusesWhatHasNoDerivative) {
  const Result<Expr> d = diff(formula("polygamma(x, y)"), Leaf{});
  ASSERT_FALSE(d.has_value());
  EXPECT_EQ(d.error().code, ErrorCode::numeric);
  EXPECT_EQ(derivative("polygamma(1, x)", {"x"}), "polygamma(2, x)");
  EXPECT_EQ(derivative("floor(polygamma(x, y)) + x", {"x"}), "1");
}

TEST(FindLeaf, KnowsEveryNameAndSaysWhatThereIs) {
  const Expr e = formula("k*x + 2*c1");
  EXPECT_EQ(find_leaf(e, "y").value(), (Leaf{Leaf::Kind::variable, 1}));
  EXPECT_EQ(find_leaf(e, "k").value(), (Leaf{Leaf::Kind::parameter, 0}));
  EXPECT_EQ(find_leaf(e, "c1").value(), (Leaf{Leaf::Kind::parameter, 1}));
  EXPECT_EQ(find_leaf(formula("x + 2*3"), "c2").value(), (Leaf{Leaf::Kind::constant, 1}));
  const Result<Leaf> unknown = find_leaf(formula("x + 2"), "c2");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_NE(unknown.error().message.find("'c2'"), std::string::npos);
  EXPECT_NE(unknown.error().message.find("'c1'"), std::string::npos) << unknown.error().message;
}

TEST(Diff, TakesChainsOfAnyLengthOrRefusesThem) {
  constexpr std::size_t n = 100'000;
  const auto symbols = std::make_shared<const Symbols>(Symbols{{"x"}, {}});
  const auto chain = [&](Op op, bool deep_right) {
    std::vector<Node> nodes(deep_right ? n : 0, Node::variable(0));
    nodes.push_back(Node::variable(0));
    for (std::size_t i = 0; i < n; ++i) {
      if (!deep_right && info(op).arity == 2) nodes.push_back(Node::variable(0));
      append_call(nodes, op);
    }
    return Expr(nodes, symbols);
  };
  for (const bool deep_right : {false, true}) {
    EXPECT_TRUE(diff(chain(Op::add, deep_right), Leaf{}).has_value());
    EXPECT_TRUE(diff(chain(Op::sub, deep_right), Leaf{}).has_value());
    for (const Op op : {Op::mul, Op::div, Op::pow, Op::max}) {
      const Result<Expr> d = diff(chain(op, deep_right), Leaf{});
      ASSERT_FALSE(d.has_value()) << info(op).name;
      EXPECT_NE(d.error().message.find("nodes"), std::string::npos);
    }
  }
  EXPECT_EQ(print(diff(chain(Op::neg, false), Leaf{}).value()), "1");
  EXPECT_FALSE(diff(chain(Op::sin, false), Leaf{}).has_value());
}

double evaluate(const Expr& e, std::span<const double> x) {
  InlineStack<double> values;
  for (const Node& node : e.nodes()) {
    if (node.kind != NodeKind::call) {
      values.push(node.is_constant() ? node.value : x[node.index]);
      continue;
    }
    std::array<double, kMaxArity> args{};
    for (int k = node.arity() - 1; k >= 0; --k) args[static_cast<std::size_t>(k)] = values.pop();
    values.push(fold(node.op, std::span(args).first(static_cast<std::size_t>(node.arity()))));
  }
  return values.pop();
}

TEST(Diff, KeepsABranchNotTakenOut) {
  // The derivative of sqrt is infinite at 0, but not taken there.
  const std::array<double, 3> zero{};
  for (const char* text :
       {"if(x > 0, sqrt(x), x)", "max(x, sqrt(x) - 1)", "clamp(x, sqrt(x) - 1, 3)"}) {
    EXPECT_EQ(evaluate(diff(formula(text), Leaf{}).value(), zero), 1.0) << text;
  }
}

// Central differences with steps h and h/2, and the step between them.
struct Difference {
  double value = 0;
  double doubt = 0;
};

Difference difference(const Expr& e, std::array<double, 3> x) {
  const auto slope = [&](double h) {
    std::array<double, 3> up = x;
    std::array<double, 3> down = x;
    up[0] += h;
    down[0] -= h;
    return (evaluate(e, up) - evaluate(e, down)) / (2 * h);
  };
  const double coarse = slope(1e-4);
  const double fine = slope(5e-5);
  return {fine, std::fabs(fine - coarse)};
}

// A smoke test: exact comparisons are the oracle suite's, which differentiates programs.
TEST(Diff, AgreesWithDifferencesOnRandomFormulas) {
  testing::Material material = testing::all_ops_over({{"x", "y", "z"}, {}}, {0.5, 1, 2, 3, -1.5});
  std::erase(material.ops, Op::polygamma);  // its order has no derivative
  std::size_t judged = 0;
  const auto fails = [&](const Expr& e) {
    const Result<Expr> d = diff(e, Leaf{});
    if (!d) return true;
    Rng rng(structural_hash(e.nodes()), 2, 0);
    for (int point = 0; point < 4; ++point) {
      const std::array<double, 3> x = {rng.uniform() * 3 - 1, rng.uniform() * 3 - 1,
                                       rng.uniform() * 3 - 1};
      const double exact = evaluate(*d, x);
      const Difference rough = difference(e, x);
      // Jumps and kinks in reach of the step, and differences without digits, are no evidence.
      const bool smooth =
          rough.doubt < 1e-5 * (1 + std::fabs(rough.value)) && std::fabs(evaluate(e, x)) < 1e4;
      if (!std::isfinite(exact) || !smooth) continue;
      ++judged;
      // 1e-4: the differences' own error, doubt, times a wide margin.
      if (!(std::fabs(exact - rough.value) <= 1e-4 * (1 + std::fabs(exact)))) return true;
    }
    return false;
  };
  Rng rng(3, 0, 0);
  for (int i = 0; i < 10'000; ++i) {
    const Expr e = testing::random_formula(material, 2 + rng.below(3), rng);
    if (!fails(e)) continue;
    const Expr small = testing::shrunk(e, fails);
    FAIL() << "d/dx of " << print(small) << " is no " << print(diff(small, Leaf{}).value());
  }
  EXPECT_GT(judged, 10'000U);
}

}  // namespace
}  // namespace vieta
