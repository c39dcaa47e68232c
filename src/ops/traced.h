// traced: the symbol that stands for a number while a callable is traced (trace.h). A number type
// beside the derivative-carrying ones: the same functions, found in the same ways.
//
// Whatever has no counterpart among the built-in operators, or would show a value, ends the trace.
#pragma once

#include <cmath>
#include <compare>
#include <limits>
#include <type_traits>

#include "ad/std_names.h"
#include "ops/trace.h"

namespace vieta::ad {

struct Traced {
  OpBody::Operand operand;

  Traced() : Traced(0.0) {}
  template <class U>
    requires std::is_arithmetic_v<U>
  Traced(U number)  // implicit: a number is a constant
      : operand(Tracer::current().number(static_cast<double>(number))) {}

  static Traced argument(std::uint32_t index) {
    return Traced(OpBody::Operand{OpBody::Operand::Kind::argument, index});
  }
  static Traced of(Op op, const Traced& a) {
    const OpBody::Operand args[] = {a.operand};
    return Traced(Tracer::current().step(op, args));
  }
  static Traced of(Op op, const Traced& a, const Traced& b) {
    const OpBody::Operand args[] = {a.operand, b.operand};
    return Traced(Tracer::current().step(op, args));
  }
  static Traced of(Op op, const Traced& a, const Traced& b, const Traced& c) {
    const OpBody::Operand args[] = {a.operand, b.operand, c.operand};
    return Traced(Tracer::current().step(op, args));
  }
  static bool decide(Op op, const Traced& a, const Traced& b) {
    return Tracer::current().decide(op, a.operand, b.operand);
  }
  [[noreturn]] static void refuse() { throw Untraceable{}; }

  explicit operator bool() const { return decide(Op::ne, *this, 0); }
  template <class I>
    requires(std::is_integral_v<I> && !std::is_same_v<I, bool>)
  explicit operator I() const {
    refuse();
  }

  friend Traced operator+(const Traced& a) { return a; }
  friend Traced operator-(const Traced& a) { return of(Op::neg, a); }
  friend Traced operator+(const Traced& a, const Traced& b) { return of(Op::add, a, b); }
  friend Traced operator-(const Traced& a, const Traced& b) { return of(Op::sub, a, b); }
  friend Traced operator*(const Traced& a, const Traced& b) { return of(Op::mul, a, b); }
  friend Traced operator/(const Traced& a, const Traced& b) { return of(Op::div, a, b); }
  friend Traced& operator+=(Traced& a, const Traced& b) { return a = a + b; }
  friend Traced& operator-=(Traced& a, const Traced& b) { return a = a - b; }
  friend Traced& operator*=(Traced& a, const Traced& b) { return a = a * b; }
  friend Traced& operator/=(Traced& a, const Traced& b) { return a = a / b; }
  friend Traced& operator++(Traced& a) { return a = a + 1; }
  friend Traced& operator--(Traced& a) { return a = a - 1; }
  friend Traced operator++(Traced& a, int) {
    const Traced before = a;
    ++a;
    return before;
  }
  friend Traced operator--(Traced& a, int) {
    const Traced before = a;
    --a;
    return before;
  }

  friend bool operator<(const Traced& a, const Traced& b) { return decide(Op::lt, a, b); }
  friend bool operator<=(const Traced& a, const Traced& b) { return decide(Op::le, a, b); }
  friend bool operator>(const Traced& a, const Traced& b) { return decide(Op::gt, a, b); }
  friend bool operator>=(const Traced& a, const Traced& b) { return decide(Op::ge, a, b); }
  friend bool operator==(const Traced& a, const Traced& b) { return decide(Op::eq, a, b); }
  friend bool operator!=(const Traced& a, const Traced& b) { return decide(Op::ne, a, b); }
  friend std::partial_ordering operator<=>(const Traced& a, const Traced& b) {
    if (a < b) return std::partial_ordering::less;
    if (a == b) return std::partial_ordering::equivalent;
    return a > b ? std::partial_ordering::greater : std::partial_ordering::unordered;
  }

