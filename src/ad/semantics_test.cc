// The rules at kinks, at the edge of domains, and where a structural zero meets an infinity.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "ad/ad.h"

namespace vieta::ad {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

/// Gradient of f at (x, y), the same forwards and backwards.
template <class F>
std::array<double, 2> gradient_both_ways(const F& f, double x, double y) {
  const auto forwards = gradient(f, std::array<double, 2>{x, y}).gradient;
  const auto backwards = gradient(f, std::vector<double>{x, y}).gradient;
  const auto second = hessian(f, std::array<double, 2>{x, y}).gradient;
  const auto nested = hessian(f, std::vector<double>{x, y}).gradient;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto agree = [&](double other) {
      return forwards[i] == other || (std::isnan(forwards[i]) && std::isnan(other));
    };
    EXPECT_TRUE(agree(backwards[i])) << forwards[i] << " but Var " << backwards[i];
    EXPECT_TRUE(agree(second[i])) << forwards[i] << " but Jet2 " << second[i];
    EXPECT_TRUE(agree(nested[i])) << forwards[i] << " but Var<Jet> " << nested[i];
  }
  return forwards;
}

#define VIETA_EXPECT_GRADIENT(expression, at_x, at_y, dx, dy) \
  do {                                                        \
    const auto g = gradient_both_ways(                        \
        [](const auto& v) {                                   \
          const auto& x = v[0];                               \
          [[maybe_unused]] const auto& y = v[1];              \
          return expression;                                  \
        },                                                    \
        at_x, at_y);                                          \
    EXPECT_EQ(g[0], dx) << #expression;                       \
    EXPECT_EQ(g[1], dy) << #expression;                       \
  } while (false)

TEST(Kinks, AbsReluAndSignAreFlatAtZero) {
  VIETA_EXPECT_GRADIENT(abs(x) + y, 0.0, 1.0, 0.0, 1.0);
  VIETA_EXPECT_GRADIENT(abs(x) + y, -0.0, 1.0, 0.0, 1.0);
  VIETA_EXPECT_GRADIENT(relu(x) + y, 0.0, 1.0, 0.0, 1.0);
  VIETA_EXPECT_GRADIENT(sign(x) * y, 0.0, 1.0, 0.0, 0.0);
  VIETA_EXPECT_GRADIENT(copysign(x, y), 0.0, 1.0, 0.0, 0.0);
  VIETA_EXPECT_GRADIENT(std::fdim(x, y), 1.0, 1.0, 0.0, 0.0);
  VIETA_EXPECT_GRADIENT(hypot(x, y), 0.0, 0.0, 0.0, 0.0);
  VIETA_EXPECT_GRADIENT(floor(x) + ceil(y), 2.0, 3.0, 0.0, 0.0);
}

TEST(Kinks, OnATieTheFirstArgumentHasTheDerivative) {
  VIETA_EXPECT_GRADIENT(std::max(x, y), 2.0, 2.0, 1.0, 0.0);
  VIETA_EXPECT_GRADIENT(std::min(x, y), 2.0, 2.0, 1.0, 0.0);
  VIETA_EXPECT_GRADIENT(max(x, y), 2.0, 2.0, 1.0, 0.0);
  VIETA_EXPECT_GRADIENT(min(x, y), 2.0, 2.0, 1.0, 0.0);
  VIETA_EXPECT_GRADIENT(std::fmax(x, y), 2.0, 2.0, 1.0, 0.0);
  VIETA_EXPECT_GRADIENT(std::fmin(x, y), 2.0, 2.0, 1.0, 0.0);
  VIETA_EXPECT_GRADIENT(max(x, 2.0) + y, 2.0, 2.0, 1.0, 1.0);
  VIETA_EXPECT_GRADIENT(max(2.0, x) + y, 2.0, 2.0, 0.0, 1.0);
  VIETA_EXPECT_GRADIENT(clamp(x, 0.0, 1.0) + y, 1.0, 2.0, 1.0, 1.0);
  VIETA_EXPECT_GRADIENT(clamp(x, 0.0, y), 3.0, 2.0, 0.0, 1.0);
}

