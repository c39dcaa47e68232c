// Every operator, both scalar types, every target: value, first and second partials against the
// long double reference; tails, lane isolation, pullbacks, and the propagation bits that an exact
// `ok` rests on.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "base/aligned.h"
#include "eval/reference.h"
#include "kernels/kernel_table.h"
#include "oracle/samples.h"

namespace vieta::oracle {
namespace {

using kernels::KernelTable;
using kernels::OpKernels;
using kernels::Target;

constexpr std::size_t kRows = 2048;
constexpr std::size_t kSpace = kRows + kernels::kMaxLanes;

template <class T>
using Columns = std::array<AlignedVector<T>, kMaxArity>;

template <class T>
struct Case {
  using Scalar = T;
};

template <class T>
bool same_bits(T a, T b) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

template <class T>
class Operators : public ::testing::Test {
 protected:
  static std::vector<Target> targets() {
    std::vector<Target> all;
    for (const Target target : kernels::kTargets) {
      if (kernels::has_target(target)) all.push_back(target);
    }
    return all;
  }

  // Random arguments inside the range where the bounds are written.
  static Columns<T> random_columns(const OpInfo& row, std::uint32_t stream) {
    Rng rng(11, stream, 0);
    Columns<T> x;
    for (int k = 0; k < kMaxArity; ++k) {
      auto& column = x[static_cast<std::size_t>(k)];
      column.assign(kSpace, T{1});
      for (std::size_t r = 0; r < kRows; ++r) column[r] = draw<T>(rng, range_of(row, k));
      if (row.id == "polygamma" && k == 0) {
        for (T& order : column) order = std::floor(order);
      }
      if (row.id == "gamma") {  // away from the poles, where one ULP of the argument is everything
        for (T& a : column) a = a < 0 ? std::floor(a) + T(0.25) + T(0.5) * (a - std::floor(a)) : a;
      }
    }
    return x;
  }

  static std::array<const T*, kMaxArity> pointers(const Columns<T>& x) {
    return {x[0].data(), x[1].data(), x[2].data()};
  }

  static reference::Partials expected(Op op, const Columns<T>& x, std::size_t r) {
    const std::array<long double, kMaxArity> a{x[0][r], x[1][r], x[2][r]};
    return reference::partials(op, {a.data(), static_cast<std::size_t>(info(op).arity)});
  }

