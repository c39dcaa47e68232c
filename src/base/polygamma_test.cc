#include "base/polygamma.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace vieta {
namespace {

// Relative 1e-16: two units in the last place of the doubles typed here, far above the function's
// own error.
void expect_close(long double value, long double expected) {
  EXPECT_LE(std::fabs(value - expected), 1e-16L * std::fabs(expected))
      << static_cast<double>(value) << " " << static_cast<double>(expected);
}

TEST(Polygamma, MatchesClosedForms) {
  const long double pi = std::numbers::pi_v<long double>;
  const long double euler = std::numbers::egamma_v<long double>;
  expect_close(polygamma(0, 1.0L), -euler);
  expect_close(polygamma(0, 0.5L), -euler - 2 * std::numbers::ln2_v<long double>);
  expect_close(polygamma(1, 1.0L), pi * pi / 6);
  expect_close(polygamma(1, 0.5L), pi * pi / 2);
  expect_close(polygamma(2, 1.0L), -2 * 1.2020569031595942853997381615114L);  // -2 zeta(3)
  expect_close(polygamma(3, 1.0L), pi * pi * pi * pi / 15);
  expect_close(polygamma(3, 0.5L), pi * pi * pi * pi);
}

TEST(Polygamma, ReflectsToNegativeArguments) {
  const long double pi = std::numbers::pi_v<long double>;
  expect_close(polygamma(0, -0.5L), polygamma(0, 0.5L) + 2);
  expect_close(polygamma(1, -0.5L), pi * pi / 2 + 4);
  for (const int n : {0, 1, 2, 3, 5}) {
    // psi_n(x + 1) - psi_n(x) = (-1)^n n! / x^(n+1)
    for (const long double x : {-0.3L, -3.7L, -10.25L}) {
      long double factorial = 1;
      for (int k = 2; k <= n; ++k) factorial *= k;
      const long double step = (n % 2 == 0 ? 1 : -1) * factorial / std::pow(x, n + 1);
      const long double a = polygamma(n, x + 1);
      const long double b = polygamma(n, x);
      // Cancellation: the bound is relative to the larger term.
      EXPECT_LE(std::fabs(a - b - step), 1e-16L * (std::fabs(a) + std::fabs(b)));
    }
  }
}

TEST(Polygamma, IsDefinedEverywhere) {
  const long double inf = std::numeric_limits<long double>::infinity();
  EXPECT_TRUE(std::isnan(polygamma(0, 0.0L)));
  EXPECT_TRUE(std::isnan(polygamma(2, -3.0L)));
  EXPECT_EQ(polygamma(1, -3.0L), inf);
  EXPECT_EQ(polygamma(0, inf), inf);
  EXPECT_EQ(polygamma(1, inf), 0);
  EXPECT_TRUE(std::isnan(polygamma(0, -inf)));
  EXPECT_TRUE(std::isnan(polygamma(1.5, 1.0)));
  EXPECT_TRUE(std::isnan(polygamma(-1.0, 1.0)));
  EXPECT_TRUE(std::isnan(polygamma(std::nan(""), 1.0)));
}

}  // namespace
}  // namespace vieta
