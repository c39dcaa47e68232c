// unary: functions of one argument for Jet, Jet2 and Var.
//
// A row is: name, value, first and second derivative, in a (the argument) and v (the value). The
// second is computed by Jet2 alone. Every expression must hold for T = Number too (nesting), and
// be accurate where the value is: no cancellation, no overflow before its time.
#pragma once

#include <cmath>

#include "ad/number.h"
#include "ad/plain.h"

namespace vieta::ad {

using std::abs;
using std::acos;
using std::acosh;
using std::asin;
using std::asinh;
using std::atan;
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
using std::fabs;
using std::floor;
using std::hypot;
using std::lgamma;
using std::log;
using std::log10;
using std::log1p;
using std::log2;
using std::nearbyint;
using std::pow;
using std::rint;
using std::round;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;
using std::tgamma;
using std::trunc;

template <class T>
inline const T kLn2 = T(0.693147180559945309417232121458176568L);
template <class T>
inline const T kLn10 = T(2.302585092994045684017991454684364208L);
template <class T>
inline const T kTwoOverSqrtPi = T(1.128379167095512573896158903121545172L);

/// A constant needs no derivative: Var skips the work, the others have no such thing.
template <Number X>
constexpr bool skips_derivatives(const X& x) {
  if constexpr (requires { x.is_constant(); }) {
    return x.is_constant();
  } else {
    return false;
  }
}

#define VIETA_AD_UNARY(name, value_, first_, second_) \
  template <Number X>                                 \
  X name(const X& x) {                                \
    using T = typename X::value_type;                 \
    const T& a = x.value;                             \
    const T v = value_;                               \
    if (skips_derivatives(x)) return X(v);            \
    if constexpr (X::order == 1) {                    \
      return X::unary(x, v, T(first_));               \
    } else {                                          \
      return X::unary(x, v, T(first_), T(second_));   \
    }                                                 \
  }

VIETA_AD_UNARY(square, a* a, 2 * a, 2)
VIETA_AD_UNARY(cube, a* a* a, 3 * (a * a), 6 * a)
VIETA_AD_UNARY(inv, 1 / a, -(v* v), 2 * v * (v * v))
VIETA_AD_UNARY(sqrt, sqrt(a), 1 / (2 * v), -1 / (4 * (a * v)))
VIETA_AD_UNARY(cbrt, cbrt(a), 1 / (3 * (v * v)), -2 / (9 * a * (v * v)))

VIETA_AD_UNARY(exp, exp(a), v, v)
VIETA_AD_UNARY(exp2, exp2(a), kLn2<T>* v, kLn2<T>* kLn2<T>* v)
VIETA_AD_UNARY(expm1, expm1(a), exp(a), exp(a))
VIETA_AD_UNARY(log, log(a), 1 / a, -1 / (a * a))
VIETA_AD_UNARY(log2, log2(a), 1 / (kLn2<T> * a), -1 / (kLn2<T> * (a * a)))
VIETA_AD_UNARY(log10, log10(a), 1 / (kLn10<T> * a), -1 / (kLn10<T> * (a * a)))
VIETA_AD_UNARY(log1p, log1p(a), 1 / (1 + a), -1 / square(1 + a))

VIETA_AD_UNARY(sin, sin(a), cos(a), -v)
VIETA_AD_UNARY(cos, cos(a), -sin(a), -v)
VIETA_AD_UNARY(tan, tan(a), 1 + v * v, 2 * v * (1 + v * v))
VIETA_AD_UNARY(asin, asin(a), 1 / sqrt((1 - a) * (1 + a)), a / cube(sqrt((1 - a) * (1 + a))))
VIETA_AD_UNARY(acos, acos(a), -1 / sqrt((1 - a) * (1 + a)), -a / cube(sqrt((1 - a) * (1 + a))))
VIETA_AD_UNARY(atan, atan(a), 1 / (1 + a * a), -2 * a / square(1 + a * a))
VIETA_AD_UNARY(sinh, sinh(a), cosh(a), v)
VIETA_AD_UNARY(cosh, cosh(a), sinh(a), v)
VIETA_AD_UNARY(tanh, tanh(a), 4 * exp(-2 * abs(a)) / square(1 + exp(-2 * abs(a))),
               -8 * v * exp(-2 * abs(a)) / square(1 + exp(-2 * abs(a))))
VIETA_AD_UNARY(asinh, asinh(a), 1 / hypot(T(1), a), -a / cube(hypot(T(1), a)))
VIETA_AD_UNARY(acosh, acosh(a), 1 / (sqrt(a - 1) * sqrt(a + 1)),
               -a / cube(sqrt(a - 1) * sqrt(a + 1)))
VIETA_AD_UNARY(atanh, atanh(a), 1 / ((1 - a) * (1 + a)), 2 * a / square((1 - a) * (1 + a)))

VIETA_AD_UNARY(logistic, logistic(a), exp(-abs(a)) / square(1 + exp(-abs(a))),
               -tanh(a / 2) * (exp(-abs(a)) / square(1 + exp(-abs(a)))))
VIETA_AD_UNARY(softplus, softplus(a), logistic(a), exp(-abs(a)) / square(1 + exp(-abs(a))))
VIETA_AD_UNARY(erf, erf(a), kTwoOverSqrtPi<T>* exp(-(a* a)),
               -2 * a * (kTwoOverSqrtPi<T> * exp(-(a * a))))
VIETA_AD_UNARY(erfc, erfc(a), -kTwoOverSqrtPi<T>* exp(-(a* a)),
               2 * a * (kTwoOverSqrtPi<T> * exp(-(a * a))))

/// n-th derivative of digamma. Only the argument is differentiated, not the order.
template <Number X>
X polygamma(int n, const X& x) {
  using T = typename X::value_type;
  const auto at = [&](int k) {
    if constexpr (Number<T>) {
      return polygamma(k, x.value);
    } else {
      return vieta::polygamma(T(k), x.value);
    }
  };
  if constexpr (X::order == 1) {
    return X::unary(x, at(n), at(n + 1));
  } else {
    return X::unary(x, at(n), at(n + 1), at(n + 2));
  }
}
template <Number X>
X digamma(const X& x) {
  return polygamma(0, x);
}
/// psi'(a) for every T.
template <Scalar T>
T trigamma(const T& a) {
  if constexpr (Number<T>) {
    return polygamma(1, a);
  } else {
    return vieta::polygamma(T(1), a);
  }
}

VIETA_AD_UNARY(tgamma, tgamma(a), v* digamma(a), v*(square(digamma(a)) + trigamma(a)))
VIETA_AD_UNARY(lgamma, lgamma(a), digamma(a), trigamma(a))
#undef VIETA_AD_UNARY

template <Number X>
X gamma(const X& x) {
  return tgamma(x);
}

// Piecewise linear: the kinks' derivatives are fixed, abs'(0) = relu'(0) = 0.
template <Number X>
X abs(const X& x) {
  using T = typename X::value_type;
  const T v = abs(x.value);
  return X::scaled(x, v, x.value > 0 ? T(1) : x.value < 0 ? T(-1) : T(0));
}
template <Number X>
X fabs(const X& x) {
  return abs(x);
}
template <Number X>
X relu(const X& x) {
  using T = typename X::value_type;
  if (x.value > 0 || !(x.value == x.value)) return x;
  return X(T(0));
}

// Piecewise constant: the result is a constant.
template <Number X>
X sign(const X& x) {
  return X(sign(x.value));
}

#define VIETA_AD_STEP(name)   \
  template <Number X>         \
  X name(const X& x) {        \
    using std::name;          \
    return X(name(value(x))); \
  }
VIETA_AD_STEP(floor)
VIETA_AD_STEP(ceil)
VIETA_AD_STEP(round)
VIETA_AD_STEP(trunc)
VIETA_AD_STEP(rint)
VIETA_AD_STEP(nearbyint)
VIETA_AD_STEP(logb)
#undef VIETA_AD_STEP

#define VIETA_AD_QUESTION(name) \
  template <Number X>           \
  auto name(const X& x) {       \
    using std::name;            \
    return name(value(x));      \
  }
VIETA_AD_QUESTION(isfinite)
VIETA_AD_QUESTION(isinf)
VIETA_AD_QUESTION(isnan)
VIETA_AD_QUESTION(isnormal)
VIETA_AD_QUESTION(signbit)
VIETA_AD_QUESTION(fpclassify)
VIETA_AD_QUESTION(ilogb)
VIETA_AD_QUESTION(lround)
VIETA_AD_QUESTION(llround)
VIETA_AD_QUESTION(lrint)
VIETA_AD_QUESTION(llrint)
#undef VIETA_AD_QUESTION

}  // namespace vieta::ad
