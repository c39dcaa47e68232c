// arguments: what becomes of an annotated argument inside a call of autodiff.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "ad/annotations.h"
#include "ad/lift.h"
#include "ad/overlap.h"

namespace vieta::ad {

template <class A>
inline constexpr bool is_const_argument = false;
template <class X>
inline constexpr bool is_const_argument<Const<X>> = true;

template <class A>
using held_t = std::remove_reference_t<decltype(A::held)>;

/// The scalar that a call differentiates: that of its first argument which is not Const.
template <class... A>
struct ScalarOfCall {
  using type = void;
};
template <class A, class... Rest>
struct ScalarOfCall<A, Rest...> {
  using type = scalar_of_t<held_t<A>>;
};
template <class X, class... Rest>
struct ScalarOfCall<Const<X>, Rest...> : ScalarOfCall<Rest...> {};

template <class... A>
using scalar_of_call_t = typename ScalarOfCall<A...>::type;

template <class S, class... A>
consteval void check_annotations() {
  static_assert(Scalar<S>,
                "autodiff wants at least one Active, Duplicated or Directional argument made of "
                "floating-point numbers");
  static_assert((... && (is_const_argument<A> || std::is_same_v<scalar_of_t<held_t<A>>, S>)),
                "all differentiated arguments of one call must be made of the same scalar type");
}

/// The value of a Jet or Var at the level of S.
template <class S, class N>
constexpr const S& value_at(const N& x) {
  if constexpr (std::is_same_v<N, S>) {
    return x;
  } else {
    return value_at<S>(x.value);
  }
}

/// Constant objects, and spans of constants, are not written back.
template <class X>
consteval bool is_read_only() {
  if constexpr (View<std::remove_const_t<X>>) {
    return std::is_const_v<typename X::element_type>;
  } else {
    return std::is_const_v<X>;
  }
}

template <class S, class X>
void add_pieces(Overlap& overlap, const X& x, Use use) {
  AddPieces add{overlap, use, use != Use::read};
  walk<S>(add, 0, x);
}

/// A differentiated argument's copy over the Number N, and the walk beside its original.
template <class S, class N, class X>
class Stand {
 public:
  template <class Leaf>
  Stand(X& x, Leaf leaf) : held_(x), copy_(x, leaf) {}

  /// As the callable gets it: const if the original is.
  decltype(auto) pass() {
    if constexpr (View<std::remove_const_t<X>>) {
      return copy_.get();
    } else if constexpr (std::is_const_v<X>) {
      return std::as_const(copy_.get());
    } else {
      return (copy_.get());
    }
  }
  /// Calls leaf(original, copy, others...) for each scalar. Refuses where shapes differ.
  template <class Leaf, class... Others>
  void each(Leaf leaf, Others&... others) {
    Matching<Leaf> match{leaf};
    walk<S>(match, 0, held_, copy_.elements(), others...);
  }
  void write_back() {
    if constexpr (!is_read_only<X>()) {
      each([](S& to, const N& from) { to = value_at<S>(from); });
    }
  }

 private:
  X& held_;
  Lifted<S, N, X> copy_;
};

/// Refuses unless x and y have the same shape and the same integers.
template <class S, class X, class Y>
void check_same_shape(const X& x, const Y& y) {
  SameShape same;
  walk<S>(same, 0, x, y);
}

// Everything that can be refused before the callable runs; nothing has been changed by then.
template <class S, class X>
void check_argument(Overlap& overlap, const Const<X>& a) {
  using Bare = std::remove_cvref_t<X>;
  if constexpr (std::is_same_v<scalar_of_t<Bare>, S>) {
    if constexpr (Scalar<Bare> || HasParts<Bare> || Indexable<const Bare>) {
      add_pieces<S>(overlap, a.held, Use::read);
    }
  }
}
template <class S>
void check_argument(Overlap&, const Active<S>&) {}
template <class S, class X, class D>
void check_argument(Overlap& overlap, const Duplicated<X, D>& a) {
  constexpr bool read_only = is_read_only<std::remove_reference_t<X>>();
  check_same_shape<S>(a.held, a.shadow);
  add_pieces<S>(overlap, a.held, read_only ? Use::read : Use::update);
  add_pieces<S>(overlap, a.shadow, Use::shadow);
}
template <class S, class X, class D, class V, class H>
void check_argument(Overlap& overlap, const Directional<X, D, V, H>& a) {
  constexpr bool read_only = is_read_only<std::remove_reference_t<X>>();
  check_same_shape<S>(a.held, a.shadow);
  check_same_shape<S>(a.held, a.direction);
  check_same_shape<S>(a.held, a.d_shadow);
  add_pieces<S>(overlap, a.held, read_only ? Use::read : Use::update);
  add_pieces<S>(overlap, a.shadow, Use::shadow);
  add_pieces<S>(overlap, a.direction, Use::read);
  add_pieces<S>(overlap, a.d_shadow, Use::shadow);
}

template <class S, class X>
inline constexpr bool can_lift = std::is_same_v<scalar_of_t<X>, S>;

/// Const: handed on as it is, or, if `lifts` and it has such scalars, as a copy made of constants
/// of the Number N.
template <class S, class N, bool lifts, class X>
class ConstArgument {
 public:
  using Bare = std::remove_cvref_t<X>;
  explicit ConstArgument(const Bare& x) : held_(x) {}
  const Bare& pass() { return held_; }

 private:
  const Bare& held_;
};
template <class S, class N, class X>
  requires can_lift<S, X>
class ConstArgument<S, N, true, X> {
 public:
  using Bare = std::remove_cvref_t<X>;
  explicit ConstArgument(const Bare& x) : copy_(x, [](const S& from, N& to) { to = N(from); }) {}
  decltype(auto) pass() {
    if constexpr (View<Bare>) {
      return copy_.get();
    } else {
      return std::as_const(copy_.get());
    }
  }

 private:
  Lifted<S, N, const Bare> copy_;
};

/// The type that `pass` hands on, before any argument is made.
template <class S, class N, bool lifts, class A>
struct Passed {
  using X = held_t<A>;
  using Over = rebind_t<std::remove_cv_t<X>, S, N>;
  using type = std::conditional_t<View<std::remove_cv_t<X>>, Over,
                                  std::conditional_t<std::is_const_v<X>, const Over&, Over&>>;
};
template <class S, class N, bool lifts, class X>
struct Passed<S, N, lifts, Const<X>> {
  using Bare = std::remove_cvref_t<X>;
  using Over = rebind_t<Bare, S, N>;
  using type = std::conditional_t<!lifts || !can_lift<S, Bare>, const Bare&,
                                  std::conditional_t<View<Bare>, Over, const Over&>>;
};
template <class S, class N, bool lifts, class A>
struct Passed<S, N, lifts, Active<A>> {
  using type = N;
};

/// Whether Const arguments must be lifted for f to take the call; a static_assert if that does not
/// help either.
template <class S, class N, class F, class... A>
consteval bool lifts_constants() {
  if constexpr (std::is_invocable_v<F&, typename Passed<S, N, false, A>::type...>) {
    return false;
  } else {
    static_assert(std::is_invocable_v<F&, typename Passed<S, N, true, A>::type...>,
                  "the callable cannot be called with numbers that carry derivatives in place of "
                  "its differentiated arguments. It must be generic in its scalar type; Const and "
                  "const arguments are handed on as const, Active ones by value");
    return true;
  }
}

}  // namespace vieta::ad
