// binary: functions of two and three arguments for Jet, Jet2 and Var. Constants may stand in any
// place but all.
#pragma once

#include <cmath>
#include <type_traits>

#include "ad/number.h"
#include "ad/plain.h"
#include "ad/unary.h"

namespace vieta::ad {

using std::atan2;
using std::copysign;
using std::fma;
using std::fmod;
using std::ldexp;
using std::remainder;

template <class X, class Y, class Z>
struct JointOfThree {};
template <class X, class Y, class Z>
  requires requires { typename joint_t<joint_t<X, Y>, Z>; }
struct JointOfThree<X, Y, Z> {
  using type = joint_t<joint_t<X, Y>, Z>;
};
template <class X, class Y, Number Z>
  requires std::is_arithmetic_v<X> && std::is_arithmetic_v<Y>
struct JointOfThree<X, Y, Z> {
  using type = Z;
};
template <class X, class Y, class Z>
using joint_of_three_t = typename JointOfThree<X, Y, Z>::type;

// Rows as in unary.h; the arguments' values are a and b.
#define VIETA_AD_BINARY(name, value_, da_, db_, daa_, dab_, dbb_)           \
  template <class X, class Y, class Z = joint_t<X, Y>>                      \
  Z name(const X& x_, const Y& y_) {                                        \
    using T = typename Z::value_type;                                       \
    const Z x(x_);                                                          \
    const Z y(y_);                                                          \
    const T& a = x.value;                                                   \
    const T& b = y.value;                                                   \
    const T v = value_;                                                     \
    if constexpr (Z::order == 1) {                                          \
      return Z::binary(x, y, v, T(da_), T(db_));                            \
    } else {                                                                \
      return Z::binary(x, y, v, T(da_), T(db_), T(daa_), T(dab_), T(dbb_)); \
    }                                                                       \
  }

VIETA_AD_BINARY(atan2, atan2(a, b), b / hypot(a, b) / hypot(a, b), -a / hypot(a, b) / hypot(a, b),
                -2 * (a / hypot(a, b)) * (b / hypot(a, b)) / hypot(a, b) / hypot(a, b),
                (a - b) / hypot(a, b) * ((a + b) / hypot(a, b)) / hypot(a, b) / hypot(a, b),
                2 * (a / hypot(a, b)) * (b / hypot(a, b)) / hypot(a, b) / hypot(a, b))
/// a/v for v = hypot(a, b), so that its own derivatives lose no digits: those of the plain quotient
/// cancel where a is nearly v.
template <Scalar T>
T share_of_hypot(const T& a, const T& b, const T& v) {
  if (v == 0) return T(0);
  if constexpr (Number<T>) {
    if (std::abs(value(a)) > std::abs(value(b)))
      return (a > 0 ? T(1) : T(-1)) / sqrt(1 + square(b / a));
  }
  return a / v;
}

// At the origin every derivative of hypot is taken as 0, as abs'(0) is.
VIETA_AD_BINARY(hypot, hypot(a, b), share_of_hypot(a, b, v), share_of_hypot(b, a, v),
                v == 0 ? T(0) : T(square(b / v) / v), v == 0 ? T(0) : T(-(a / v) * (b / v) / v),
                v == 0 ? T(0) : T(square(a / v) / v))
// The quotient that was taken off is an integer: it is a constant.
VIETA_AD_BINARY(fmod, fmod(a, b), 1, std::nearbyint(value((v - a) / b)), 0, 0, 0)
VIETA_AD_BINARY(remainder, remainder(a, b), 1, std::nearbyint(value((v - a) / b)), 0, 0, 0)
VIETA_AD_BINARY(mod, mod(a, b), 1, std::nearbyint(value((v - a) / b)), 0, 0, 0)
#undef VIETA_AD_BINARY

/// Constant exponent, integer or not. No logarithm is taken: negative bases are fine, and so is a
/// zero base wherever the derivative exists.
template <Number X, ConstantBeside<X> C>
  requires std::is_arithmetic_v<C>
X pow(const X& x, const C& c) {
  using T = typename X::value_type;
  const T& a = x.value;
  const T v = pow(a, c);
  if (skips_derivatives(x)) return X(v);
  // As pow(a, c) computes it: for an integer c of 1 or 2 the exponent becomes 0 or 1.
  using E = std::conditional_t<std::is_floating_point_v<C>, C, double>;
  const E e = static_cast<E>(c);
  const T g = e == 0 ? T(0) : T(e * pow(a, e - 1));
  if constexpr (X::order == 1) {
    return X::unary(x, v, g);
  } else {
    return X::unary(x, v, g, e * (e - 1) == 0 ? T(0) : T(e * (e - 1) * pow(a, e - 2)));
  }
}

/// Exponent that carries derivatives, at least in type.
template <class X, class Y, class Z = joint_t<X, Y>>
  requires(!(Number<X> && std::is_arithmetic_v<Y>))
Z pow(const X& x_, const Y& y_) {
  using T = typename Z::value_type;
  const Z x(x_);
  const Z y(y_);
  const T& a = x.value;
  const T& b = y.value;
  const T v = pow(a, b);
  const T ga = b == 0 ? T(0) : T(b * pow(a, b - 1));
  // 0^b is 0 for every b > 0: no dependence, though log(0) is infinite.
  const T gb = v == 0 ? T(0) : T(v * log(a));
  if constexpr (Z::order == 1) {
    return Z::binary(x, y, v, ga, gb);
  } else {
    const T haa = b * (b - 1) == 0 ? T(0) : T(b * (b - 1) * pow(a, b - 2));
    const T hab = v == 0 ? T(0) : T(pow(a, b - 1) * (1 + b * log(a)));
    const T hbb = v == 0 ? T(0) : T(v * log(a) * log(a));
    return Z::binary(x, y, v, ga, gb, haa, hab, hbb);
  }
}

/// As std::min and std::max: on a tie, and beside a NaN in second place, the first argument, with
/// its derivatives.
template <class X, class Y, class Z = joint_t<X, Y>>
constexpr Z min(const X& x, const Y& y) {
  return value(y) < value(x) ? Z(y) : Z(x);
}
template <class X, class Y, class Z = joint_t<X, Y>>
constexpr Z max(const X& x, const Y& y) {
  return value(x) < value(y) ? Z(y) : Z(x);
}
/// As the C functions: a NaN loses.
template <class X, class Y, class Z = joint_t<X, Y>>
constexpr Z fmin(const X& x, const Y& y) {
  return value(y) < value(x) || value(x) != value(x) ? Z(y) : Z(x);
}
template <class X, class Y, class Z = joint_t<X, Y>>
constexpr Z fmax(const X& x, const Y& y) {
  return value(x) < value(y) || value(x) != value(x) ? Z(y) : Z(x);
}
/// x - y where that is positive; derivatives 0 where it is not.
template <class X, class Y, class Z = joint_t<X, Y>>
Z fdim(const X& x, const Y& y) {
  return relu(Z(x) - Z(y));
}
/// |x| with the sign of y; at x = 0 the derivative is 0, as abs'(0) is.
template <class X, class Y, class Z = joint_t<X, Y>>
Z copysign(const X& x, const Y& y) {
  const Z magnitude = abs(Z(x));
  return std::signbit(value(y)) ? -magnitude : magnitude;
}

template <class X, class Lo, class Hi, class Z = joint_of_three_t<X, Lo, Hi>>
constexpr Z clamp(const X& x, const Lo& lo, const Hi& hi) {
  if (value(x) < value(lo)) return Z(lo);
  if (value(hi) < value(x)) return Z(hi);
  return Z(x);
}
template <class A, class B, class C, class Z = joint_of_three_t<A, B, C>>
Z fma(const A& a, const B& b, const C& c) {
  using T = typename Z::value_type;
  const Z x(a);
  const Z y(b);
  const Z z(c);
  const T v = fma(x.value, y.value, z.value);
  return Z::shifted(x * y + z, v);
}
/// sqrt(x^2 + y^2 + z^2) without overflow.
template <class A, class B, class C, class Z = joint_of_three_t<A, B, C>>
Z hypot(const A& a, const B& b, const C& c) {
  return hypot(hypot(Z(a), Z(b)), Z(c));
}
/// a + t (b - a).
template <class A, class B, class C, class Z = joint_of_three_t<A, B, C>>
Z lerp(const A& a, const B& b, const C& t) {
  using T = typename Z::value_type;
  const Z x(a);
  const Z y(b);
  const Z s(t);
  using std::lerp;
  const T v = lerp(x.value, y.value, s.value);
  return Z::shifted(x + s * (y - x), v);
}

template <Number X>
X ldexp(const X& x, int n) {
  using T = typename X::value_type;
  using Base = decltype(value(x));
  return X::scaled(x, ldexp(x.value, n), T(std::ldexp(Base(1), n)));
}
template <Number X>
X scalbn(const X& x, int n) {
  return ldexp(x, n);
}
template <Number X>
X frexp(const X& x, int* exponent) {
  static_cast<void>(std::frexp(value(x), exponent));
  return ldexp(x, -*exponent);
}
template <Number X>
X modf(const X& x, X* integer_part) {
  *integer_part = trunc(x);
  return x - *integer_part;
}

}  // namespace vieta::ad
