// std_names: lets generic code say std::exp(x), std::isfinite(x), std::numeric_limits<T>.
//
// Strictly, only the class templates may be specialised; the using-declarations add overloads to
// std, which the standard reserves. They are constrained to this room's own types, so no call that
// was valid before changes its meaning, and without them "differentiate it as it is" would fail at
// the first std::sin. Include this header before the code that uses the names: a qualified name is
// looked up where the template is written. (Too late is a compile error, not a wrong number.)
#pragma once

#include <cmath>
#include <limits>

#include "ad/binary.h"
#include "ad/jet.h"
#include "ad/number.h"
#include "ad/unary.h"
#include "ad/var.h"
#if !defined(__GLIBCXX__)
#include <complex>
#endif

namespace std {

using vieta::ad::abs, vieta::ad::acos, vieta::ad::acosh, vieta::ad::asin, vieta::ad::asinh;
using vieta::ad::atan, vieta::ad::atan2, vieta::ad::atanh, vieta::ad::cbrt, vieta::ad::ceil;
using vieta::ad::clamp, vieta::ad::copysign, vieta::ad::cos, vieta::ad::cosh, vieta::ad::erf;
using vieta::ad::erfc, vieta::ad::exp, vieta::ad::exp2, vieta::ad::expm1, vieta::ad::fabs;
using vieta::ad::fdim, vieta::ad::floor, vieta::ad::fma, vieta::ad::fmax, vieta::ad::fmin;
using vieta::ad::fmod, vieta::ad::fpclassify, vieta::ad::frexp, vieta::ad::hypot;
using vieta::ad::ilogb, vieta::ad::isfinite, vieta::ad::isinf, vieta::ad::isnan;
using vieta::ad::isnormal, vieta::ad::ldexp, vieta::ad::lerp, vieta::ad::lgamma;
using vieta::ad::llrint, vieta::ad::llround, vieta::ad::log, vieta::ad::log10, vieta::ad::log1p;
using vieta::ad::log2, vieta::ad::logb, vieta::ad::lrint, vieta::ad::lround, vieta::ad::max;
using vieta::ad::min, vieta::ad::modf, vieta::ad::nearbyint, vieta::ad::pow, vieta::ad::remainder;
using vieta::ad::rint, vieta::ad::round, vieta::ad::scalbn, vieta::ad::signbit, vieta::ad::sin;
using vieta::ad::sinh, vieta::ad::sqrt, vieta::ad::tan, vieta::ad::tanh, vieta::ad::tgamma;
using vieta::ad::trunc;

/// The limits of the value, as constants.
template <vieta::ad::Number X>
class numeric_limits<X> : public numeric_limits<typename X::value_type> {
  using Base = numeric_limits<typename X::value_type>;

 public:
  static constexpr X min() noexcept { return X(Base::min()); }
  static constexpr X max() noexcept { return X(Base::max()); }
  static constexpr X lowest() noexcept { return X(Base::lowest()); }
  static constexpr X epsilon() noexcept { return X(Base::epsilon()); }
  static constexpr X round_error() noexcept { return X(Base::round_error()); }
  static constexpr X infinity() noexcept { return X(Base::infinity()); }
  static constexpr X quiet_NaN() noexcept { return X(Base::quiet_NaN()); }
  static constexpr X signaling_NaN() noexcept { return X(Base::signaling_NaN()); }
  static constexpr X denorm_min() noexcept { return X(Base::denorm_min()); }
};

#if defined(__GLIBCXX__)
template <class T>
class complex;
#endif

/// Refused: std::complex of a type that is not built in is unspecified, and gives wrong derivatives
/// without a word (its abs, sqrt and / scale by magnitudes).
template <vieta::ad::Number X>
class complex<X> {
  static_assert(!vieta::ad::is_number<X>,
                "std::complex cannot carry derivatives: write the real and imaginary parts as two "
                "numbers");
};

}  // namespace std
