// Stable composites: the digits and the range that they keep, in value and both derivative orders.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "eval/evaluate.h"
#include "expr/parse.h"

namespace vieta {
namespace {

struct Composite {
  const char* text;
  long double (*value)(long double);
  long double (*first)(long double);
  long double (*second)(long double);
  std::vector<double> points;  ///< where the plain form has no digits or no range left
};

long double logistic(long double u) { return 1 / (1 + std::exp(-u)); }
long double bend(long double u) { return logistic(u) * logistic(-u); }

const std::vector<double> kNearZero{1e-300, 1e-17, -1e-12, 1e-9, -3e-5, 0.1};
const std::vector<double> kAnywhere{-800, -30, -1, 1e-9, 2, 40, 800};

std::vector<Composite> composites() {
  const auto exp = [](long double u) { return std::exp(u); };
  const auto minus_exp = [](long double u) { return -std::exp(u); };
  const auto inverse = [](long double u) { return 1 / (1 + u); };
  const auto minus_inverse2 = [](long double u) { return -1 / ((1 + u) * (1 + u)); };
  const auto expm1 = [](long double u) { return std::expm1(u); };
  const auto minus_expm1 = [](long double u) { return -std::expm1(u); };
  const auto log1p = [](long double u) { return std::log1p(u); };
  const auto softplus = [](long double u) {
    return u > 0 ? u + std::log1p(std::exp(-u)) : std::log1p(std::exp(u));
  };
  return {
      {"exp(x) - 1", expm1, exp, exp, kNearZero},
      {"-1 + exp(x)", expm1, exp, exp, kNearZero},
      {"exp(x) + -1", expm1, exp, exp, kNearZero},
      {"1 - exp(x)", minus_expm1, minus_exp, minus_exp, kNearZero},
      {"log(1 + x)", log1p, inverse, minus_inverse2, kNearZero},
      {"log(x + 1)", log1p, inverse, minus_inverse2, kNearZero},
      {"log(1 - x)", [](long double u) { return std::log1p(-u); },
       [](long double u) { return -1 / (1 - u); },
       [](long double u) { return -1 / ((1 - u) * (1 - u)); }, kNearZero},
      {"log(1 + exp(x))", softplus, logistic, bend, kAnywhere},
      {"log1p(exp(x))", softplus, logistic, bend, kAnywhere},
      {"log(exp(x) - 1)",
       [](long double u) { return u + std::log(-std::expm1(-u)); },
       [](long double u) { return -1 / std::expm1(-u); },
       [](long double u) { return -std::exp(-u) / (std::expm1(-u) * std::expm1(-u)); },
       {1e-12, 1e-5, 0.5, 3, 800}},
      {"log(1 - exp(x))",
       [](long double u) {
         return u > -0.7L ? std::log(-std::expm1(u)) : std::log1p(-std::exp(u));
       },
       [](long double u) { return std::exp(u) / std::expm1(u); },
       [](long double u) { return -std::exp(u) / (std::expm1(u) * std::expm1(u)); },
       {-1e-12, -1e-5, -0.5, -3, -60}},
      {"log(exp(x) + exp(3))",
       [](long double u) { return std::max(u, 3.0L) + std::log1p(std::exp(-std::fabs(u - 3))); },
       [](long double u) { return logistic(u - 3); },
       [](long double u) { return bend(u - 3); },
       {-800, -1, 3, 4, 800, 1e5}},
  };
}

// A few operators of at most 4 ULP each; a condition number of 1.
constexpr long double kTolerance = 4e-15L;

void expect_close(double got, long double wanted, const std::string& what) {
  // Below the smallest normal number there are no digits to ask for.
  const long double floor = std::numeric_limits<double>::min();
  EXPECT_LE(std::fabs(static_cast<long double>(got) - wanted),
            kTolerance * std::fabs(wanted) + floor)
      << what << ": " << got << " for " << static_cast<double>(wanted);
}

TEST(StableComposites, KeepDigitsAndRangeOnEveryTarget) {
  for (const Composite& c : composites()) {
    const Expr expr = parse(c.text, {.variables = {"x"}}).value();
    const ColumnsView<double> view{{c.points.data()}, c.points.size(), c.points.size()};
    const std::vector<Leaf> leaves{{Leaf::Kind::variable, 0}};
    for (const kernels::Target target : kernels::kTargets) {
      if (!kernels::has_target(target)) continue;
      const auto e = evaluate<double>(expr, view, {}, leaves, 2, {.target = target});
      EXPECT_TRUE(e.status.ok) << c.text;
      for (std::size_t r = 0; r < c.points.size(); ++r) {
        const long double u = c.points[r];
        const std::string what = std::string(c.text) + " at " + std::to_string(c.points[r]);
        expect_close(e.values[r], c.value(u), what);
        expect_close(e.gradient_column(0)[r], c.first(u), what + ", first derivative");
        expect_close(e.hessian_column(0, 0)[r], c.second(u), what + ", second derivative");
      }
    }
  }
}

TEST(StableComposites, AreAsWrittenWhereTheSwitchIsOff) {
  const std::vector<double> x{1e-17, 800};
  const ColumnsView<double> view{{x.data()}, 2, 2};
  const auto plain = [&](const char* text) {
    return evaluate<double>(parse(text, {.variables = {"x"}}).value(), view, {}, {}, 0,
                            {.stable_composites = false});
  };
  EXPECT_EQ(plain("exp(x) - 1").values[0], 0);
  EXPECT_EQ(plain("log(1 + x)").values[0], 0);
  const auto softplus = plain("log(1 + exp(x))");
  EXPECT_TRUE(std::isinf(softplus.values[1]));
  EXPECT_FALSE(softplus.status.ok);
  EXPECT_EQ(softplus.status.first_bad_row, 1U);
}

TEST(StableComposites, ATunableOneIsANumberLikeAnyOther) {
  const std::vector<double> x{0.5};
  const ColumnsView<double> view{{x.data()}, 1, 1};
  const std::vector<Leaf> one{{Leaf::Kind::constant, 0}};
  const auto e =
      evaluate<double>(parse("log(1 + x)", {.variables = {"x"}}).value(), view, {}, one, 1);
  EXPECT_NEAR(e.gradient_column(0)[0], 1 / 1.5, 1e-15);
}

TEST(StableComposites, KeepWhatElseUsesTheirParts) {
  const std::vector<double> x{0.3, -2};
  const ColumnsView<double> view{{x.data()}, 2, 2};
  const auto e = evaluate<double>(
      parse("(exp(x) - 1)*exp(x) + log(1 + exp(x))/exp(x)", {.variables = {"x"}}).value(), view, {},
      {}, 0);
  for (std::size_t r = 0; r < 2; ++r) {
    const double u = std::exp(x[r]);
    EXPECT_NEAR(e.values[r], (u - 1) * u + std::log(1 + u) / u, 1e-14);
  }
}

TEST(StableComposites, NestedOnesCostTheirSize) {
  std::string text = "x";
  for (int i = 0; i < 200; ++i) text = "log(exp(" + text + ") + exp(0.5*x))";
  const Expr expr = parse(text, {.variables = {"x"}}).value();
  const std::vector<double> x{0.25};
  const ColumnsView<double> view{{x.data()}, 1, 1};
  EXPECT_TRUE(evaluate<double>(expr, view, {}, {}, 0).status.ok);
}

}  // namespace
}  // namespace vieta