TEST(Kinks, MaxAndMinOfANanAreThoseOfTheStandard) {
  for (const double x : {1.0, kNan}) {
    for (const double y : {2.0, kNan}) {
      const auto jx = Jet<double, 2>::variable(x, 0);
      const auto jy = Jet<double, 2>::variable(y, 1);
      const auto same = [](double a, double b) {
        return a == b || (std::isnan(a) && std::isnan(b));
      };
      EXPECT_TRUE(same(max(jx, jy).value, std::max(x, y)));
      EXPECT_TRUE(same(min(jx, jy).value, std::min(x, y)));
      EXPECT_TRUE(same(fmax(jx, jy).value, std::fmax(x, y)));
      EXPECT_TRUE(same(fmin(jx, jy).value, std::fmin(x, y)));
    }
  }
}

TEST(StructuralZeros, NeverMeetAnInfinity) {
  VIETA_EXPECT_GRADIENT(sqrt(x) + y, 0.0, 1.0, kInf, 1.0);
  VIETA_EXPECT_GRADIENT(sqrt(x) * 0.0 + y, 0.0, 1.0, 0.0, 1.0);
  VIETA_EXPECT_GRADIENT(sqrt(relu(x)) + y, -1.0, 1.0, 0.0, 1.0);
  VIETA_EXPECT_GRADIENT(x * sqrt(x) + y, 0.0, 1.0, 0.0, 1.0);
  VIETA_EXPECT_GRADIENT(log(clamp(x, 0.0, 9.0)) + y, -1.0, 1.0, 0.0, 1.0);
  VIETA_EXPECT_GRADIENT(exp(exp(x)) + y, 10.0, 1.0, kInf, 1.0);
  VIETA_EXPECT_GRADIENT(cbrt(x) * floor(y), 0.0, 0.5, 0.0, 0.0);
}

TEST(StructuralZeros, AnInvalidBranchThatWasNotTakenLeavesNoTrace) {
  VIETA_EXPECT_GRADIENT((x > 0 ? log(x) : x * y), -2.0, 3.0, 3.0, -2.0);
  // Computed, but selected away: in reverse its adjoint is zero and its partials are NaN.
  const auto selected = [](const auto& v) {
    const auto bad = log(v[0]) * sqrt(v[0]);
    const auto good = v[0] * v[1];
    return v[0] > 0 ? bad : good;
  };
  const auto g = gradient_both_ways(selected, -2.0, 3.0);
  EXPECT_EQ(g[0], 3.0);
  EXPECT_EQ(g[1], -2.0);
  const auto multiplied = [](const auto& v) { return log(v[0]) * 0 + v[1]; };
  const auto h = gradient_both_ways(multiplied, -2.0, 3.0);
  EXPECT_EQ(h[0], 0.0);
  EXPECT_EQ(h[1], 1.0);
}

TEST(StructuralZeros, HoldAtSecondOrder) {
  const auto f = [](const auto& v) { return sqrt(v[0]) + v[1] * v[1]; };
  const auto jets = hessian(f, std::array<double, 2>{0.0, 3.0});
  const auto tape = hessian(f, std::vector<double>{0.0, 3.0});
  EXPECT_EQ(jets.hessian[0], -kInf);
  EXPECT_EQ(jets.hessian[1], 0.0);
  EXPECT_EQ(jets.hessian[2], 2.0);
  EXPECT_EQ(tape.hessian[1], 0.0);
  EXPECT_EQ(tape.hessian[2], 2.0);
}

