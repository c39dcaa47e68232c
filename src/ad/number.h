// number: what Jet, Jet2 and Var have in common, and the one rule by which partials are multiplied.
#pragma once

#include <type_traits>

namespace vieta::ad {

template <class T, int N>
struct Jet;
template <class T, int N>
struct Jet2;
template <class T>
struct Var;

template <class X>
inline constexpr bool is_number = false;
template <class T, int N>
inline constexpr bool is_number<Jet<T, N>> = true;
template <class T, int N>
inline constexpr bool is_number<Jet2<T, N>> = true;
template <class T>
inline constexpr bool is_number<Var<T>> = true;

/// A type of this room that carries derivatives.
template <class X>
concept Number = is_number<X>;

/// What a derivative can be taken of: a floating-point type, or a Number (then of higher order).
template <class X>
concept Scalar = std::is_floating_point_v<X> || Number<X>;

/// U is a constant beside X: it is X's own value type, or one further in, or an arithmetic type.
template <class U, class X>
inline constexpr bool is_constant_beside = false;
template <class U, Number X>
inline constexpr bool is_constant_beside<U, X> =
    std::is_arithmetic_v<U> || std::is_same_v<U, typename X::value_type> ||
    is_constant_beside<U, typename X::value_type>;

template <class U, class X>
concept ConstantBeside = is_constant_beside<U, X>;

/// The Number that a function of an X and a Y is: the outer of the two.
template <class X, class Y>
struct Joint {};
template <Number X>
struct Joint<X, X> {
  using type = X;
};
template <Number X, ConstantBeside<X> Y>
struct Joint<X, Y> {
  using type = X;
};
template <class X, Number Y>
  requires ConstantBeside<X, Y>
struct Joint<X, Y> {
  using type = Y;
};
template <class X, class Y>
using joint_t = typename Joint<X, Y>::type;

/// The innermost floating-point value, without any derivative.
template <class X>
  requires std::is_arithmetic_v<X>
constexpr X value(X x) {
  return x;
}
template <Number X>
constexpr auto value(const X& x) {
  return value(x.value);
}

/// Zero, and constant: no derivative of it can be anything but zero either.
template <class X>
  requires std::is_arithmetic_v<X>
constexpr bool is_zero(X x) {
  return x == X(0);
}
template <Number X>
constexpr bool is_zero(const X& x) {
  return x.is_zero();
}

/// The product of a partial and a derivative: zero if either is, even where the other is infinite
/// or NaN. So a branch, a clamp or a constant that cuts a dependence off keeps it cut off:
/// d/dc of sqrt(x) + c is 1 at x = 0, though sqrt has no derivative there.
template <Scalar T>
constexpr T chained(const T& partial, const T& derivative) {
  if (is_zero(partial) || is_zero(derivative)) return T(0);
  if constexpr (Number<T>) {
    // Level by level: a zero whose own derivative is not zero still hides an infinite value.
    const auto v = chained(partial.value, derivative.value);
    if constexpr (T::order == 1) {
      return T::binary(partial, derivative, v, derivative.value, partial.value);
    } else {
      using V = typename T::value_type;
      return T::binary(partial, derivative, v, derivative.value, partial.value, V(0), V(1), V(0));
    }
  } else {
    return partial * derivative;
  }
}

}  // namespace vieta::ad