  static std::string arguments(const Columns<T>& x, std::size_t r) {
    return std::to_string(x[0][r]) + ", " + std::to_string(x[1][r]) + ", " +
           std::to_string(x[2][r]);
  }
};

using Scalars = ::testing::Types<double, float>;
TYPED_TEST_SUITE(Operators, Scalars);

TYPED_TEST(Operators, ValuesAndFirstPartialsKeepTheWrittenBound) {
  using T = TypeParam;
  for (const Target target : this->targets()) {
    const KernelTable<T>& table = kernels::kernel_table<T>(target);
    for (std::size_t o = 0; o < kOpCount; ++o) {
      const Op op = op_at(o);
      const OpInfo& row = info(op);
      const Columns<T> x = this->random_columns(row, static_cast<std::uint32_t>(o));
      const auto args = this->pointers(x);
      AlignedVector<T> value(kSpace);
      AlignedVector<T> partial(kSpace);
      table.ops[o].value(args.data(), value.data(), kRows);
      double worst = 0;
      double worst_partial = 0;
      std::size_t at = 0;
      for (std::size_t r = 0; r < kRows; ++r) {
        const double error = ulp_error(value[r], this->expected(op, x, r).value);
        if (!(error <= worst)) {
          worst = error;
          at = r;
        }
      }
      EXPECT_LE(worst, is_fast(target) ? row.ulp_fast : row.ulp)
          << row.name << " " << to_text(target) << " at " << this->arguments(x, at);
      for (int k = 0; k < row.arity; ++k) {
        const auto kernel = table.ops[o].partial[static_cast<std::size_t>(k)];
        ASSERT_EQ(kernel == nullptr, row.zero_partial(k)) << row.name;
        if (kernel == nullptr) continue;
        kernel(args.data(), value.data(), partial.data(), kRows);
        for (std::size_t r = 0; r < kRows; ++r) {
          const double error = ulp_error(partial[r], this->expected(op, x, r).d[k]);
          if (!(error <= worst_partial)) {
            worst_partial = error;
            at = r;
          }
        }
        EXPECT_LE(worst_partial, is_fast(target) ? row.ulp_d_fast() : row.ulp_d)
            << "d" << k << " " << row.name << " " << to_text(target) << " at "
            << this->arguments(x, at);
      }
    }
  }
}

// Second partials have no bound of their own in the table; 1e-10 and 1e-4 relative are far above
// their rounding errors and far below any wrong formula.
TYPED_TEST(Operators, SecondPartialsAgreeWithTheReference) {
  using T = TypeParam;
  const double tolerance = sizeof(T) == 8 ? 1e-10 : 1e-3;
  for (const Target target : this->targets()) {
    const KernelTable<T>& table = kernels::kernel_table<T>(target);
    for (std::size_t o = 0; o < kOpCount; ++o) {
      const Op op = op_at(o);
      const OpInfo& row = info(op);
      const Columns<T> x = this->random_columns(row, static_cast<std::uint32_t>(o));
      const auto args = this->pointers(x);
      AlignedVector<T> value(kSpace);
      AlignedVector<T> second(kSpace);
      table.ops[o].value(args.data(), value.data(), kRows);
      for (std::size_t which = 0; which < row.d2.size(); ++which) {
        const auto kernel = table.ops[o].second_partial[which];
        ASSERT_EQ(kernel == nullptr, row.d2[which] == "0" || row.d2[which].empty()) << row.name;
        if (kernel == nullptr) continue;
        kernel(args.data(), value.data(), second.data(), kRows);
        for (std::size_t r = 0; r < kRows; ++r) {
          const long double wanted = this->expected(op, x, r).d2[which];
          // Where numbers leave the format, kinds are what is left to compare: the special-value
          // test does.
          if (!(std::fabs(wanted) < static_cast<long double>(std::numeric_limits<T>::max()) / 1e6L))
            continue;
          if (std::fabs(wanted) < static_cast<long double>(std::numeric_limits<T>::min()) * 1e6L)
            continue;
          ASSERT_LE(std::fabs(static_cast<long double>(second[r]) - wanted),
                    tolerance * std::fabs(wanted))
              << "second partial " << which << " of " << row.name << " " << to_text(target)
              << " at " << this->arguments(x, r);
        }
      }
    }
  }
}

// The table's partials are formulas too. A central difference of the reference value, h = 1e-6
// (relative), is good to about 1e-9 in long double away from kinks; 1e-6 tells a wrong formula from
// a right one.
TYPED_TEST(Operators, PartialsAreTheDerivativesOfTheValue) {
  using T = TypeParam;
  if (sizeof(T) == 4) GTEST_SKIP() << "one type is enough: the reference is judged here";
  for (std::size_t o = 0; o < kOpCount; ++o) {
    const Op op = op_at(o);
    const OpInfo& row = info(op);
    const Columns<T> x = this->random_columns(row, static_cast<std::uint32_t>(o));
    for (std::size_t r = 0; r < 200; ++r) {
      const reference::Partials at = this->expected(op, x, r);
      for (int k = 0; k < row.arity; ++k) {
        if (row.id == "polygamma" && k == 0) continue;  // declared undefined
        std::array<long double, kMaxArity> a{x[0][r], x[1][r], x[2][r]};
        const auto n = static_cast<std::size_t>(row.arity);
        const auto uk = static_cast<std::size_t>(k);
        const long double middle = a[uk];
        const long double h = 1e-6L * std::fmax(std::fabs(middle), 1e-2L);
        a[uk] = middle + h;
        const reference::Partials up = reference::partials(op, {a.data(), n});
        a[uk] = middle - h;
        const reference::Partials down = reference::partials(op, {a.data(), n});
        const auto close = [&](long double difference, long double partial, long double curvature) {
          if (!std::isfinite(difference) || !std::isfinite(partial))
            return true;  // at an end of the domain
          const long double scale =
              std::fabs(partial) + std::fabs(curvature) * h + std::fabs(at.value) + 1e-3L;
          return std::fabs(difference - partial) <= 1e-4L * scale;
        };
        const bool kink = up.d[k] != down.d[k] && at.d[k] == std::round(at.d[k]);
        if (kink || std::fabs(up.d[k] - down.d[k]) > 1e-3L * std::fabs(at.d[k])) continue;  // steep
        const bool jump = std::fabs(up.value - down.value) > 0.5L && row.zero_partial(k);
        const bool remainder = row.id == "mod" || row.id == "fmod";
        if (jump || (remainder && up.d[1] != down.d[1])) continue;  // a jump lies between
        EXPECT_TRUE(
            close((up.value - down.value) / (2 * h), at.d[k], (up.d[k] - down.d[k]) / (2 * h)))
            << "d" << k << " " << row.name << " at " << this->arguments(x, r);
        for (int l = 0; l < row.arity; ++l) {
          if (row.id == "polygamma" && l == 0) continue;
          const auto [low, high] = std::minmax(k, l);
          const long double second = at.d2[packed_index(row.arity, low, high)];
          const long double slope = (up.d[l] - down.d[l]) / (2 * h);
          if (std::fabs(up.d2[packed_index(row.arity, low, high)] -
                        down.d2[packed_index(row.arity, low, high)]) > 1e-3L * std::fabs(second)) {
            continue;
          }
          if (up.d[l] != down.d[l] && second == 0) continue;  // a jump of a step function's partial
          EXPECT_TRUE(close(slope, second, at.d[l]))
              << "d" << k << l << " " << row.name << " at " << this->arguments(x, r);
        }
      }
    }
  }
}

TYPED_TEST(Operators, SpecialValuesHaveTheReferencesKind) {
  using T = TypeParam;
  const std::vector<T> values = special_values<T>();
  for (const Target target : this->targets()) {
    const KernelTable<T>& table = kernels::kernel_table<T>(target);
    for (std::size_t o = 0; o < kOpCount; ++o) {
      const OpInfo& row = info(op_at(o));
      if (row.id == "polygamma") continue;  // its long double sums are the reference itself
      const std::size_t second = row.arity > 1 ? values.size() : 1;
      const std::size_t third = row.arity > 2 ? values.size() : 1;
      for (std::size_t i = 0; i < values.size() * second * third; ++i) {
        Columns<T> x;
        x[0].assign(kernels::kMaxLanes, values[i % values.size()]);
        x[1].assign(kernels::kMaxLanes, values[i / values.size() % second]);
        x[2].assign(kernels::kMaxLanes, values[i / values.size() / second]);
        const auto args = this->pointers(x);
        AlignedVector<T> value(kernels::kMaxLanes);
        table.ops[o].value(args.data(), value.data(), 1);
        const long double wanted = this->expected(op_at(o), x, 0).value;
        if (std::isnan(wanted)) {
          EXPECT_TRUE(std::isnan(value[0]))
              << row.name << " " << to_text(target) << " at " << this->arguments(x, 0);
        } else if (std::fabs(wanted) >= static_cast<long double>(std::numeric_limits<T>::max())) {
          // At the largest number itself rounding decides.
          const bool beyond =
              std::fabs(wanted) > static_cast<long double>(std::numeric_limits<T>::max()) * 1.001L;
          const bool large = std::isinf(value[0]) ||
                             (!beyond && std::fabs(value[0]) == std::numeric_limits<T>::max());
          EXPECT_TRUE(large && std::signbit(value[0]) == std::signbit(wanted))
              << row.name << " " << to_text(target) << " at " << this->arguments(x, 0) << " gives "
              << value[0];
        } else {
          // Tiny results may be flushed within one smallest normal number.
          const long double slack = 8 * std::numeric_limits<T>::epsilon() * std::fabs(wanted) +
                                    static_cast<long double>(std::numeric_limits<T>::min());
          EXPECT_TRUE(std::fabs(static_cast<long double>(value[0]) - wanted) <= slack)
              << row.name << " " << to_text(target) << " at " << this->arguments(x, 0) << " gives "
              << value[0] << ", wanted " << static_cast<double>(wanted);
        }
      }
    }
  }
}

TYPED_TEST(Operators, RowsDependNeitherOnPlaceNorOnNeighbours) {
  using T = TypeParam;
  for (const Target target : this->targets()) {
    const KernelTable<T>& table = kernels::kernel_table<T>(target);
    for (std::size_t o = 0; o < kOpCount; ++o) {
      const OpInfo& row = info(op_at(o));
      Columns<T> x = this->random_columns(row, static_cast<std::uint32_t>(o));
      AlignedVector<T> all(kSpace);
      table.ops[o].value(this->pointers(x).data(), all.data(), kRows);
      for (std::size_t rows = 1; rows <= 2 * kernels::kMaxLanes + 3; ++rows) {
        for (std::size_t first = 0; first < 3; ++first) {  // starts off the vector boundary too
          AlignedVector<T> some(rows + kernels::kMaxLanes);
          const std::array<const T*, kMaxArity> args{x[0].data() + first, x[1].data() + first,
                                                     x[2].data() + first};
          table.ops[o].value(args.data(), some.data(), rows);
          for (std::size_t r = 0; r < rows; ++r) {
            ASSERT_TRUE(same_bits(some[r], all[first + r]) ||
                        (std::isnan(some[r]) && std::isnan(all[first + r])))
                << row.name << " " << to_text(target) << " rows " << rows << " row " << r;
          }
        }
      }
      for (const T poison :
           {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(), T(1e30)}) {
        for (std::size_t lane = 0; lane < kernels::kMaxLanes; ++lane) {
          Columns<T> y = x;
          for (auto& column : y) column[lane] = poison;
          AlignedVector<T> out(2 * kernels::kMaxLanes);
          table.ops[o].value(this->pointers(y).data(), out.data(), kernels::kMaxLanes);
          for (std::size_t r = 0; r < kernels::kMaxLanes; ++r) {
            if (r == lane) continue;
            ASSERT_TRUE(same_bits(out[r], all[r]) || (std::isnan(out[r]) && std::isnan(all[r])))
                << row.name << " " << to_text(target) << " poisoned lane " << lane << " row " << r;
          }
        }
      }
    }
  }
}

// Where a period is reduced by another method than its neighbour's.
TYPED_TEST(Operators, PeriodsAreReducedLaneByLane) {
  using T = TypeParam;
  const T huge[] = {T(126), T(4e4), T(1e17), std::numeric_limits<T>::infinity(),
                    std::numeric_limits<T>::quiet_NaN()};
  Rng rng(17, 0, 0);
  for (const Target target : this->targets()) {
    const KernelTable<T>& table = kernels::kernel_table<T>(target);
    for (const Op op : {Op::sin, Op::cos, Op::tan}) {
      const auto value = table.ops[static_cast<std::size_t>(op)].value;
      for (int trial = 0; trial < 5000; ++trial) {
        const T range = std::array{T(1), T(100), T(30000)}[rng.below(3)];
        AlignedVector<T> alone(kernels::kMaxLanes, static_cast<T>(rng.uniform()) * range);
        AlignedVector<T> beside = alone;
        beside[rng.below(kernels::kMaxLanes - 1) + 1] = huge[rng.below(5)];
        AlignedVector<T> wanted(kernels::kMaxLanes);
        AlignedVector<T> met(kernels::kMaxLanes);
        const T* const args[] = {alone.data()};
        const T* const others[] = {beside.data()};
        value(args, wanted.data(), kernels::kMaxLanes);
        value(others, met.data(), kernels::kMaxLanes);
        ASSERT_TRUE(same_bits(met[0], wanted[0]))
            << info(op).name << " " << to_text(target) << " at " << alone[0];
      }
    }
  }
}

TYPED_TEST(Operators, PullbacksAreAdjointTimesPartial) {
  using T = TypeParam;
  constexpr std::size_t rows = 37;
  for (const Target target : this->targets()) {
    const KernelTable<T>& table = kernels::kernel_table<T>(target);
    for (std::size_t o = 0; o < kOpCount; ++o) {
      const OpInfo& row = info(op_at(o));
      const OpKernels<T>& op = table.ops[o];
      const Columns<T> x = this->random_columns(row, static_cast<std::uint32_t>(o));
      const auto args = this->pointers(x);
      AlignedVector<T> value(kSpace), partial(kSpace), adjoint(kSpace), out(kSpace),
          sum(kSpace, T{3});
      Rng rng(3, static_cast<std::uint32_t>(o), 0);
      for (T& g : adjoint) g = static_cast<T>(rng.normal());
      op.value(args.data(), value.data(), rows);
      for (std::size_t k = 0; k < static_cast<std::size_t>(row.arity); ++k) {
        ASSERT_EQ(op.pullback[k] == nullptr, row.zero_partial(static_cast<int>(k))) << row.name;
        if (op.pullback[k] == nullptr) continue;
        std::ranges::fill(sum, T{3});
        op.partial[k](args.data(), value.data(), partial.data(), rows);
        op.pullback[k](args.data(), value.data(), adjoint.data(), out.data(), rows);
        op.pullback_add[k](args.data(), value.data(), adjoint.data(), sum.data(), rows);
        for (std::size_t r = 0; r < rows; ++r) {
          const T product = adjoint[r] * partial[r];
          if (std::isnan(product)) {
            EXPECT_TRUE(std::isnan(out[r])) << row.name;
            continue;
          }
          EXPECT_EQ(out[r], product) << row.name << " " << k;
          EXPECT_EQ(sum[r], T{3} + product) << row.name << " " << k;
        }
      }
    }
  }
}

// If a bit says that a non-finite argument always shows in the result, it must, whatever the others
// are.
TYPED_TEST(Operators, PropagationBitsAreTrue) {
  using T = TypeParam;
  const std::vector<T> values = special_values<T>();
  for (const Target target : this->targets()) {
    const KernelTable<T>& table = kernels::kernel_table<T>(target);
    for (std::size_t o = 0; o < kOpCount; ++o) {
      const OpInfo& row = info(op_at(o));
      for (int k = 0; k < row.arity; ++k) {
        if (((row.propagates >> static_cast<unsigned>(k)) & 1U) == 0) continue;
        for (const T bad : values) {
          if (std::isfinite(bad)) continue;
          for (std::size_t i = 0; i < values.size() * values.size(); ++i) {
            Columns<T> x;
            x[0].assign(kernels::kMaxLanes, values[i % values.size()]);
            x[1].assign(kernels::kMaxLanes, values[i / values.size()]);
            x[2].assign(kernels::kMaxLanes, values[i % values.size()]);
            x[static_cast<std::size_t>(k)].assign(kernels::kMaxLanes, bad);
            AlignedVector<T> value(kernels::kMaxLanes);
            table.ops[o].value(this->pointers(x).data(), value.data(), 1);
            EXPECT_FALSE(std::isfinite(value[0]))
                << row.name << " " << to_text(target) << " at " << this->arguments(x, 0);
          }
        }
      }
    }
  }
}

TYPED_TEST(Operators, FinitenessTestIsExact) {
  using T = TypeParam;
  for (const Target target : this->targets()) {
    const KernelTable<T>& table = kernels::kernel_table<T>(target);
    for (std::size_t rows = 0; rows < 40; ++rows) {
      AlignedVector<T> x(rows + kernels::kMaxLanes, std::numeric_limits<T>::max());
      for (std::size_t r = rows; r < x.size(); ++r) x[r] = std::numeric_limits<T>::quiet_NaN();
      EXPECT_TRUE(table.all_finite(x.data(), rows)) << "large numbers must not overflow a sum";
      for (std::size_t r = 0; r < rows; ++r) {
        for (const T bad : {std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(),
                            std::numeric_limits<T>::quiet_NaN()}) {
          x[r] = bad;
          EXPECT_FALSE(table.all_finite(x.data(), rows)) << r << " of " << rows;
        }
        x[r] = 1;
      }
    }
  }
}

TYPED_TEST(Operators, DotAddsInTheSameOrderOnEveryTarget) {
  using T = TypeParam;
  Rng rng(9, 0, 0);
  AlignedVector<T> x(100), y(100);
  for (T& v : x) v = static_cast<T>(rng.normal());
  for (T& v : y) v = static_cast<T>(rng.normal());
  for (std::size_t rows = 0; rows <= 100; ++rows) {
    long double exact = 0;
    long double size = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      exact += static_cast<long double>(x[r]) * static_cast<long double>(y[r]);
      size += std::fabs(static_cast<long double>(x[r]) * static_cast<long double>(y[r]));
    }
    const double first = kernels::kernel_table<T>(Target::scalar).dot(x.data(), y.data(), rows);
    // Each of at most rows additions and products rounds once.
    EXPECT_LE(std::fabs(static_cast<long double>(first) - exact),
              static_cast<long double>(rows) * 0x1p-52L * size);
    for (const Target target : this->targets()) {
      EXPECT_EQ(kernels::kernel_table<T>(target).dot(x.data(), y.data(), rows), first);
    }
  }
}

}  // namespace
}  // namespace vieta::oracle