TEST(PowAtZero, HasADerivativeWhereverOneExists) {
  VIETA_EXPECT_GRADIENT(pow(x, 2) + y, 0.0, 1.0, 0.0, 1.0);
  VIETA_EXPECT_GRADIENT(pow(x, 1) + y, 0.0, 1.0, 1.0, 1.0);
  VIETA_EXPECT_GRADIENT(pow(x, 0) + y, 0.0, 1.0, 0.0, 1.0);
  VIETA_EXPECT_GRADIENT(pow(x, 1.5) + y, 0.0, 1.0, 0.0, 1.0);
  VIETA_EXPECT_GRADIENT(pow(x, 0.5) + y, 0.0, 1.0, kInf, 1.0);
  VIETA_EXPECT_GRADIENT(pow(x, y), 0.0, 2.0, 0.0, 0.0);
  VIETA_EXPECT_GRADIENT(pow(x, y), 0.0, 1.0, 1.0, 0.0);
  VIETA_EXPECT_GRADIENT(pow(0.0, y) + x, 1.0, 2.0, 1.0, 0.0);
  const auto cube_at_zero = hessian([](const auto& v) { return pow(v, 3); }, 0.0);
  EXPECT_EQ(cube_at_zero.hessian, 0.0);
  const auto square_at_zero = hessian([](const auto& v) { return pow(v, 2); }, 0.0);
  EXPECT_EQ(square_at_zero.hessian, 2.0);
  const auto taped =
      hessian([](const auto& v) { return pow(v[0], 2) + pow(v[1], v[2]) + v[3] + v[4]; },
              std::vector<double>{0, 0, 2, 1, 1});
  EXPECT_EQ(taped.hessian[0], 2.0);
  EXPECT_EQ(taped.hessian[5], 2.0);
  EXPECT_EQ(taped.hessian[9], 0.0);
}

TEST(PowOfNegatives, NeedsNoLogarithm) {
  VIETA_EXPECT_GRADIENT(pow(x, 3) + y, -2.0, 1.0, 12.0, 1.0);
  VIETA_EXPECT_GRADIENT(pow(x, -1) + y, -2.0, 1.0, -0.25, 1.0);
  VIETA_EXPECT_GRADIENT(pow(x, 3.0) + y, -2.0, 1.0, 12.0, 1.0);
  // An exponent that is a number by type but a constant by value.
  VIETA_EXPECT_GRADIENT(pow(x, floor(y)), -2.0, 3.5, 12.0, 0.0);
  const auto g = gradient_both_ways([](const auto& v) { return pow(v[0], v[1]); }, -2.0, 3.0);
  EXPECT_EQ(g[0], 12.0);
  EXPECT_TRUE(std::isnan(g[1])) << "no derivative exists in the exponent";
}

TEST(OutOfDomain, GivesTheIeeeValueAndNoException) {
  const auto f = [](const auto& v) { return log(v[0]) + sqrt(v[1]); };
  const auto g = gradient(f, std::vector<double>{-1.0, -1.0});
  EXPECT_TRUE(std::isnan(g.value));
  const auto d = gradient([](auto x) { return 1 / x; }, 0.0);
  EXPECT_EQ(d.value, kInf);
  EXPECT_EQ(d.gradient, -kInf);
  EXPECT_EQ(gradient([](auto x) { return log(x); }, 0.0).value, -kInf);
}

TEST(Comparisons, LookAtValuesAlone) {
  const auto a = Jet<double, 1>::variable(2, 0);
  const Jet<double, 1> b(2);
  EXPECT_TRUE(a == b);
  EXPECT_TRUE(a <= b && a >= b && !(a < b) && !(a > b) && !(a != b));
  EXPECT_TRUE(a == 2 && 2 == a && a < 3 && 3 > a && a != 1 && 1.5F < a);
  const Jet<double, 1> nan(kNan);
  EXPECT_FALSE(nan == nan);
  EXPECT_FALSE(nan < a || nan > a || nan <= a || nan >= a);
}

TEST(Zero, IsZeroOnlyWithAllItsDerivatives) {
  EXPECT_TRUE(is_zero(Jet<double, 2>(0)));
  EXPECT_FALSE(is_zero(Jet<double, 2>::variable(0, 1)));
  EXPECT_TRUE(is_zero(Var<double>(0)));
  Recording<double> recording;
  EXPECT_FALSE(is_zero(recording.variable(0)));
}

}  // namespace
}  // namespace vieta::ad
