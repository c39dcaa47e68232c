// Users' operators in the engine: a callable and its text give the same bits, both agree with the
// judge, and what is inside an operator does not make a row bad.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/rng.h"
#include "eval/evaluate.h"
#include "eval/reference.h"
#include "expr/callable_operators.h"
#include "expr/operators.h"
#include "expr/parse.h"
#include "kernels/kernel_table.h"

namespace vieta {
namespace {

struct Recursive {
  template <class X>
  X operator()(X x, X n) const {
    return n <= 0 ? X(1) : x * (*this)(x, n - 1);
  }
};

// Every operator twice: `text` defines it, `add` adds the same as C++, under the given name.
struct Pair {
  std::string text;  // of an operator called f
  std::string call;  // a formula over a, b that calls it
  Result<void> (*add)(Operators&, const char*);
};

const std::vector<Pair>& pairs() {
  static const std::vector<Pair> all = {
      {"f(x, y) = x > y ? x*y : exp(x - y)", "f(a, b)",
       [](Operators& ops, const char* name) {
         return ops.add(name, [](auto x, auto y) { return x > y ? x * y : exp(x - y); });
       }},
      {"f(x) = x > 0 ? log(x) : 0", "b*f(a)",
       [](Operators& ops, const char* name) {
         return ops.add(name, [](auto x) { return x > 0 ? log(x) : decltype(x)(0); });
       }},
      {"f(x, y) = s = x + y; d = x - y; s*d/(s^2 + 1)", "f(sin(a), 0.5) + f(a, b)",
       [](Operators& ops, const char* name) {
         return ops.add(name, [](auto x, auto y) {
           const auto s = x + y;
           const auto d = x - y;
           return s * d / (std::pow(s, 2) + 1);
         });
       }},
      {"f(x, y, z, w) = x < y ? (z < w ? z : w) : tanh(x)*sqrt(1 + z^2)", "f(a, b, a*b, 0.25)",
       [](Operators& ops, const char* name) {
         return ops.add(name, [](auto x, auto y, auto z, auto w) {
           if (x < y) return z < w ? z : w;
           return std::tanh(x) * std::sqrt(1 + std::pow(z, 2));
         });
       }},
      {"f(x, n) = n <= 0 ? 1 : x*f(x, n - 1)", "f(a, 3) + f(b, a)",
       [](Operators& ops, const char* name) { return ops.add<2>(name, Recursive{}); }},
      {"f(x, n) = iterate(s, x, n, (s + x/s)/2)", "f(1 + a*a, 4)*b",
       [](Operators& ops, const char* name) {
         return ops.add(name, [](auto x, auto n) {
           auto s = x;
           for (auto left = n; left >= 1; left = left - 1) s = (s + x / s) / 2;
           return s;
         });
       }},
      {"f(x, n) = sum(k, 1, n, x/(k*k + x*x))", "f(a, 5) - f(b, 2)",
       [](Operators& ops, const char* name) {
         return ops.add(name, [](auto x, auto n) {
           decltype(x) sum = 0;
           for (decltype(n) k = 1; k <= n; k += 1) sum += x / (k * k + x * x);
           return sum;
         });
       }},
      {"f(p, q, r, s, t, u, v, w) = p*q + r*s - t*u/(1 + v*v) + (w > 0 ? w*p : q)",
       "f(a, b, a, 2, b, a, b, a - b)",
       [](Operators& ops, const char* name) {
         return ops.add(name, [](auto p, auto q, auto r, auto s, auto t, auto u, auto v, auto w) {
           return p * q + r * s - t * u / (1 + v * v) + (w > 0 ? w * p : q);
         });
       }},
  };
  return all;
}

constexpr std::size_t kRows = 203;  // no multiple of any vector or tile

template <class T>
struct Columns {
  std::vector<std::vector<T>> values{std::vector<T>(kRows), std::vector<T>(kRows)};
  ColumnsView<T> view;

