// Powers with small whole exponents: the exact bound on every target, whether a tile's kernel or
// an operator of its own computes them, and the kinds and signs of pow at every special number.

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/aligned.h"
#include "eval/evaluate.h"
#include "expr/parse.h"
#include "kernels/kernel_table.h"
#include "oracle/samples.h"
#include "program/lower.h"

namespace vieta::oracle {
namespace {

using kernels::Target;

template <class T>
class Powers : public ::testing::Test {};

using Scalars = ::testing::Types<double, float>;
TYPED_TEST_SUITE(Powers, Scalars);

std::vector<Target> targets() {
  std::vector<Target> all;
  for (const Target target : kernels::kTargets) {
    if (kernels::has_target(target)) all.push_back(target);
  }
  return all;
}

// Numbers over the whole range of the format, both signs, and where powers leave it.
template <class T>
std::vector<T> bases(std::size_t count) {
  Rng rng(31, 0, 0);
  std::vector<T> x = special_values<T>();
  const int range = std::numeric_limits<T>::max_exponent;
  for (const int n : {2, 3, 4}) {
    for (const int end : {range, 2 - range}) {
      for (int i = 0; i < 40; ++i) {
        x.push_back(static_cast<T>(std::exp2((end + rng.normal()) / n)));
      }
    }
  }
  while (x.size() < count) {
    const double sign = rng.chance(0.5) ? 1 : -1;
    const double wide = rng.chance(0.5) ? 3 : range / 4;
    x.push_back(static_cast<T>(sign * std::exp2((2 * rng.uniform() - 1) * wide)));
  }
  return x;
}

long double power(long double a, int n) {
  long double p = 1;
  for (int i = 0; i < std::abs(n); ++i) p *= a;
  return n < 0 ? 1 / p : p;
}

// Whether a power is a NaN, an infinity, a zero or another number, and its sign.
template <class T>
std::string kind_of(T x) {
  if (std::isnan(x)) return "nan";
  const std::string sign = std::signbit(x) ? "-" : "+";
  return sign + (std::isinf(x) ? "inf" : x == 0 ? "0" : "number");
}

// The kernel itself, all lanes of one exponent and each lane of another. Long double has 11 bits
// more than double: three roundings of it are 0.002 ULP.
TYPED_TEST(Powers, KernelKeepsTheExactBound) {
  using T = TypeParam;
  const std::vector<T> values = bases<T>(20000);
  const std::size_t rows = values.size();
  AlignedVector<T> a(rows + kernels::kMaxLanes, T(1));
  std::ranges::copy(values, a.begin());
  AlignedVector<T> b(rows + kernels::kMaxLanes);
  AlignedVector<T> out(rows + kernels::kMaxLanes);
  for (const Target target : targets()) {
    const auto pow = kernels::kernel_table<T>(target).ops[static_cast<std::size_t>(Op::pow)].value;
    const std::array<const T*, 2> args{a.data(), b.data()};
    std::array<AlignedVector<T>, 6> alone;
    for (int n = 0; n <= 4; ++n) {
      std::ranges::fill(b, static_cast<T>(n));
      pow(args.data(), out.data(), rows);
      for (std::size_t r = 0; r < rows; ++r) {
        ASSERT_LE(ulp_error(out[r], power(a[r], n)), 1.003)
            << a[r] << "^" << n << " " << to_text(target);
        ASSERT_EQ(kind_of(out[r]), kind_of(static_cast<T>(std::pow(a[r], static_cast<T>(n)))))
            << a[r] << "^" << n << " " << to_text(target);
      }
      alone[static_cast<std::size_t>(n)] = out;
    }
    std::ranges::fill(b, T(0.5));
    pow(args.data(), out.data(), rows);
    for (std::size_t r = 0; r < rows; ++r) {
      const T wanted = std::pow(a[r], T(0.5));
      ASSERT_EQ(kind_of(out[r]), kind_of(wanted)) << a[r] << "^0.5 " << to_text(target);
      if (a[r] >= 0) {
        ASSERT_LE(ulp_error(out[r], std::sqrt(static_cast<long double>(a[r]))), 0.501)
            << a[r] << "^0.5 " << to_text(target);
      }
    }
    alone[5] = out;
    // Seven exponents meet every lane; the last one has no rule of its own.
    const std::array<T, 7> exponents{0, 1, 2, 3, 4, T(0.5), T(3.5)};
    for (std::size_t r = 0; r < rows; ++r) b[r] = exponents[r % 7];
    pow(args.data(), out.data(), rows);
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t n = r % 7;
      if (n > 5 || std::isnan(out[r])) continue;
      ASSERT_EQ(out[r], alone[n][r]) << a[r] << "^" << b[r] << " " << to_text(target);
    }
  }
}

// As an operator of their own, and as pow where composites are switched off: values and both orders
// of derivatives.
TYPED_TEST(Powers, NumeralsGiveWhatPowGives) {
  using T = TypeParam;
  const std::vector<T> x = bases<T>(4000);
  const ColumnsView<T> view{{x.data()}, x.size(), x.size()};
  const std::vector<Leaf> leaves{{Leaf::Kind::variable, 0}};
  for (const int n : {2, 3, -1}) {
    const Expr expr = parse("x^" + std::to_string(n), {.variables = {"x"}}).value();
    for (const Target target : targets()) {
      const auto own = evaluate<T>(expr, view, {}, leaves, 2, {.target = target});
      const auto pow =
          evaluate<T>(expr, view, {}, leaves, 2, {.target = target, .stable_composites = false});
      EXPECT_EQ(own.status.ok, pow.status.ok);
      EXPECT_EQ(own.status.first_bad_row, pow.status.first_bad_row);
      for (std::size_t r = 0; r < x.size(); ++r) {
        const std::string at = std::to_string(x[r]) + "^" + std::to_string(n) + " row " +
                               std::to_string(r) + " " + std::string(to_text(target));
        // One of pow; a fast target has 1.5 for the third.
        ASSERT_LE(ulp_error(own.values[r], power(x[r], n)),
                  target == Target::avx2_fast && n == 3 ? 1.503 : 1.003)
            << at;
        // Two to four roundings, each half a unit, which the others may double.
        const long double first = n * power(x[r], n - 1);
        const long double second = n * (n - 1) * power(x[r], n - 2);
        ASSERT_LE(ulp_error(own.gradient[r], first), 3) << at;
        ASSERT_LE(ulp_error(own.hessian[r], second), 6) << at;
        const auto same_kind = [&](T a, T b, long double wanted) {
          // Within a step of the ends of the range rounding decides which side it is.
          const bool at_end =
              std::fabs(wanted) < 2 * static_cast<long double>(std::numeric_limits<T>::min()) ||
              std::fabs(wanted) > static_cast<long double>(std::numeric_limits<T>::max()) / 2;
          return kind_of(a) == kind_of(b) || (wanted != 0 && at_end && std::isfinite(wanted));
        };
        ASSERT_TRUE(same_kind(own.values[r], pow.values[r], power(x[r], n))) << at;
        ASSERT_TRUE(same_kind(own.gradient[r], pow.gradient[r], first))
            << at << " " << own.gradient[r] << " " << pow.gradient[r];
        ASSERT_TRUE(same_kind(own.hessian[r], pow.hessian[r], second))
            << at << " " << own.hessian[r] << " " << pow.hessian[r];
      }
    }
  }
}

TEST(PowersOfNumerals, AreOperatorsOfTheirOwnUnlessTheyMayChange) {
  const auto ops = [](const char* text, const LowerOptions& options) {
    const Expr expr = parse(text, {.variables = {"x"}, .parameters = {"p"}}).value();
    std::vector<Op> found;
    for (const Instruction& i : lower(expr, options).instructions) found.push_back(i.op);
    return found;
  };
  using Ops = std::vector<Op>;
  EXPECT_EQ(ops("x^2", {}), Ops{Op::square});
  EXPECT_EQ(ops("pow(x, 3)", {}), Ops{Op::cube});
  EXPECT_EQ(ops("x^-1", {}), Ops{Op::inv});
  EXPECT_EQ(ops("x^2*square(x)", {}), (Ops{Op::square, Op::mul}));
  for (const char* text : {"x^0.5", "x^4", "x^p", "2^x"}) EXPECT_EQ(ops(text, {}), Ops{Op::pow});
  EXPECT_EQ(ops("x^2", {.tunable = true}), Ops{Op::pow});
  EXPECT_EQ(ops("x^2", {.stable_composites = false}), Ops{Op::pow});
}

}  // namespace
}  // namespace vieta::oracle