 private:
  explicit Traced(OpBody::Operand o) : operand(o) {}
};

#define VIETA_TRACED(name, op) \
  inline Traced name(const Traced& a) { return Traced::of(Op::op, a); }
VIETA_TRACED(square, square)
VIETA_TRACED(cube, cube)
VIETA_TRACED(inv, inv)
VIETA_TRACED(sqrt, sqrt)
VIETA_TRACED(cbrt, cbrt)
VIETA_TRACED(exp, exp)
VIETA_TRACED(exp2, exp2)
VIETA_TRACED(expm1, expm1)
VIETA_TRACED(log, log)
VIETA_TRACED(log2, log2)
VIETA_TRACED(log10, log10)
VIETA_TRACED(log1p, log1p)
VIETA_TRACED(sin, sin)
VIETA_TRACED(cos, cos)
VIETA_TRACED(tan, tan)
VIETA_TRACED(asin, asin)
VIETA_TRACED(acos, acos)
VIETA_TRACED(atan, atan)
VIETA_TRACED(sinh, sinh)
VIETA_TRACED(cosh, cosh)
VIETA_TRACED(tanh, tanh)
VIETA_TRACED(asinh, asinh)
VIETA_TRACED(acosh, acosh)
VIETA_TRACED(atanh, atanh)
VIETA_TRACED(logistic, logistic)
VIETA_TRACED(softplus, softplus)
VIETA_TRACED(erf, erf)
VIETA_TRACED(erfc, erfc)
VIETA_TRACED(gamma, gamma)
VIETA_TRACED(tgamma, gamma)
VIETA_TRACED(lgamma, lgamma)
VIETA_TRACED(digamma, digamma)
VIETA_TRACED(abs, abs)
VIETA_TRACED(fabs, abs)
VIETA_TRACED(relu, relu)
VIETA_TRACED(sign, sign)
VIETA_TRACED(floor, floor)
VIETA_TRACED(ceil, ceil)
VIETA_TRACED(trunc, trunc)
VIETA_TRACED(rint, round)
VIETA_TRACED(nearbyint, round)
#undef VIETA_TRACED

inline Traced pow(const Traced& a, const Traced& b) { return Traced::of(Op::pow, a, b); }
inline Traced atan2(const Traced& a, const Traced& b) { return Traced::of(Op::atan2, a, b); }
inline Traced hypot(const Traced& a, const Traced& b) { return Traced::of(Op::hypot, a, b); }
inline Traced fmod(const Traced& a, const Traced& b) { return Traced::of(Op::fmod, a, b); }
inline Traced mod(const Traced& a, const Traced& b) { return Traced::of(Op::mod, a, b); }
inline Traced fma(const Traced& a, const Traced& b, const Traced& c) {
  return Traced::of(Op::fma, a, b, c);
}
inline Traced polygamma(int n, const Traced& a) { return Traced::of(Op::polygamma, n, a); }
inline Traced ldexp(const Traced& a, int power) { return a * std::ldexp(1.0, power); }
inline Traced scalbn(const Traced& a, int power) { return ldexp(a, power); }

inline bool isnan(const Traced& a) { return a != a; }
inline bool isfinite(const Traced& a) { return a - a == 0; }
inline bool isinf(const Traced& a) { return !isnan(a) && !isfinite(a); }

// As std::min and std::max do it: by one comparison, which a NaN fails.
inline Traced min(const Traced& a, const Traced& b) { return b < a ? b : a; }
inline Traced max(const Traced& a, const Traced& b) { return a < b ? b : a; }
inline Traced clamp(const Traced& a, const Traced& low, const Traced& high) {
  return a < low ? low : high < a ? high : a;
}
inline Traced fmin(const Traced& a, const Traced& b) {
  if (isnan(b)) return a;
  return isnan(a) || b < a ? b : a;
}
inline Traced fmax(const Traced& a, const Traced& b) {
  if (isnan(b)) return a;
  return isnan(a) || a < b ? b : a;
}
inline Traced fdim(const Traced& a, const Traced& b) { return a <= b ? Traced(0.0) : a - b; }

// What shows a value, and what no operator computes.
#define VIETA_UNTRACEABLE(result, name, ...) \
  [[noreturn]] inline result name(const Traced& __VA_ARGS__) { Traced::refuse(); }
VIETA_UNTRACEABLE(double, value, )
VIETA_UNTRACEABLE(Traced, round, )
VIETA_UNTRACEABLE(Traced, logb, )
VIETA_UNTRACEABLE(bool, signbit, )
VIETA_UNTRACEABLE(bool, isnormal, )
VIETA_UNTRACEABLE(int, fpclassify, )
VIETA_UNTRACEABLE(int, ilogb, )
VIETA_UNTRACEABLE(long, lround, )
VIETA_UNTRACEABLE(long, lrint, )
VIETA_UNTRACEABLE(long long, llround, )
VIETA_UNTRACEABLE(long long, llrint, )
VIETA_UNTRACEABLE(Traced, copysign, , const Traced&)
VIETA_UNTRACEABLE(Traced, remainder, , const Traced&)
VIETA_UNTRACEABLE(Traced, frexp, , int*)
VIETA_UNTRACEABLE(Traced, modf, , Traced*)
VIETA_UNTRACEABLE(Traced, hypot, , const Traced&, const Traced&)
VIETA_UNTRACEABLE(Traced, lerp, , const Traced&, const Traced&)
#undef VIETA_UNTRACEABLE

}  // namespace vieta::ad

// As ad/std_names.h: generic code says std::exp(x).
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

/// The limits depend on the type that the operator is evaluated in, which a trace does not know.
template <>
class numeric_limits<vieta::ad::Traced> : public numeric_limits<double> {
  using X = vieta::ad::Traced;

 public:
  static X min() { X::refuse(); }
  static X max() { X::refuse(); }
  static X lowest() { X::refuse(); }
  static X epsilon() { X::refuse(); }
  static X round_error() { X::refuse(); }
  static X infinity() { return numeric_limits<double>::infinity(); }
  static X quiet_NaN() { return numeric_limits<double>::quiet_NaN(); }
  static X signaling_NaN() { X::refuse(); }
  static X denorm_min() { X::refuse(); }
};

}  // namespace std