  Columns() {
    Rng rng(7, 0, 0);
    for (auto& column : values) {
      for (T& x : column) x = static_cast<T>(rng.uniform() * 5 - 2.5);
      view.pointers.push_back(column.data());
    }
    view.rows = view.readable = kRows;
  }
};

Expr formula(const std::string& text, const Operators& ops) {
  return parse(text, {.variables = {"a", "b"}, .operators = &ops}).value();
}

// The call in a formula with numbers of its own, so that some derivatives pass through it.
std::string around(const Pair& pair) { return "1.5*(" + pair.call + ") - 0.25*a"; }

template <class T>
std::vector<std::vector<T>> all_results(const Expr& expr, kernels::Target target) {
  const Columns<T> columns;
  std::vector<Leaf> leaves{{Leaf::Kind::variable, 0}, {Leaf::Kind::variable, 1}};
  leaves.push_back({Leaf::Kind::constant, 0});
  std::vector<std::vector<T>> results;
  for (int order = 0; order <= 2; ++order) {
    auto found = evaluate<T>(expr, columns.view, {}, leaves, order, {.target = target});
    results.push_back(found.values);
    results.push_back(found.gradient);
    results.push_back(found.hessian);
  }
  return results;
}

template <class T>
void expect_same_bits() {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  for (const Pair& pair : pairs()) {
    Operators text;
    Operators cpp;
    ASSERT_TRUE(text.define(pair.text)) << pair.text;
    ASSERT_TRUE(pair.add(cpp, "f")) << pair.text;
    for (const kernels::Target target : kernels::kTargets) {
      if (!kernels::has_target(target)) continue;
      const auto one = all_results<T>(formula(around(pair), text), target);
      const auto other = all_results<T>(formula(around(pair), cpp), target);
      for (std::size_t i = 0; i < one.size(); ++i) {
        ASSERT_EQ(one[i].size(), other[i].size());
        for (std::size_t r = 0; r < one[i].size(); ++r) {
          ASSERT_EQ(std::bit_cast<Bits>(one[i][r]), std::bit_cast<Bits>(other[i][r]))
              << pair.text << ", " << kernels::to_text(target) << ", result " << i << ", entry "
              << r << ": " << one[i][r] << " as text, " << other[i][r] << " in C++";
        }
      }
    }
  }
}

TEST(UserOperators, InCppAndAsTextGiveTheSameBits) {
  expect_same_bits<double>();
  expect_same_bits<float>();
}

// Within 64 roundings of the largest intermediate result, which is below 100 for these formulas and
// points; functions (recursion, loops) are judged in double, hence no better.
constexpr double kTolerance = 64 * 100 * std::numeric_limits<double>::epsilon();

TEST(UserOperators, AgreeWithTheReference) {
  const Columns<double> columns;
  const std::vector<Leaf> leaves{
      {Leaf::Kind::variable, 0}, {Leaf::Kind::variable, 1}, {Leaf::Kind::constant, 0}};
  for (const Pair& pair : pairs()) {
    Operators ops;
    ASSERT_TRUE(ops.define(pair.text));
    ASSERT_TRUE(pair.add(ops, "g"));
    std::string in_cpp = around(pair);
    for (std::size_t at = 0; (at = in_cpp.find("f(", at)) != std::string::npos;) in_cpp[at] = 'g';
    for (const std::string& call : {around(pair), in_cpp}) {
      const Expr expr = formula(call, ops);
      const auto found = evaluate<double>(expr, columns.view, {}, leaves, 2, {});
      for (std::size_t r = 0; r < kRows; ++r) {
        const double x[] = {columns.values[0][r], columns.values[1][r]};
        const auto wanted = reference::evaluate(expr, x, {}, leaves, 2);
        EXPECT_NEAR(found.values[r], static_cast<double>(wanted.value), kTolerance) << call;
        for (std::size_t j = 0; j < 3; ++j) {
          EXPECT_NEAR(found.gradient[j * kRows + r], static_cast<double>(wanted.gradient[j]),
                      kTolerance)
              << call;
        }
        for (std::size_t j = 0; j < 6; ++j) {
          EXPECT_NEAR(found.hessian[j * kRows + r], static_cast<double>(wanted.hessian[j]),
                      kTolerance * 10)
              << call;
        }
      }
    }
  }
}

TEST(UserOperators, HaveTheDerivativesOfTheirClosedForms) {
  const Columns<double> columns;
  Operators ops;
  ASSERT_TRUE(ops.define("raised(x, n) = n <= 0 ? 1 : x*raised(x, n - 1)"));
  ASSERT_TRUE(ops.define("root(x) = iterate(s, 1 + x/2, 30, (s + x/s)/2)"));
  ASSERT_TRUE(ops.define("ramp(x) = x > 1 ? 1 + ramp(x - 1) : x^2"));
  const std::vector<Leaf> leaves{{Leaf::Kind::variable, 0}};
  const auto of = [&](const std::string& text) {
    return evaluate<double>(formula(text, ops), columns.view, {}, leaves, 2, {});
  };
  const auto cube = of("raised(a, 3)");
  const auto root = of("root(1 + a*a)");
  const auto ramp = of("ramp(a)");
  for (std::size_t r = 0; r < kRows; ++r) {
    const double a = columns.values[0][r];
    // A few roundings of numbers below 20.
    EXPECT_NEAR(cube.values[r], a * a * a, 1e-14);
    EXPECT_NEAR(cube.gradient[r], 3 * a * a, 1e-14);
    EXPECT_NEAR(cube.hessian[r], 6 * a, 1e-14);
    const double s = std::sqrt(1 + a * a);
    EXPECT_NEAR(root.values[r], s, 1e-14);
    EXPECT_NEAR(root.gradient[r], a / s, 1e-14);
    EXPECT_NEAR(root.hessian[r], 1 / (s * s * s), 1e-14);
    double rest = a;
    double whole = 0;
    for (; rest > 1; rest -= 1) ++whole;
    EXPECT_NEAR(ramp.values[r], whole + rest * rest, 1e-14);
    EXPECT_NEAR(ramp.gradient[r], 2 * rest, 1e-14);
    EXPECT_EQ(ramp.hessian[r], 2);
  }
}

TEST(UserOperators, AreOneOperatorResultEach) {
  const std::vector<double> x{2, -1, 0, 4};
  ColumnsView<double> view{.pointers = {x.data()}, .rows = 4, .readable = 4};
  Operators ops;
  ASSERT_TRUE(ops.add("safe", [](auto v) { return v > 0 ? log(v) : decltype(v)(0); }));
  ASSERT_TRUE(ops.add("bare", [](auto v) { return log(v); }));
  ASSERT_TRUE(ops.add("hides", [](auto v) { return exp(log(v)); }));
  const auto status = [&](const std::string& text) {
    const Expr e = parse(text, {.variables = {"x"}, .operators = &ops}).value();
    return evaluate<double>(e, view, {}, {}, 0, {}).status;
  };
  EXPECT_TRUE(status("safe(x)").ok);
  EXPECT_EQ(status("bare(x)").first_bad_row, 1U);
  EXPECT_EQ(status("1/bare(x)").first_bad_row, 1U);
  // log(0) is inside, and its result 0; log(-1) comes out.
  EXPECT_EQ(status("hides(abs(x))").ok, true);
  EXPECT_EQ(status("hides(x)").first_bad_row, 1U);
  // The same value outside of an operator counts, in whichever order they come.
  EXPECT_EQ(status("hides(abs(x)) + exp(log(abs(x)))").first_bad_row, 2U);
  EXPECT_EQ(status("exp(log(abs(x))) + hides(abs(x))").first_bad_row, 2U);
  // Arguments count.
  EXPECT_EQ(status("safe(log(x))").first_bad_row, 1U);
  EXPECT_EQ(status("safe(1/x)").first_bad_row, 2U);
}

// What is inside an operator makes no row bad, be it a formula's or a function's inside.
TEST(UserOperators, MarkTheRowsWhereTheirResultIsNotFinite) {
  const std::vector<double> x{2, -1, 0, 4, -3};
  ColumnsView<double> view{.pointers = {x.data()}, .rows = 5, .readable = 5};
  Operators ops;
  ASSERT_TRUE(ops.add("hides", [](auto v) { return exp(log(v)); }));
  ASSERT_TRUE(ops.add("called", as_function([](auto v) { return exp(log(v)); })));
  ASSERT_TRUE(ops.define("folded(v, n) = n <= 0 ? exp(log(v)) : folded(v, n - 1)"));
  using Mask = std::vector<std::uint8_t>;
  const auto expect_mask = [&](const std::string& text, const Mask& wanted) {
    const Expr e = parse(text, {.variables = {"x"}, .operators = &ops}).value();
    const std::vector<Leaf> leaves{{Leaf::Kind::variable, 0}};
    for (const kernels::Target target : kernels::kTargets) {
      if (!kernels::has_target(target)) continue;
      for (int order = 0; order <= 2; ++order) {
        const EvalOptions options{.target = target, .row_mask = true};
        EXPECT_EQ(evaluate<double>(e, view, {}, leaves, order, options).ok_rows, wanted)
            << text << " order " << order;
      }
    }
    for (std::size_t r = 0; r < x.size(); ++r)
      EXPECT_EQ(reference::evaluate(e, {&x[r], 1}, {}, {}, 0).ok, wanted[r] != 0) << text;
  };
  for (const std::string call : {"hides(x)", "called(x)", "folded(x, 2)"}) {
    expect_mask(call, {1, 0, 1, 1, 0});
    expect_mask("1/" + call, {1, 0, 0, 1, 0});
    expect_mask(call + " + exp(log(x))", {1, 0, 0, 1, 0});
    expect_mask("(x > 0 ? " + call + " : 1)", {1, 0, 1, 1, 0});
    expect_mask("0*x + sqrt(-1)", {0, 0, 0, 0, 0});
  }
}

TEST(UserOperators, LeaveNoTraceOfTheSideThatIsNotTaken) {
  const std::vector<double> x{-1, 0, 4};
  ColumnsView<double> view{.pointers = {x.data()}, .rows = 3, .readable = 3};
  Operators ops;
  ASSERT_TRUE(ops.add("safe", [](auto v) { return v > 0 ? sqrt(v) : decltype(v)(0); }));
  const Expr e = parse("safe(x)", {.variables = {"x"}, .operators = &ops}).value();
  const std::vector<Leaf> leaves{{Leaf::Kind::variable, 0}};
  const auto found = evaluate<double>(e, view, {}, leaves, 2, {});
  EXPECT_EQ(found.gradient, (std::vector<double>{0, 0, 0.25}));
  EXPECT_EQ(found.hessian, (std::vector<double>{0, 0, -0.25 / 8}));
}

TEST(UserOperators, MayThrow) {
  const std::vector<double> x{1, 2};
  ColumnsView<double> view{.pointers = {x.data()}, .rows = 2, .readable = 2};
  Operators ops;
  ASSERT_TRUE(ops.add("picky", as_function([](auto v) {
                        if (v > 1) throw std::runtime_error("above 1");
                        return v;
                      })));
  const Expr e = parse("picky(x)", {.variables = {"x"}, .operators = &ops}).value();
  EXPECT_THROW(evaluate<double>(e, view, {}, {}, 0, {}), std::runtime_error);
}

}  // namespace
}  // namespace vieta
