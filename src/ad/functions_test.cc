// Every function of unary.h and binary.h: value, first and second derivatives in all modes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "ad/derivative_check.h"

namespace vieta::ad {
namespace {

template <class F>
void expect_at(const F& f, std::initializer_list<double> points) {
  for (const double p : points) {
    SCOPED_TRACE("at " + std::to_string(p));
    expect_derivatives(f, Point{p, 0.8, 1.7});
  }
}

#define VIETA_FUNCTION(test_name, expression, ...) \
  TEST(Functions, test_name) {                     \
    expect_at(                                     \
        [](const auto& x) {                        \
          const auto& a = x[0];                    \
          [[maybe_unused]] const auto& b = x[1];   \
          [[maybe_unused]] const auto& c = x[2];   \
          return expression;                       \
        },                                         \
        {__VA_ARGS__});                            \
  }

VIETA_FUNCTION(Square, square(a), -2.0, 0.0, 0.3)
VIETA_FUNCTION(Cube, cube(a), -2.0, 0.0, 0.3)
VIETA_FUNCTION(Inv, inv(a), -2.0, 0.4, 5.0)
VIETA_FUNCTION(Sqrt, sqrt(a), 0.3, 2.0, 100.0)
VIETA_FUNCTION(Cbrt, cbrt(a), -2.0, 0.3, 8.0)
VIETA_FUNCTION(Exp, exp(a), -3.0, 0.0, 2.0)
VIETA_FUNCTION(Exp2, exp2(a), -3.0, 0.0, 2.0)
VIETA_FUNCTION(Expm1, expm1(a), -3.0, 0.0, 2.0)
VIETA_FUNCTION(Log, log(a), 0.3, 1.0, 20.0)
VIETA_FUNCTION(Log2, log2(a), 0.3, 1.0, 20.0)
VIETA_FUNCTION(Log10, log10(a), 0.3, 1.0, 20.0)
VIETA_FUNCTION(Log1p, log1p(a), -0.6, 0.0, 20.0)
VIETA_FUNCTION(Sin, sin(a), -2.0, 0.0, 9.0)
VIETA_FUNCTION(Cos, cos(a), -2.0, 0.0, 9.0)
VIETA_FUNCTION(Tan, tan(a), -0.9, 0.0, 0.7)
VIETA_FUNCTION(Asin, asin(a), -0.5, 0.0, 0.6)
VIETA_FUNCTION(Acos, acos(a), -0.5, 0.0, 0.6)
VIETA_FUNCTION(Atan, atan(a), -4.0, 0.0, 0.7)
VIETA_FUNCTION(Sinh, sinh(a), -2.0, 0.0, 1.3)
VIETA_FUNCTION(Cosh, cosh(a), -2.0, 0.0, 1.3)
VIETA_FUNCTION(Tanh, tanh(a), -2.0, 0.0, 1.3)
VIETA_FUNCTION(Asinh, asinh(a), -2.0, 0.0, 1.3)
VIETA_FUNCTION(Acosh, acosh(a), 1.4, 2.0, 9.0)
VIETA_FUNCTION(Atanh, atanh(a), -0.5, 0.0, 0.6)
VIETA_FUNCTION(Logistic, logistic(a), -3.0, 0.3, 2.0)
VIETA_FUNCTION(Softplus, softplus(a), -3.0, 0.3, 2.0)
VIETA_FUNCTION(Erf, erf(a), -1.0, 0.0, 1.4)
VIETA_FUNCTION(Erfc, erfc(a), -1.0, 0.0, 1.4)
VIETA_FUNCTION(Gamma, gamma(a), -0.5, 0.6, 3.5)
VIETA_FUNCTION(Tgamma, tgamma(a), -0.5, 0.6, 3.5)
VIETA_FUNCTION(Lgamma, lgamma(a), -1.5, 0.6, 7.0)
VIETA_FUNCTION(Digamma, digamma(a), 0.7, 2.0, 7.0)
VIETA_FUNCTION(Abs, abs(a), -2.0, 0.3, 5.0)
VIETA_FUNCTION(Fabs, fabs(a), -2.0, 0.3, 5.0)
VIETA_FUNCTION(Relu, relu(a), -2.0, 0.3, 5.0)
VIETA_FUNCTION(StepsAreConstant,
               floor(a) + ceil(a) * trunc(a) + round(a) + rint(a) + nearbyint(a) + sign(a) * a,
               -2.3, 0.3, 5.6)

VIETA_FUNCTION(Atan2, atan2(a, b), -2.0, 0.3, 5.0)
VIETA_FUNCTION(Atan2OfConstants, atan2(a, 2.0) + atan2(2.0, a), -2.0, 0.3, 5.0)
VIETA_FUNCTION(Hypot, hypot(a, b), -2.0, 0.3, 5.0)
VIETA_FUNCTION(HypotOfThree, std::hypot(a, b, c), -2.0, 0.3, 5.0)
VIETA_FUNCTION(Fmod, fmod(a, b), -2.0, 0.3, 5.0)
VIETA_FUNCTION(Remainder, remainder(a, b), -2.1, 0.3, 5.0)
VIETA_FUNCTION(Mod, mod(a, b) + mod(a, -b), -2.0, 0.3, 5.0)
VIETA_FUNCTION(PowOfTwoNumbers, pow(a, b) + pow(a, -c), 0.3, 1.0, 5.0)
VIETA_FUNCTION(PowToIntegers, pow(a, 2) + pow(a, 3) + pow(a, -2) + pow(a, 1) + pow(a, 0), -2.0, 0.5)
VIETA_FUNCTION(PowToFractions, pow(a, 2.5) + pow(a, -0.5), 0.3, 1.0, 5.0)
VIETA_FUNCTION(PowOfConstant, pow(2.0, a) + pow(0.5, a), -2.0, 0.0, 5.0)
VIETA_FUNCTION(StdMinMax, std::min(a, b) + 2 * std::max(a, c), -2.0, 1.1, 5.0)
VIETA_FUNCTION(FminFmax, std::fmin(a, b) + 2 * std::fmax(a, c), -2.0, 1.1, 5.0)
VIETA_FUNCTION(Fdim, std::fdim(a, b), -2.0, 1.1, 5.0)
VIETA_FUNCTION(Copysign, copysign(a, b) + copysign(b, a), -2.0, 1.1, 5.0)
VIETA_FUNCTION(Clamp, std::clamp(a, b, c), -2.0, 1.1, 5.0)
VIETA_FUNCTION(Fma, fma(a, b, c), -2.0, 1.1, 5.0)
VIETA_FUNCTION(Lerp, std::lerp(a, b, c), -2.0, 1.1, 5.0)
VIETA_FUNCTION(ScaledByPowersOfTwo, ldexp(a, 3) + std::scalbn(b, -2), -2.0, 1.1, 5.0)

TEST(Functions, FrexpAndModfSplitValueAndDerivative) {
  int exponent = 0;
  const auto x = Jet<double, 1>::variable(-11.25, 0);
  const auto mantissa = std::frexp(x, &exponent);
  EXPECT_EQ(mantissa.value, -0.703125);
  EXPECT_EQ(exponent, 4);
  EXPECT_EQ(mantissa.d[0], 0.0625);
  Jet<double, 1> whole;
  const auto fraction = std::modf(x, &whole);
  EXPECT_EQ(fraction.value, -0.25);
  EXPECT_EQ(fraction.d[0], 1);
  EXPECT_EQ(whole.value, -11);
  EXPECT_EQ(whole.d[0], 0);
}

TEST(Functions, QuestionsLookAtTheValue) {
  const Jet<double, 2> inf(std::numeric_limits<double>::infinity());
  const Jet<double, 2> nan(std::numeric_limits<double>::quiet_NaN());
  const Jet<double, 2> x(-2.5);
  EXPECT_TRUE(std::isinf(inf));
  EXPECT_TRUE(std::isnan(nan));
  EXPECT_TRUE(std::isfinite(x));
  EXPECT_TRUE(std::isnormal(x));
  EXPECT_TRUE(std::signbit(x));
  EXPECT_EQ(std::lround(x), -3);
  EXPECT_EQ(std::ilogb(x), 1);
  EXPECT_EQ(static_cast<int>(x), -2);
  EXPECT_TRUE(static_cast<bool>(x));
  EXPECT_FALSE(static_cast<bool>(Jet<double, 2>()));
}

// Far out, where 1 - tanh^2 and the like would have lost every digit.
TEST(Functions, TailsKeepTheirRelativeAccuracy) {
  constexpr double kFewUlps = 8 * std::numeric_limits<double>::epsilon();
  const auto expect_slope = [&](auto f, double x, long double wanted) {
    const double got = gradient(f, x).gradient;
    EXPECT_TRUE(std::abs(got - wanted) <= kFewUlps * std::abs(wanted)) << x << ' ' << got;
  };
  const auto f_tanh = [](auto x) { return tanh(x); };
  expect_slope(f_tanh, 20.0, 1 / (std::cosh(20.0L) * std::cosh(20.0L)));
  expect_slope(f_tanh, -300.0, 1 / (std::cosh(300.0L) * std::cosh(300.0L)));
  const auto f_logistic = [](auto x) { return logistic(x); };
  expect_slope(f_logistic, 50.0, std::exp(-50.0L));
  expect_slope(f_logistic, -50.0, std::exp(-50.0L));
  expect_slope([](auto x) { return softplus(x); }, -50.0, std::exp(-50.0L));
  // 0.9999999 is no double: the wanted value is that of the nearest one.
  const long double near_one = 0.9999999;
  expect_slope([](auto x) { return asin(x); }, 0.9999999,
               1 / std::sqrt((1 - near_one) * (1 + near_one)));
  expect_slope([](auto x) { return hypot(x, 1e200); }, 1e200, 1 / std::sqrt(2.0L));
  expect_slope([](auto x) { return atan2(x, 1e200); }, 1e200, 0.5e-200L);
  expect_slope([](auto x) { return log1p(x); }, 1e-18, 1.0L);
}

TEST(Functions, WorkForFloatAndLongDouble) {
  const auto f = [](auto x) { return exp(x) * sin(x) + pow(x, 3) / (1 + x); };
  const auto slope = [](long double x) {
    return std::exp(x) * (std::sin(x) + std::cos(x)) +
           (3 * x * x * (1 + x) - x * x * x) / ((1 + x) * (1 + x));
  };
  // A dozen roundings of each type.
  EXPECT_NEAR(gradient(f, 0.7F).gradient, static_cast<double>(slope(0.7F)), 12 * 6e-8);
  EXPECT_NEAR(static_cast<double>(gradient(f, 0.7L).gradient - slope(0.7L)), 0, 12 * 1.1e-19);
  static_assert(std::is_same_v<decltype(gradient(f, 0.7F).gradient), float>);
}

TEST(Functions, ArithmeticIsConstexpr) {
  constexpr auto x = Jet2<double, 2>::variable(3, 0);
  constexpr auto y = Jet2<double, 2>::variable(2, 1);
  constexpr auto z = (x * x * y - 1) / y + -x;
  static_assert(z.value == 5.5);
  static_assert(z.d[0] == 5 && z.d[1] == 0.25);
  static_assert(z.dd[0] == 2 && z.dd[1] == 0 && z.dd[2] == -0.25);
  SUCCEED();
}

TEST(Functions, ThirdDerivativesByNesting) {
  // (x^2 sin x)''' = 6 cos x - 6 x sin x - x^2 cos x.
  const auto f = [](const auto& x) { return x * x * sin(x); };
  const auto second = [&](const auto& x) { return hessian(f, x).hessian; };
  const double x = 1.3;
  const double wanted = 6 * std::cos(x) - 6 * x * std::sin(x) - x * x * std::cos(x);
  EXPECT_NEAR(gradient(second, x).gradient, wanted, 1e-14);  // some ten roundings of values near 6
}

// Where one argument is nearly the whole, the second derivative must not be a difference of numbers
// near 1.
TEST(Hypot, KeepsTheDigitsOfItsSecondDerivatives) {
  const auto f = [](const auto& x) { return hypot(x[0], x[1]); };
  for (const auto& [x, y] :
       {std::pair(1e6, 3.0), std::pair(3.0, -1e6), std::pair(1.0, 1e-8), std::pair(-2.0, 1.5)}) {
    const auto h = hessian(f, std::vector<double>{x, y});
    const double v = std::hypot(x, y);
    const double xx = (y / v) * (y / v) / v;
    const double xy = -(x / v) * (y / v) / v;
    const double yy = (x / v) * (x / v) / v;
    // Some ten roundings.
    EXPECT_NEAR(h.hessian[0], xx, 1e-14 * xx) << x << ", " << y;
    EXPECT_NEAR(h.hessian[1], xy, 1e-14 * std::abs(xy)) << x << ", " << y;
    EXPECT_NEAR(h.hessian[2], yy, 1e-14 * yy) << x << ", " << y;
  }
}

}  // namespace
}  // namespace vieta::ad
