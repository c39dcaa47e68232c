// plain: functions that <cmath> lacks, for floating-point types, so that one generic callable works
// with and without derivatives.
#pragma once

#include <cmath>
#include <concepts>
#include <type_traits>

#include "base/polygamma.h"

namespace vieta::ad {

template <std::floating_point T>
constexpr T square(T a) {
  return a * a;
}
template <std::floating_point T>
constexpr T cube(T a) {
  return a * a * a;
}
template <std::floating_point T>
constexpr T inv(T a) {
  return 1 / a;
}
/// -1, 0 or 1; keeps the sign of a zero and a NaN.
template <std::floating_point T>
constexpr T sign(T a) {
  return a > 0 ? T(1) : a < 0 ? T(-1) : a;
}
template <std::floating_point T>
constexpr T relu(T a) {
  const bool nan = a != a;  // NOLINT(misc-redundant-expression)
  return a > 0 || nan ? a : T(0);
}
/// 1/(1 + e^-a) without overflow.
template <std::floating_point T>
T logistic(T a) {
  const T t = std::exp(-std::abs(a));
  return (a >= 0 ? T(1) : t) / (1 + t);
}
/// log(1 + e^a) without overflow.
template <std::floating_point T>
T softplus(T a) {
  return (a > 0 ? a : T(0)) + std::log1p(std::exp(-std::abs(a)));
}
/// Remainder with the sign of b (fmod has the sign of a).
template <std::floating_point T>
T mod(T a, T b) {
  const T r = std::fmod(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
template <std::floating_point T>
T gamma(T a) {
  return std::tgamma(a);
}

using vieta::digamma;
using vieta::polygamma;

}  // namespace vieta::ad
