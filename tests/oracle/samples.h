// samples: arguments on which an operator is judged.
#pragma once

#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "ops/op.h"

namespace vieta::oracle {

/// Where each argument of an operator is drawn from.
struct Range {
  double low;
  double high;
};

/// The stretch on which the written bound of value and derivative is held. Outside it, special
/// values are tested for their kind (NaN, infinity, zero).
inline Range range_of(const OpInfo& row, int argument) {
  const std::string_view id = row.id;
  if (id == "exp" || id == "expm1" || id == "sinh" || id == "cosh") return {-80, 80};
  if (id == "exp2") return {-110, 110};
  if (id == "log" || id == "log2" || id == "log10") return {0, 1000};
  if (id == "log1p") return {-1, 100};
  if (id == "asin" || id == "acos" || id == "atanh") return {-1, 1};
  if (id == "acosh") return {1, 100};
  if (id == "sqrt") return {0, 1000};
  if (id == "gamma") return {-5, 20};
  if (id == "lgamma" || id == "digamma") return {0.01, 100};
  if (id == "polygamma") return argument == 0 ? Range{0, 3} : Range{0.1, 50};
  if (id == "pow") return argument == 0 ? Range{0, 20} : Range{-8, 8};
  if (id == "erf" || id == "erfc") return {-5, 5};
  if (id == "tanh" || id == "logistic" || id == "softplus") return {-30, 30};
  return {-50, 50};
}

/// Numbers at which kinds change: zeros, ones, halves, integers, infinities, NaN, the ends of the
/// format.
template <class T>
std::vector<T> special_values() {
  using L = std::numeric_limits<T>;
  std::vector<T> values;
  for (const double x : {0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 2.5, 10.0, 1e4}) {
    values.push_back(static_cast<T>(x));
    values.push_back(static_cast<T>(-x));
  }
  for (const T x : {L::min(), L::max(), L::denorm_min(), L::epsilon(), L::infinity()}) {
    values.push_back(x);
    values.push_back(-x);
  }
  values.push_back(L::quiet_NaN());
  return values;
}

/// Uniform in the range, a tenth of it very close to zero or to an end.
template <class T>
T draw(Rng& rng, const Range& range) {
  const double u = rng.uniform();
  double x = range.low + (range.high - range.low) * rng.uniform();
  if (u < 0.05) x = range.low + (range.high - range.low) * std::exp(-20 * rng.uniform());
  if (u > 0.95) x = std::copysign(std::exp(-20 * rng.uniform()), x);
  if (x < range.low || x > range.high) x = range.low + (range.high - range.low) / 3;
  return static_cast<T>(x);
}

/// Distance in units in the last place of `expected` as a T. Infinite unless both are NaN, or both
/// the same infinity, or both finite. An expected value beyond the format counts as infinite, one
/// below it as exact to its smallest step.
template <class T>
double ulp_error(T value, long double expected) {
  using L = std::numeric_limits<T>;
  const double none = std::numeric_limits<double>::infinity();
  if (std::isnan(expected)) return std::isnan(value) ? 0 : none;
  const long double largest = static_cast<long double>(L::max());
  const bool overflow = std::fabs(expected) > largest;
  if (std::isinf(value)) {
    // Rounding decides within one unit of the largest number.
    const bool near_top =
        std::fabs(expected) > largest * (1 - 4 * static_cast<long double>(L::epsilon()));
    return near_top && (value > 0) == (expected > 0) ? 0 : none;
  }
  if (std::isnan(value)) return none;
  if (overflow)
    return std::fabs(expected) < largest * (1 + 4 * static_cast<long double>(L::epsilon())) ? 1
                                                                                            : none;
  const long double magnitude = std::fmax(std::fabs(expected), static_cast<long double>(L::min()));
  const long double unit =
      std::ldexp(static_cast<long double>(L::epsilon()), std::ilogb(magnitude));
  return static_cast<double>(std::fabs(static_cast<long double>(value) - expected) / unit);
}

}  // namespace vieta::oracle
