// reference_math: every operator in long double, written for being right, not fast. Shares nothing
// with the kernels' functions, so that it can judge them. Only eval/reference.cc includes it.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "base/polygamma.h"

namespace vieta::reference {

using Real = long double;

inline constexpr Real ln2 = std::numbers::ln2_v<Real>;
inline constexpr Real ln10 = std::numbers::ln10_v<Real>;
inline constexpr Real two_over_sqrt_pi = 2 * std::numbers::inv_sqrtpi_v<Real>;
inline constexpr Real undefined = std::numeric_limits<Real>::quiet_NaN();

using std::acos;
using std::acosh;
using std::asin;
using std::asinh;
using std::atan;
using std::atan2;
using std::atanh;
using std::cbrt;
using std::ceil;
using std::cos;
using std::cosh;
using std::erf;
using std::erfc;
using std::exp;
using std::exp2;
using std::expm1;
using std::floor;
using std::fma;
using std::fmod;
using std::lgamma;
using std::log;
using std::log10;
using std::log1p;
using std::log2;
using std::pow;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;
using std::trunc;
using vieta::digamma;
using vieta::polygamma;

inline Real where(bool condition, Real then, Real otherwise) {
  return condition ? then : otherwise;
}
inline Real inv(Real a) { return 1 / a; }
inline Real square(Real a) { return a * a; }
inline Real cube(Real a) { return a * a * a; }
inline Real abs(Real a) { return std::fabs(a); }
inline Real sign(Real a) {
  if (a > 0) return 1;
  return a < 0 ? -1 : a;
}
inline Real round(Real a) { return std::nearbyint(a); }  // halves to even in the default mode
inline Real relu(Real a) { return std::isnan(a) || a > 0 ? a : 0; }
inline Real logistic(Real a) {
  return a < 0 ? std::exp(a) / (1 + std::exp(a)) : 1 / (1 + std::exp(-a));
}
inline Real softplus(Real a) {
  return a > 0 ? a + std::log1p(std::exp(-a)) : std::log1p(std::exp(a));
}
inline Real gamma(Real a) { return a == 0 ? 1 / a : std::tgamma(a); }
inline Real hypot(Real a, Real b) { return std::hypot(a, b); }
inline Real min(Real a, Real b) {
  if (std::isnan(a) || std::isnan(b)) return undefined;
  return b < a ? b : a;
}
inline Real max(Real a, Real b) {
  if (std::isnan(a) || std::isnan(b)) return undefined;
  return b > a ? b : a;
}
inline Real clamp(Real a, Real b, Real c) { return min(max(a, b), c); }
inline Real mod(Real a, Real b) {
  const Real r = std::fmod(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

}  // namespace vieta::reference
