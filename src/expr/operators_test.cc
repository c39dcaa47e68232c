#include "expr/operators.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "expr/callable_operators.h"
#include "expr/diff.h"
#include "expr/inline_operators.h"
#include "expr/machine.h"
#include "expr/parse.h"
#include "expr/print.h"

namespace vieta {
namespace {

// The value of an operator that `text` defines, after `before`.
double value_of(std::string_view text, std::vector<double> arguments,
                const std::vector<std::string>& before = {}) {
  Operators defined;
  for (const std::string& one : before) EXPECT_TRUE(defined.define(one)) << one;
  const auto added = defined.define(text);
  EXPECT_TRUE(added) << text << ": " << (added ? "" : added.error().message);
  return added ? value_once(*defined.all().back().op, arguments) : -1;
}

std::string refusal(std::string_view text) {
  Operators defined;
  const auto added = defined.define(text);
  return added ? "none" : added.error().message;
}

TEST(Definitions, MayCallThemselves) {
  EXPECT_EQ(value_of("fact(n) = n <= 1 ? 1 : n*fact(n - 1)", {5}), 120);
  EXPECT_EQ(value_of("fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)", {15}), 610);
  EXPECT_EQ(value_of("gcd(a, b) = b == 0 ? a : gcd(b, mod(a, b))", {84, 36}), 12);
  EXPECT_EQ(
      value_of("ack(m, n) = m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1))",
               {2, 3}),
      9);
  // Only the side that is needed runs.
  EXPECT_EQ(value_of("down(n) = n > 0 && down(n - 1) >= 0 ? n : 0", {4}), 4);
  EXPECT_EQ(value_of("up(n) = n >= 3 || up(n + 1) > 5 ? n : -1", {0}), -1);
}

TEST(Definitions, ComputeALocalNameOnceAndWhenItIsNeeded) {
  // Twice the recursion at each level would be 2^40 calls, above the limit on steps.
  EXPECT_EQ(value_of("f(n) = t = f(n - 1); n <= 0 ? 1 : t + t", {40}), std::exp2(40));
  EXPECT_EQ(value_of("g(n) = a = n - 1; b = g(a) + a; n <= 0 ? 0 : b*1", {4}), 6);
}

TEST(Definitions, MayLoop) {
  EXPECT_EQ(value_of("s(n) = sum(i, 1, n, i^2)", {10}), 385);
  EXPECT_EQ(value_of("p(n) = prod(i, 1, n, i)", {6}), 720);
  EXPECT_EQ(value_of("s(n) = sum(i, 1, n, 1)", {0}), 0);
  EXPECT_FALSE(std::signbit(value_of("s(n) = sum(i, 1, n, 1)", {0})));
  EXPECT_EQ(value_of("s(n) = sum(i, 1, n, 1)", {3.5}), 3);
  EXPECT_NEAR(value_of("root(x) = iterate(s, x, 20, (s + x/s)/2)", {2}), std::sqrt(2.0), 1e-15);
  EXPECT_EQ(value_of("pow2(n) = iterate(s, 1, n, 2*s)", {10}), 1024);
  // Names of loops hide others, inside their formula only.
  EXPECT_EQ(value_of("t(i) = sum(i, i, i + 2, sum(j, 1, i, j)) + i", {1}), 1 + 3 + 6 + 1);
  EXPECT_EQ(value_of("h(x) = sum(i, 0, 3, c(i, x))", {2}, {"c(a, b) = a*b"}), 12);
  EXPECT_EQ(value_of("k(n) = q = sum(i, 1, n, i); sum(i, 1, 2, q*i)", {3}), 18);
  EXPECT_TRUE(std::isnan(value_of("s(n) = sum(i, 1, n, i)", {std::nan("")})));
  EXPECT_TRUE(std::isnan(value_of("s(n) = iterate(v, 1, n, v)", {std::nan("")})));
}

TEST(Definitions, MayCallOtherOperatorsOfTheUser) {
  EXPECT_EQ(value_of("choose(n, k) = fact(n)/(fact(k)*fact(n - k))", {5, 2},
                     {"fact(n) = n <= 1 ? 1 : n*fact(n - 1)"}),
            10);
  EXPECT_EQ(value_of("s(n) = sum(i, 1, n, fact(i))", {4}, {"fact(n) = n <= 1 ? 1 : n*fact(n - 1)"}),
            33);
  Operators mixed;
  ASSERT_TRUE(mixed.add("twice", [](auto x) { return x > 0 ? 2 * x : 3 * x; }));
  ASSERT_TRUE(mixed.add("thrice", as_function([](auto x) { return 3 * x; })));
  ASSERT_TRUE(mixed.define("s(n) = sum(i, 1, n, twice(i) + thrice(i))"));
  EXPECT_EQ(value_once(*mixed.find("s")->op, std::vector<double>{3}), 30);
}

TEST(Definitions, GiveNanWhereTheyWouldNotEnd) {
  Operators defined;
  ASSERT_TRUE(defined.define("f(n) = n == 0 ? 1 : f(n - 1)"));
  const Op op = *defined.find("f")->op;
  EXPECT_EQ(value_once(op, std::vector<double>{3}), 1);
  EXPECT_EQ(user_op(op).function->calls_without_result(), 0U);
  EXPECT_TRUE(std::isnan(value_once(op, std::vector<double>{0.5})));
  EXPECT_EQ(user_op(op).function->calls_without_result(), 1U);
  EXPECT_TRUE(std::isnan(value_of("g(n) = sum(i, 1, n, i)", {1e9})));
  // Not even begun.
  EXPECT_TRUE(std::isnan(value_once(op, std::vector<double>{INFINITY})));
  EXPECT_TRUE(std::isnan(value_once(op, std::vector<double>{NAN})));
  EXPECT_EQ(user_op(op).function->calls_without_result(), 1U);
}

TEST(Definitions, ThatCannotRunAreRefusedWithTheReason) {
  EXPECT_EQ(
      refusal("f(n) = f(n - 1)"),
      "'f' calls itself whatever its arguments are, so it never ends; give it a way out, as in "
      "n <= 1 ? 1 : n*f(n - 1)");
  EXPECT_NE(refusal("f(n) = n > 0 ? f(n - 1) : f(n + 1)").find("never ends"), std::string::npos);
  EXPECT_NE(refusal("f(n) = t = f(n); t + 1").find("never ends"), std::string::npos);
  EXPECT_NE(refusal("f(n) = sum(i, 1, f(n), i)").find("never ends"), std::string::npos);
  EXPECT_EQ(refusal("f(n) = n > 0 ? f(n, 1) : 0"), "'f' takes 1 argument, but is given 2");
  EXPECT_EQ(refusal("f(n) = sum(i, 1, n)"), "'sum' takes 4 arguments, but is given 3");
  EXPECT_EQ(refusal("f(n) = sum(1, n, n^2)"),
            "the first argument of a loop is its name; write sum(i, from, to, formula)");
  EXPECT_EQ(refusal("f(n) = sum(i, 1, i, i)"), "nothing is called 'i'; there is 'n'");
  EXPECT_EQ(refusal("f(n) = sum(i, 1, n, i) + i"), "nothing is called 'i'; there is 'n'");
  EXPECT_EQ(refusal("sum(n) = n"), "'sum' is a built-in operator; choose another name");
  EXPECT_NE(refusal("f(a,b,c,d,g,h,i,j,k) = a > 0 ? f(a,b,c,d,g,h,i,j,k) : 1").find("at most 8"),
            std::string::npos);
  std::string deep = "f(x) = x < 0 ? 0 : f(x - 1)";
  for (int i = 0; i < 3000; ++i) deep += " + x";
  EXPECT_NE(refusal(deep).find("operators deep"), std::string::npos);
  std::string many = "f(x) = ";
  for (int i = 0; i < 70; ++i) many += "t" + std::to_string(i) + " = x; ";
  EXPECT_NE(refusal(many + "x < 0 ? t1 : f(x - 1)").find("local names"), std::string::npos);
  const auto outside = parse("sum(i, 1, 3, i)", {.variables = {"x"}});
  ASSERT_FALSE(outside.has_value());
  EXPECT_EQ(outside.error().message,
            "'sum' is a loop; loops belong to definitions, as in f(n) = sum(i, 1, n, 1/i)");
}

TEST(Operators, StandInFormulasUnderTheirNames) {
  Operators ops;
  ASSERT_TRUE(ops.add("soft", [](auto x, auto y) { return x > y ? x * y : exp(x - y); }));
  ASSERT_TRUE(ops.define("fact(n) = n <= 1 ? 1 : n*fact(n - 1)"));
  const ParseOptions options{.variables = {"a", "b"}, .operators = &ops};
  const Expr e = parse("1 + soft(a, fact(b))", options).value();
  EXPECT_EQ(print(e), "1 + soft(a, fact(b))");
  EXPECT_TRUE(parse(print(e), options).value() == e);
  EXPECT_EQ(e.complexity(), 6U);
  EXPECT_TRUE(has_functions(e));
  EXPECT_EQ(print(inline_operators(e).value()), "1 + if(a > fact(b), a*fact(b), exp(a - fact(b)))");
  const auto wrong = parse("soft(a)", options);
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().message, "'soft' takes 2 arguments, but is given 1");
}

TEST(Operators, HaveSymbolicDerivativesWhereTheyAreFormulas) {
  Operators ops;
  ASSERT_TRUE(ops.add("soft", [](auto x, auto y) { return x > y ? x * y : exp(x - y); }));
  ASSERT_TRUE(ops.define("fact(n) = n <= 1 ? 1 : n*fact(n - 1)"));
  const ParseOptions options{.variables = {"a", "b"}, .operators = &ops};
  const Expr e = parse("3*soft(a, b)", options).value();
  EXPECT_EQ(print(diff(e, {Leaf::Kind::variable, 1}).value()), "3*if(a > b, a, -exp(a - b))");
  EXPECT_EQ(print(diff(e, {Leaf::Kind::constant, 0}).value()), "if(a > b, a*b, exp(a - b))");
  EXPECT_EQ(print(diff(parse("a*fact(b)", options).value(), {Leaf::Kind::variable, 0}).value()),
            "fact(b)");
  const auto none = diff(parse("fact(a)", options).value(), {Leaf::Kind::variable, 0});
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(
      none.error().message,
      "'fact' is no formula, so its derivative is none either; its derivatives as numbers are "
      "exact (vieta grad)");
}

TEST(Operators, AreRefusedWithTheReason) {
  Operators ops;
  const auto f = [](auto x, auto y) { return x - y; };
  ASSERT_TRUE(ops.add("f", f));
  EXPECT_EQ(ops.add("f", f).error().message, "'f' is defined twice; choose another name");
  EXPECT_EQ(ops.add("exp", f).error().message, "'exp' is a built-in operator; choose another name");
  EXPECT_EQ(ops.add("a b", f).error().message, "'a b' is no plain name; use letters, digits and _");
  EXPECT_EQ(ops.add("g", f, {.commutative = true}).error().message,
            "'g' is declared commutative, but changes when its first two arguments are exchanged; "
            "leave the declaration out");
  EXPECT_TRUE(ops.add("h", [](auto x, auto y) { return x * y; }, {.commutative = true}));
  EXPECT_EQ(ops.add("k", f, {.latex = "@a \\ominus @c"}).error().message,
            "the LaTeX form of 'k' has an @ without one of its 2 arguments; write @a, @b, ... for "
            "them");
  const auto product = [](auto x, auto y) { return x * y; };
  const auto right = [](auto x, auto y) { return std::array{y, x}; };
  const auto wrong = [](auto x, auto y) { return std::array{x, y}; };
  EXPECT_EQ(
      ops.add("p", product, derivative(wrong)).error().message,
      "the derivative given for 'p' is not that of its value; mend it, or leave it out: it is "
      "derived without");
  EXPECT_TRUE(ops.add("p", product, derivative(right)));
  EXPECT_TRUE(ops.add("q", as_function([](auto x) { return sin(x); }),
                      derivative([](auto x) { return cos(x); })));
  const OpFunction& q = *user_op(*ops.find("q")->op).function;
  const double x = 0.25;
  const double* const args[] = {&x};
  double slope = 0;
  q.partial(args, 0, &slope, 1);
  EXPECT_EQ(slope, std::cos(0.25));
  q.second_partial(args, 0, 0, &slope, 1);
  EXPECT_EQ(slope, -std::sin(0.25));
  EXPECT_EQ(ops.define("h(x) = x").error().message, "'h' is defined twice; choose another name");
}

}  // namespace
}  // namespace vieta
