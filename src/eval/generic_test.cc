#include "eval/generic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/rng.h"
#include "eval/generic_arithmetic.h"
#include "eval/reference.h"
#include "expr/parse.h"

namespace vieta {
namespace {

using Complex = std::complex<double>;
using Strings = std::vector<std::string>;

template <class V>
Expr formula(std::string_view text, const GenericOperators<V>& ops,
             std::vector<std::string> variables, std::vector<std::string> parameters = {}) {
  return parse(text, {.variables = std::move(variables),
                      .parameters = std::move(parameters),
                      .operators = &ops.names()})
      .value();
}

std::string join(std::string a, const std::string& b) { return a += b; }

GenericOperators<std::string> text_operators() {
  GenericOperators<std::string> ops;
  ops.add("concat", join).value();
  ops.set("*",
          [](const std::string& a, const std::string& b) {
            std::string all;
            for (int i = 0; i < std::stoi(b); ++i) all += a;
            return all;
          })
      .value();
  ops.add("length", [](const std::string& a) { return std::to_string(a.size()); }).value();
  return ops;
}

const GenericOptions<std::string> kNumbersAsText{
    .constant = [](double v) { return std::to_string(static_cast<int>(v)); }};

TEST(Generic, RunsOnStrings) {
  const auto ops = text_operators();
  const Expr expr = formula("concat(concat(a, b)*3, length(b))", ops, {"a", "b"});
  const Strings ab{"x", "yz"};
  EXPECT_EQ(evaluate_generic(expr, ab, {}, ops, kNumbersAsText), "xyzxyzxyz2");
}

TEST(Generic, AsksWhatANumberMeans) {
  const auto ops = text_operators();
  const Expr expr = formula("a*3", ops, {"a"});
  const Strings a{"x"};
  const auto value = evaluate_generic(expr, a, {}, ops);
  ASSERT_FALSE(value.has_value());
  EXPECT_NE(value.error().message.find("number 3"), std::string::npos) << value.error().message;
  EXPECT_NE(value.error().message.find("GenericOptions::constant"), std::string::npos);
}

struct Interval {
  double low = 0, high = 0;
  Interval() = default;
  Interval(double x) : low(x), high(x) {}
  Interval(double l, double h) : low(l), high(h) {}
  friend bool operator==(const Interval&, const Interval&) = default;
  friend Interval operator+(const Interval& a, const Interval& b) {
    return {a.low + b.low, a.high + b.high};
  }
  friend Interval operator-(const Interval& a, const Interval& b) {
    return {a.low - b.high, a.high - b.low};
  }
  friend Interval operator*(const Interval& a, const Interval& b) {
    const auto [least, most] =
        std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
    return {least, most};
  }
  friend Interval exp(const Interval& a) { return {std::exp(a.low), std::exp(a.high)}; }
};

TEST(Generic, RunsOnIntervalsWithTheirOwnFunctions) {
  const auto ops = GenericOperators<Interval>::arithmetic();
  const Expr expr = formula("x*(2 - y) + k + square(x)", ops, {"x", "y"}, {"k"});
  const std::vector<Interval> xy{{-1, 2}, {0, 3}};
  const std::vector<Interval> k{{0.5, 1}};
  EXPECT_EQ(evaluate_generic(expr, xy, k, ops).value(), (Interval{-2 + 0.5 - 2, 4 + 1 + 4}));
  const auto e = evaluate_generic(formula("exp(x)", ops, {"x", "y"}), xy, {}, ops).value();
  EXPECT_EQ(e, (Interval{std::exp(-1.0), std::exp(2.0)}));
  // Neither division, order nor sine: such rows of the table are not set.
  EXPECT_EQ(ops.find(Op::div), nullptr);
  EXPECT_EQ(ops.find(Op::lt), nullptr);
  EXPECT_EQ(ops.find(Op::max), nullptr);
  EXPECT_EQ(ops.find(Op::sin), nullptr);
}

TEST(Generic, RunsOnComplexNumbers) {
  auto ops = GenericOperators<Complex>::arithmetic();
  ops.add("conj", [](const Complex& z) { return std::conj(z); }).value();
  const Complex i(0, 1);
  const auto at = [&](std::string_view text, Complex z) {
    const std::vector<Complex> values{z, i};
    return evaluate_generic(formula(text, ops, {"z", "i"}), values, {}, ops).value();
  };
  EXPECT_LT(std::abs(at("exp(i*pi) + 1", 0)), 2e-16);
  EXPECT_LT(std::abs(at("sqrt(z)", -4) - 2.0 * i), 1e-15);
  EXPECT_EQ(at("z*conj(z)", {3, 4}), Complex(25));
  EXPECT_EQ(at("abs(z)", {3, 4}), Complex(5));
  const Complex z(0.3, -1.2);
  EXPECT_LT(std::abs(at("cos(z) + i*sin(z) - exp(i*z)", z)), 1e-15);
  EXPECT_LT(std::abs(at("inv(z) - 1/z", z)), 1e-16);
  EXPECT_LT(std::abs(at("z^2 - square(z)", z)), 1e-15);
  EXPECT_EQ(at("z == i ? 1 : -1", i), Complex(1));
  EXPECT_EQ(at("!z || z != i", i), Complex(0));
  EXPECT_EQ(ops.find(Op::lt), nullptr);
  EXPECT_EQ(ops.find(Op::min), nullptr);
}

// Every row of the table, judged by the reference.
TEST(Generic, AgreesWithTheReferenceInLongDouble) {
  const auto ops = GenericOperators<long double>::arithmetic();
  Rng rng(11, 0, 0);
  for (std::size_t i = 0; i < kOpCount; ++i) {
    const Op op = op_at(i);
    ASSERT_NE(ops.find(op), nullptr) << info(op).id;
    std::vector<Node> nodes;
    for (std::size_t k = 0; k < std::size_t(info(op).arity); ++k) {
      nodes.push_back(Node::variable(k));
    }
    append_call(nodes, op);
    const Expr expr(nodes, std::make_shared<const Symbols>(Symbols{{"a", "b", "c"}, {}}));
    for (int point = 0; point < 50; ++point) {
      std::vector<double> x(3);
      std::ranges::generate(x, [&] { return 2 * rng.normal(); });
      if (op == Op::polygamma) x[0] = point % 4;
      const long double right = reference::evaluate(expr, x, {}, {}, 0).value;
      const std::vector<long double> wide(x.begin(), x.end());
      const long double value = evaluate_generic(expr, wide, {}, ops).value();
      if (std::isnan(right)) {
        EXPECT_TRUE(std::isnan(value)) << info(op).id;
      } else {
        EXPECT_TRUE(value == right || std::fabs(value - right) <= 1e-18L * std::fabs(right))
            << info(op).id << " " << x[0] << " " << x[1] << " " << x[2];
      }
    }
  }
}

TEST(Generic, IsExactOnIntegersBeyondDoubles) {
  const auto ops = GenericOperators<std::int64_t>::arithmetic();
  const std::vector<std::int64_t> big{(std::int64_t{1} << 53) + 1, 3};
  const auto at = [&](std::string_view text) {
    return evaluate_generic(formula(text, ops, {"a", "b"}), big, {}, ops);
  };
  EXPECT_EQ(at("a*b + 1"), big[0] * 3 + 1);
  EXPECT_EQ(at("(a - 1)/b"), (big[0] - 1) / 3);
  EXPECT_EQ(at("a > b ? -a : b"), -big[0]);
  EXPECT_EQ(at("max(a, b) - min(a, b) + abs(-b) + sign(-a)"), big[0] - 1);
}

TEST(Generic, RefusesWhatIntegersCannotHold) {
  const auto ops = GenericOperators<std::int64_t>::arithmetic();
  const std::vector<std::int64_t> ends{std::numeric_limits<std::int64_t>::max(),
                                       std::numeric_limits<std::int64_t>::min(), 0};
  const auto refused = [&](std::string_view text) {
    return evaluate_generic(formula(text, ops, {"a", "b", "z"}), ends, {}, ops).error();
  };
  for (const auto* text :
       {"a + 1", "b - 1", "a*b", "-b", "abs(b)", "b/(z - 1)", "a/z", "square(a)"}) {
    EXPECT_EQ(refused(text).code, ErrorCode::numeric) << text;
  }
  EXPECT_NE(refused("a/z").message.find("'/'"), std::string::npos) << refused("a/z").message;
  EXPECT_EQ(refused("z + 2.5").code, ErrorCode::usage);
  EXPECT_EQ(refused("z + 1e300").code, ErrorCode::usage);
  EXPECT_EQ(refused("sqrt(a)").code, ErrorCode::usage);  // no fraction is an integer
}

// As in libraries that put off work, a quotient only refers to its operands.
struct Lazy {
  double value = 0;
  Lazy() = default;
  Lazy(double v) : value(v) {}
  struct Quotient {
    const Lazy& a;
    const Lazy& b;
    operator Lazy() const { return {a.value / b.value}; }
  };
  friend Quotient operator/(const Lazy& a, const Lazy& b) { return {a, b}; }
};

TEST(Generic, OutlivesWhatHalfDoneResultsReferTo) {
  const auto ops = GenericOperators<Lazy>::arithmetic();
  const std::vector<Lazy> x{8};
  EXPECT_EQ(evaluate_generic(formula("inv(x/2)/x", ops, {"x"}), x, {}, ops)->value, 0.03125);
}

using Vector3 = std::array<double, 3>;

TEST(Generic, RunsOnSmallVectors) {
  GenericOperators<Vector3> ops;
  ops.set("+",
          [](Vector3 a, const Vector3& b) {
            for (std::size_t k = 0; k < 3; ++k) a[k] += b[k];
            return a;
          })
      .value();
  ops.add("cross",
          [](const Vector3& a, const Vector3& b) {
            return Vector3{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                           a[0] * b[1] - a[1] * b[0]};
          })
      .value();
  const GenericOptions<Vector3> all{.constant = [](double v) { return Vector3{v, v, v}; }};
  const Expr expr = formula("cross(u, v) + w + 2", ops, {"u", "v"}, {"w"});
  const std::vector<Vector3> uv{{1, 0, 0}, {0, 1, 0}};
  const std::vector<Vector3> w{{5, 6, 7}};
  EXPECT_EQ(evaluate_generic(expr, uv, w, ops, all).value(), (Vector3{7, 8, 10}));
}

// A callable may keep what it is handed: the next use of the same leaf is another copy.
TEST(Generic, EqualPartsDoNotShareTheirValues) {
  GenericOperators<std::string> ops;
  ops.add("grow", [](std::string&& a) { return std::move(a += "!"); }).value();
  ops.add("left", [](const std::string& a, const std::string&) -> const std::string& { return a; })
      .value();
  ops.set("+", join).value();
  const Expr expr = formula("left(grow(a) + grow(a), a) + a", ops, {"a"});
  const Strings a{"abcdefghijklmnopqrstuvwxyz"};
  EXPECT_EQ(evaluate_generic(expr, a, {}, ops), a[0] + "!" + a[0] + "!" + a[0]);
  EXPECT_EQ(evaluate_generic(expr, a, {}, ops), a[0] + "!" + a[0] + "!" + a[0]);
}

TEST(Generic, NamesTheOperatorThatIsNotSet) {
  auto ops = text_operators();
  const Strings a{"x"};
  const auto error = evaluate_generic(formula("a - a", ops, {"a"}), a, {}, ops).error();
  EXPECT_EQ(error.code, ErrorCode::usage);
  EXPECT_NE(error.message.find("'-'"), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("set<2>(\"-\", f)"), std::string::npos) << error.message;
  // Run step by step, on numbers alone.
  ops.define("down(n) = n <= 1 ? 1 : down(n - 1)").value();
  const Expr down = formula("down(a)", ops, {"a"});
  EXPECT_NE(evaluate_generic(down, a, {}, ops).error().message.find("'down'"), std::string::npos);
  ops.set("down", [](const std::string& s) { return s + "v"; }).value();
  EXPECT_EQ(evaluate_generic(down, a, {}, ops), "xv");
}

TEST(Generic, RefusesOperatorsThatAreNot) {
  GenericOperators<std::string> ops;
  EXPECT_FALSE(ops.set("nothing", join));
  EXPECT_FALSE(ops.set<3>("+", [](auto&&...) { return std::string(); }));
  EXPECT_FALSE(ops.add("sin", join));  // a built-in name
  EXPECT_TRUE(ops.add("twice", [](const std::string& a) { return a + a; }));
  EXPECT_FALSE(ops.add("twice", join));
}

TEST(Generic, RefusesAWrongNumberOfValues) {
  const auto ops = text_operators();
  const Expr expr = formula("concat(a, k)", ops, {"a"}, {"k"});
  const Strings none, one{"x"}, two{"x", "y"};
  EXPECT_EQ(evaluate_generic(expr, one, one, ops), "xx");
  for (const auto& result :
       {evaluate_generic(expr, two, one, ops), evaluate_generic(expr, none, one, ops),
        evaluate_generic(expr, one, none, ops), evaluate_generic(expr, one, two, ops)}) {
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::usage);
  }
}

TEST(Generic, WritesDefinitionsOut) {
  auto ops = text_operators();
  ops.define("wrap(a, b) = t = concat(b, a); concat(t, b)").value();
  ops.define("wrap2(a, b) = wrap(wrap(a, b), b)").value();
  const Strings ab{"x", "|"};
  EXPECT_EQ(evaluate_generic(formula("wrap2(a, b)", ops, {"a", "b"}), ab, {}, ops), "||x||");
}

// Neither the machine's stack nor time: a string that grows is moved along, not copied.
TEST(Generic, GoesAnyDepthWithoutRecursion) {
  GenericOperators<std::string> ops;
  ops.add("concat", join).value();
  const Op concat = *ops.names().find("concat")->op;
  constexpr std::size_t kDepth = 100'000;
  std::vector<Node> nodes{Node::variable(0)};
  for (std::size_t i = 0; i < kDepth; ++i) {
    nodes.push_back(Node::variable(1));
    nodes.push_back(Node::call(concat, nodes.size() + 1));
  }
  const Expr left(nodes, std::make_shared<const Symbols>(Symbols{{"a", "b"}, {}}));
  const Strings ab{"(", "-"};
  EXPECT_EQ(evaluate_generic(left, ab, {}, ops), "(" + std::string(kDepth, '-'));

  // All leaves in front of all operators: the stack holds them all.
  std::vector<Node> mirrored(kDepth, Node::variable(0));
  mirrored.push_back(Node::variable(1));
  for (std::size_t i = 0; i < kDepth; ++i) mirrored.push_back(Node::call(Op::sub, 2 * i + 3));
  const Expr right(mirrored, left.shared_symbols());
  const std::vector<std::int64_t> numbers{7, 5};
  const auto integers = GenericOperators<std::int64_t>::arithmetic();
  EXPECT_EQ(evaluate_generic(right, numbers, {}, integers), 5);  // 7 - (7 - (... - 5))
}

TEST(GenericRows, GiveWhatSinglePointsGive) {
  const auto ops = GenericOperators<Complex>::arithmetic();
  const Expr expr = formula("exp(k*x)/(y + 2)", ops, {"x", "y"}, {"k"});
  const std::vector<Complex> k{{0.1, 2}}, x{1, {0, 1}, {2, -3}}, y{{0, 4}, 5, -1};
  const auto rows = evaluate_generic_rows(expr, {{x.data(), y.data()}, 3, 3}, k, ops).value();
  EXPECT_TRUE(rows.ok);
  ASSERT_EQ(rows.values.size(), 3U);
  for (std::size_t r = 0; r < 3; ++r) {
    const std::vector<Complex> at{x[r], y[r]};
    EXPECT_EQ(rows.values[r], evaluate_generic(expr, at, k, ops).value());
  }
  EXPECT_TRUE(evaluate_generic_rows(expr, {{x.data(), y.data()}, 0, 0}, k, ops)->values.empty());
  EXPECT_FALSE(evaluate_generic_rows(expr, {{x.data()}, 3, 3}, k, ops));
}

TEST(GenericRows, StopAtTheFirstValueThatIsNotValid) {
  const auto ops = GenericOperators<long double>::arithmetic();
  const Expr expr = formula("exp(log(x))", ops, {"x"});
  const std::vector<long double> x{1, 2, 0, 3};  // exp(log(0)) is 0, but log(0) is not finite
  std::size_t asked = 0;
  const GenericOptions<long double> finite{.valid = [&](long double v) {
    ++asked;
    return std::isfinite(v);
  }};
  const auto rows = evaluate_generic_rows(expr, {{x.data()}, 4, 4}, {}, ops, finite).value();
  EXPECT_FALSE(rows.ok);
  EXPECT_EQ(rows.first_bad_row, 2U);
  EXPECT_EQ(rows.values.size(), 2U);
  EXPECT_EQ(asked, 3U + 3 + 2);
  EXPECT_EQ(evaluate_generic_rows(expr, {{x.data()}, 4, 4}, {}, ops)->values.size(), 4U);
  const std::vector<long double> zero{0};
  EXPECT_EQ(evaluate_generic(expr, zero, {}, ops, finite).error().code, ErrorCode::numeric);
}

TEST(GenericRows, TellTheRowThatAnOperatorRefuses) {
  GenericOperators<std::string> ops;
  ops.add("half",
          [](const std::string& a) -> Result<std::string> {
            if (a.size() % 2 == 1) return fail(ErrorCode::data, "an odd length");
            return a.substr(a.size() / 2);
          })
      .value();
  const Strings a{"abcd", "ab", "abc"};
  const Expr expr = formula("half(a)", ops, {"a"});
  const auto error = evaluate_generic_rows(expr, {{a.data()}, 3, 3}, {}, ops).error();
  EXPECT_EQ(error.place.row, 3U);
  EXPECT_EQ(error.message, "'half': an odd length");
  EXPECT_EQ(evaluate_generic_rows(expr, {{a.data()}, 2, 2}, {}, ops)->values, (Strings{"cd", "b"}));
}

TEST(Generic, LetsExceptionsPass) {
  const auto ops = text_operators();
  const Strings ab{"x", "no number"};
  EXPECT_THROW(evaluate_generic(formula("a*b", ops, {"a", "b"}), ab, {}, ops),
               std::invalid_argument);
}

// The engine of numbers knows the name, but has no numbers for it.
TEST(Generic, OperatorsOfOtherValuesAreNaNOnNumbers) {
  const auto ops = text_operators();
  const Expr expr = formula("concat(a, b)", ops, {"a", "b"});
  const std::vector<double> ab{1, 2};
  const std::vector<Leaf> leaves{{Leaf::Kind::variable, 0}, {Leaf::Kind::variable, 1}};
  const auto at = reference::evaluate(expr, ab, {}, leaves, 1);
  EXPECT_TRUE(std::isnan(at.value));
  EXPECT_TRUE(std::isnan(at.gradient[0]) && std::isnan(at.gradient[1]));
}

// std::vector<bool> holds no objects; values of type bool are values all the same.
TEST(Generic, RunsOnTruthValues) {
  GenericOperators<bool> ops;
  ops.set("&&", [](bool a, bool b) { return a && b; }).value();
  ops.set("!", [](bool a) { return !a; }).value();
  const Expr expr = formula("!(a && b) && a", ops, {"a", "b"});
  const std::array<bool, 2> ab{true, false};
  EXPECT_EQ(evaluate_generic(expr, ab, {}, ops), true);
}

}  // namespace
}  // namespace vieta
