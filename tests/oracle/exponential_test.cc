// exp over all it is defined on: the kernels' own (exponential.inc), within 1 ULP of long double.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/aligned.h"
#include "base/rng.h"
#include "kernels/kernel_table.h"
#include "oracle/samples.h"

namespace vieta::oracle {
namespace {

template <class T>
class Exponential : public testing::Test {
 protected:
  static AlignedVector<T> exp_of(const AlignedVector<T>& x, std::size_t rows,
                                 kernels::Target target) {
    AlignedVector<T> out(x.size());
    const std::array<const T*, 1> args = {x.data()};
    const auto& op = kernels::kernel_table<T>(target).ops[static_cast<std::size_t>(Op::exp)];
    op.value(args.data(), out.data(), rows);
    return out;
  }
  static constexpr bool kDouble = sizeof(T) == sizeof(double);
  // Beyond them exp is 0 or infinity.
  static constexpr double kLow = kDouble ? -750 : -108;
  static constexpr double kHigh = kDouble ? 712 : 91;
};

using Types = testing::Types<double, float>;
TYPED_TEST_SUITE(Exponential, Types);

TYPED_TEST(Exponential, IsWithinOneUlpFromTheSmallestToTheLargest) {
  using T = TypeParam;
  Rng rng(31, 0, 0);
  constexpr std::size_t kRows = 20000;
  AlignedVector<T> x(kRows + kernels::kMaxLanes);
  // A third over the whole range, where nearly every vector has a lane beyond the plain one; a
  // third of vectors within it; a third near multiples of ln 2 / 2, where the reduction turns.
  for (std::size_t r = 0; r < kRows; ++r) {
    const double u = rng.uniform();
    double v = this->kLow + (this->kHigh - this->kLow) * u;
    if (r > kRows / 3) v = (this->kHigh - 10) * (2 * u - 1);
    if (r > 2 * kRows / 3)
      v = std::round(1000 * (2 * u - 1)) * std::log(2.0) / 2 * (1 + 1e-9 * rng.normal());
    x[r] = static_cast<T>(v);
  }
  for (const kernels::Target target : kernels::kTargets) {
    if (!kernels::has_target(target)) continue;
    const auto y = this->exp_of(x, kRows, target);
    double worst = 0;
    for (std::size_t r = 0; r < kRows; ++r) {
      const long double wanted = std::exp(static_cast<long double>(x[r]));
      const double error = ulp_error(y[r], wanted);
      ASSERT_LE(error, 1) << to_text(target) << ": exp(" << x[r] << ") = " << y[r];
      worst = std::max(worst, error);
    }
    this->RecordProperty(std::string(to_text(target)), std::to_string(worst));
  }
}

TYPED_TEST(Exponential, OfWhatIsBeyondIsZeroInfinityOrNan) {
  using T = TypeParam;
  using L = std::numeric_limits<T>;
  AlignedVector<T> x = {-L::infinity(),   -L::max(), static_cast<T>(-1e4),
                        L::infinity(),    L::max(),  static_cast<T>(1e4),
                        L::quiet_NaN(),   T{0},      L::denorm_min(),
                        -L::denorm_min(), T{-0.0},   T{1}};
  const std::size_t rows = x.size();
  x.resize(rows + kernels::kMaxLanes);
  for (const kernels::Target target : kernels::kTargets) {
    if (!kernels::has_target(target)) continue;
    const auto y = this->exp_of(x, rows, target);
    for (const std::size_t zero : {0U, 1U, 2U}) EXPECT_EQ(y[zero], 0) << to_text(target);
    for (const std::size_t large : {3U, 4U, 5U}) EXPECT_EQ(y[large], L::infinity());
    EXPECT_TRUE(std::isnan(y[6]));
    for (const std::size_t one : {7U, 8U, 9U, 10U}) EXPECT_EQ(y[one], 1);
  }
}

// The way a vector goes where one of its lanes is beyond gives the others the same bits.
TYPED_TEST(Exponential, OfARowDoesNotDependOnItsNeighbours) {
  using T = TypeParam;
  Rng rng(32, 0, 0);
  constexpr std::size_t kRows = 512;
  AlignedVector<T> x(kRows + kernels::kMaxLanes);
  for (std::size_t r = 0; r < kRows; ++r)
    x[r] = static_cast<T>((this->kHigh - 10) * (2 * rng.uniform() - 1));
  for (const kernels::Target target : kernels::kTargets) {
    if (!kernels::has_target(target)) continue;
    const auto plain = this->exp_of(x, kRows, target);
    auto mixed_x = x;
    for (std::size_t r = 1; r < kRows; r += 4) mixed_x[r] = r % 8 == 1 ? T(-1e5) : T(-740);
    const auto mixed = this->exp_of(mixed_x, kRows, target);
    for (std::size_t r = 0; r < kRows; ++r) {
      if (r % 4 == 1) continue;
      EXPECT_EQ(mixed[r], plain[r]) << to_text(target) << " " << x[r];
    }
  }
}

}  // namespace
}  // namespace vieta::oracle
