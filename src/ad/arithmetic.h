// arithmetic: + - * /, comparisons and conversions, written once for Jet, Jet2 and Var.
//
// Results are values, never expression objects: `auto` locals and returned temporaries are safe.
#pragma once

#include <compare>
#include <type_traits>

#include "ad/number.h"

namespace vieta::ad {

/// Base of every Number X. X provides the static members `unary` and `binary` (the chain rule),
/// `sum`, `difference`, `negated`, `shifted` (by a constant) and `scaled`; the operators here are
/// found through X alone, so they cost other types' look-ups nothing.
template <class X>
struct Arithmetic {  // NOLINT(bugprone-crtp-constructor-accessibility): Jet, Jet2 and Var alone
  static constexpr X product(const X& x, const X& y) {
    using T = typename X::value_type;
    const T v = x.value * y.value;
    if constexpr (X::order == 1) {
      return X::binary(x, y, v, y.value, x.value);
    } else {
      return X::binary(x, y, v, y.value, x.value, T(0), T(1), T(0));
    }
  }
  static constexpr X quotient(const X& x, const X& y) {
    using T = typename X::value_type;
    const T v = x.value / y.value;
    const T inverse = T(1) / y.value;
    if constexpr (X::order == 1) {
      return X::binary(x, y, v, inverse, -v * inverse);
    } else {
      const T square = inverse * inverse;
      return X::binary(x, y, v, inverse, -v * inverse, T(0), -square, T(2) * v * square);
    }
  }

  friend constexpr X operator+(const X& x) { return x; }
  friend constexpr X operator-(const X& x) { return X::negated(x); }

  friend constexpr X operator+(const X& x, const X& y) { return X::sum(x, y); }
  friend constexpr X operator-(const X& x, const X& y) { return X::difference(x, y); }
  friend constexpr X operator*(const X& x, const X& y) { return X::product(x, y); }
  friend constexpr X operator/(const X& x, const X& y) { return X::quotient(x, y); }

  template <ConstantBeside<X> U>
  friend constexpr X operator+(const X& x, const U& c) {
    return X::shifted(x, x.value + c);
  }
  template <ConstantBeside<X> U>
  friend constexpr X operator+(const U& c, const X& x) {
    return X::shifted(x, c + x.value);
  }
  template <ConstantBeside<X> U>
  friend constexpr X operator-(const X& x, const U& c) {
    return X::shifted(x, x.value - c);
  }
  template <ConstantBeside<X> U>
  friend constexpr X operator-(const U& c, const X& x) {
    return X::scaled(x, c - x.value, -1);
  }
  template <ConstantBeside<X> U>
  friend constexpr X operator*(const X& x, const U& c) {
    return X::scaled(x, x.value * c, c);
  }
  template <ConstantBeside<X> U>
  friend constexpr X operator*(const U& c, const X& x) {
    return X::scaled(x, c * x.value, c);
  }
  template <ConstantBeside<X> U>
  friend constexpr X operator/(const X& x, const U& c) {
    using T = typename X::value_type;
    return X::scaled(x, x.value / c, T(1) / c);
  }
  template <ConstantBeside<X> U>
  friend constexpr X operator/(const U& c, const X& x) {
    return X(c) / x;
  }

  template <class U>
  friend constexpr X& operator+=(X& x, const U& y) {
    return x = x + y;
  }
  template <class U>
  friend constexpr X& operator-=(X& x, const U& y) {
    return x = x - y;
  }
  template <class U>
  friend constexpr X& operator*=(X& x, const U& y) {
    return x = x * y;
  }
  template <class U>
  friend constexpr X& operator/=(X& x, const U& y) {
    return x = x / y;
  }
  friend constexpr X& operator++(X& x) { return x = x + 1; }
  friend constexpr X& operator--(X& x) { return x = x - 1; }
  friend constexpr X operator++(X& x, int) {
    const X before = x;
    x = x + 1;
    return before;
  }
  friend constexpr X operator--(X& x, int) {
    const X before = x;
    x = x - 1;
    return before;
  }

  // Comparisons look at values alone: a branch is taken exactly as the plain program takes it.
  friend constexpr bool operator==(const X& x, const X& y) { return x.value == y.value; }
  friend constexpr bool operator<(const X& x, const X& y) { return x.value < y.value; }
  friend constexpr bool operator>(const X& x, const X& y) { return x.value > y.value; }
  friend constexpr bool operator<=(const X& x, const X& y) { return x.value <= y.value; }
  friend constexpr bool operator>=(const X& x, const X& y) { return x.value >= y.value; }
  friend constexpr auto operator<=>(const X& x, const X& y) { return x.value <=> y.value; }

  template <ConstantBeside<X> U>
  friend constexpr bool operator==(const X& x, const U& c) {
    return x.value == c;
  }
  template <ConstantBeside<X> U>
  friend constexpr auto operator<=>(const X& x, const U& c) {
    return x.value <=> c;
  }
};

/// Prints the value alone, as the plain program would. Any stream will do.
template <class Stream, Number X>
  requires requires(Stream& stream, typename X::value_type v) { stream.flush() << v; }
Stream& operator<<(Stream& stream, const X& x) {
  stream << x.value;
  return stream;
}

}  // namespace vieta::ad
