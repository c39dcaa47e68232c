// jet: a value with its N first partials (Jet), and with its second partials too (Jet2).
//
// Forward mode: plain structs, no tape, no heap, usable in constant expressions. The cost of an
// operation grows with N (Jet) or N^2/2 (Jet2); for many inputs see Var.
#pragma once

#include <type_traits>

#include "ad/arithmetic.h"
#include "ad/number.h"

namespace vieta::ad {

/// Value and first partials. T is a floating-point type or a Number itself (nesting raises the
/// order).
template <class T, int N>
struct Jet : Arithmetic<Jet<T, N>> {
  static_assert(Scalar<T> && N >= 1);
  using value_type = T;
  static constexpr int order = 1;

  T value{};
  T d[N]{};  ///< d[i]: partial with respect to variable i

  constexpr Jet() = default;
  constexpr Jet(const T& v) : value(v) {}  // implicit: a constant is a Jet
  template <class U>
    requires(ConstantBeside<U, Jet> && !std::is_same_v<U, T>)
  constexpr Jet(const U& v) : value(static_cast<T>(v)) {}

  /// Variable number i of N.
  static constexpr Jet variable(const T& v, int i) {
    Jet x(v);
    x.d[i] = T(1);
    return x;
  }

  /// Integer part and truth, whose derivatives are zero. There is no conversion to a floating-point
  /// type: it would drop the derivatives silently; say value(x) to mean that.
  template <class I>
    requires std::is_integral_v<I>
  explicit constexpr operator I() const {
    return static_cast<I>(value);
  }

  constexpr bool is_zero() const {
    bool all = ad::is_zero(value);
    for (const T& p : d) all = all && ad::is_zero(p);
    return all;
  }

  static constexpr Jet unary(const Jet& x, const T& v, const T& g) {
    Jet r(v);
    for (int i = 0; i < N; ++i) r.d[i] = chained(g, x.d[i]);
    return r;
  }
  static constexpr Jet binary(const Jet& x, const Jet& y, const T& v, const T& gx, const T& gy) {
    Jet r(v);
    for (int i = 0; i < N; ++i) r.d[i] = chained(gx, x.d[i]) + chained(gy, y.d[i]);
    return r;
  }
  static constexpr Jet scaled(const Jet& x, const T& v, const T& g) { return unary(x, v, g); }
  static constexpr Jet shifted(const Jet& x, const T& v) {
    Jet r = x;
    r.value = v;
    return r;
  }
  static constexpr Jet sum(const Jet& x, const Jet& y) {
    Jet r(x.value + y.value);
    for (int i = 0; i < N; ++i) r.d[i] = x.d[i] + y.d[i];
    return r;
  }
  static constexpr Jet difference(const Jet& x, const Jet& y) {
    Jet r(x.value - y.value);
    for (int i = 0; i < N; ++i) r.d[i] = x.d[i] - y.d[i];
    return r;
  }
  static constexpr Jet negated(const Jet& x) {
    Jet r(-x.value);
    for (int i = 0; i < N; ++i) r.d[i] = -x.d[i];
    return r;
  }
};

/// Value, first partials and second partials (packed upper triangle).
template <class T, int N>
struct Jet2 : Arithmetic<Jet2<T, N>> {
  static_assert(Scalar<T> && N >= 1);
  using value_type = T;
  static constexpr int order = 2;
  static constexpr int kSecond = N * (N + 1) / 2;

  T value{};
  T d[N]{};         ///< d[i]: partial with respect to variable i
  T dd[kSecond]{};  ///< dd[packed(i, j)], i <= j: 00, 01, ..., 0N, 11, 12, ...

  constexpr Jet2() = default;
  constexpr Jet2(const T& v) : value(v) {}  // implicit: a constant is a Jet2
  template <class U>
    requires(ConstantBeside<U, Jet2> && !std::is_same_v<U, T>)
  constexpr Jet2(const U& v) : value(static_cast<T>(v)) {}

  static constexpr Jet2 variable(const T& v, int i) {
    Jet2 x(v);
    x.d[i] = T(1);
    return x;
  }
  /// Place of the second partial of variables i <= j.
  static constexpr int packed(int i, int j) { return i * N - i * (i - 1) / 2 + (j - i); }

  /// As for Jet.
  template <class I>
    requires std::is_integral_v<I>
  explicit constexpr operator I() const {
    return static_cast<I>(value);
  }

  constexpr bool is_zero() const {
    bool all = ad::is_zero(value);
    for (const T& p : d) all = all && ad::is_zero(p);
    for (const T& p : dd) all = all && ad::is_zero(p);
    return all;
  }

  static constexpr Jet2 unary(const Jet2& x, const T& v, const T& g, const T& h) {
    Jet2 r(v);
    for (int i = 0, k = 0; i < N; ++i) {
      r.d[i] = chained(g, x.d[i]);
      for (int j = i; j < N; ++j, ++k) {
        r.dd[k] = chained(g, x.dd[k]) + chained(h, chained(x.d[i], x.d[j]));
      }
    }
    return r;
  }
  static constexpr Jet2 binary(const Jet2& x, const Jet2& y, const T& v, const T& gx, const T& gy,
                               const T& hxx, const T& hxy, const T& hyy) {
    Jet2 r(v);
    for (int i = 0, k = 0; i < N; ++i) {
      r.d[i] = chained(gx, x.d[i]) + chained(gy, y.d[i]);
      for (int j = i; j < N; ++j, ++k) {
        const T mixed = chained(x.d[i], y.d[j]) + chained(x.d[j], y.d[i]);
        r.dd[k] = chained(gx, x.dd[k]) + chained(gy, y.dd[k]) +
                  chained(hxx, chained(x.d[i], x.d[j])) + chained(hxy, mixed) +
                  chained(hyy, chained(y.d[i], y.d[j]));
      }
    }
    return r;
  }
  static constexpr Jet2 scaled(const Jet2& x, const T& v, const T& g) {
    Jet2 r(v);
    for (int i = 0; i < N; ++i) r.d[i] = chained(g, x.d[i]);
    for (int k = 0; k < kSecond; ++k) r.dd[k] = chained(g, x.dd[k]);
    return r;
  }
  static constexpr Jet2 shifted(const Jet2& x, const T& v) {
    Jet2 r = x;
    r.value = v;
    return r;
  }
  static constexpr Jet2 sum(const Jet2& x, const Jet2& y) {
    Jet2 r(x.value + y.value);
    for (int i = 0; i < N; ++i) r.d[i] = x.d[i] + y.d[i];
    for (int k = 0; k < kSecond; ++k) r.dd[k] = x.dd[k] + y.dd[k];
    return r;
  }
  static constexpr Jet2 difference(const Jet2& x, const Jet2& y) {
    Jet2 r(x.value - y.value);
    for (int i = 0; i < N; ++i) r.d[i] = x.d[i] - y.d[i];
    for (int k = 0; k < kSecond; ++k) r.dd[k] = x.dd[k] - y.dd[k];
    return r;
  }
  static constexpr Jet2 negated(const Jet2& x) { return scaled(x, -x.value, T(-1)); }
};

}  // namespace vieta::ad
