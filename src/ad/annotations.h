// annotations: how a call of autodiff says what each argument is, and what it gets back.
#pragma once

#include <tuple>
#include <type_traits>

#include "ad/lift.h"
#include "ad/number.h"

namespace vieta::ad {

struct Forward {};
struct Reverse {};
struct ForwardOverReverse {};
/// Tangents: one direction a call, at about twice the plain cost.
inline constexpr Forward forward;
/// Adjoints: all of a gradient in one call, at 2 to 6 times the plain cost.
inline constexpr Reverse reverse;
/// Adjoints and their change along one direction: gradient and Hessian times vector in one call.
inline constexpr ForwardOverReverse forward_over_reverse;

// --- Annotations: one an argument -----------------------------------------------------------

/// No derivative. Handed on as const, so that writing into it does not compile; where the callable
/// wants it over the same scalar as the active arguments, it gets a copy of constants.
template <class X>
struct Const {
  X held;
  explicit Const(X&& x) : held(static_cast<X&&>(x)) {}
};
template <class X>
Const(X&&) -> Const<X>;

/// A scalar handed on by value; reverse mode returns its derivative.
template <class S>
struct Active {
  static_assert(Scalar<S>, "Active wants a floating-point number (or a Number)");
  S held;
  explicit Active(const S& x) : held(x) {}
};
template <class S>
Active(S) -> Active<S>;

/// An argument and its shadow, of one shape. The argument is written back if it is not const.
/// Forward: the shadow holds the tangent before, and after. Reverse: the shadow holds the adjoint
/// of what the argument is after the call, and gets the adjoint of what it was before: the
/// gradient is added to an input's shadow, and an output's shadow is used up where it was
/// overwritten.
template <class X, class D>
struct Duplicated {
  static_assert(std::is_lvalue_reference_v<X> || View<std::remove_cvref_t<X>>,
                "Duplicated wants a variable or a span: a temporary's derivative would be lost");
  static_assert(std::is_lvalue_reference_v<D> || View<std::remove_cvref_t<D>>,
                "Duplicated wants a shadow that outlives the call");
  static_assert(!std::is_const_v<std::remove_reference_t<D>> || View<std::remove_cvref_t<D>>,
                "Duplicated wants a shadow that can be written");
  X held;
  D shadow;
  Duplicated(X&& x, D&& d) : held(static_cast<X&&>(x)), shadow(static_cast<D&&>(d)) {}
};
template <class X, class D>
Duplicated(X&&, D&&) -> Duplicated<X, D>;

/// For forward_over_reverse: argument x, adjoint shadow, direction v (constant) and the adjoint's
/// change along all directions together. With f scalar: `d_shadow` gets the Hessian times v.
template <class X, class D, class V, class H>
struct Directional {
  X held;
  D shadow;
  V direction;
  H d_shadow;
  Directional(X&& x, D&& d, V&& v, H&& h)
      : held(static_cast<X&&>(x)),
        shadow(static_cast<D&&>(d)),
        direction(static_cast<V&&>(v)),
        d_shadow(static_cast<H&&>(h)) {}
};
template <class X, class D, class V, class H>
Directional(X&&, D&&, V&&, H&&) -> Directional<X, D, V, H>;

/// What a callable that returns nothing returned.
struct NoValue {};

/// Reverse: the returned value and the derivatives of the Active arguments, in order.
template <class V, class D>
struct ReverseResult {
  V value;
  D derivatives;  ///< std::tuple
};
template <class V, class D>
ReverseResult(V, D) -> ReverseResult<V, D>;
/// Forward: the returned value (its shape if it is an array or a struct) and its tangent.
template <class V>
struct ForwardResult {
  V value;
  V derivative;
};

}  // namespace vieta::ad
