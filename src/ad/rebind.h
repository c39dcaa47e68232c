// rebind: what kinds of argument there are, which scalar is inside one, and the same type over
// another scalar.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "ad/number.h"

namespace vieta::ad {

// --- The same type over another scalar ------------------------------------------------------

/// X with every From among its template arguments replaced by To. Specialise it for a class
/// template whose parameters are mixed in other ways than these.
template <class X, class From, class To>
struct Rebind {
  using type = X;
};
template <class X, class From, class To>
using rebind_t = typename Rebind<X, From, To>::type;

template <class From, class To>
struct Rebind<From, From, To> {
  using type = To;
};
template <class X, class From, class To>
  requires(!std::is_same_v<const X, From>)
struct Rebind<const X, From, To> {
  using type = const rebind_t<X, From, To>;
};
template <template <class...> class S, class... A, class From, class To>
  requires(!Number<S<A...>>)
struct Rebind<S<A...>, From, To> {
  using type = S<rebind_t<A, From, To>...>;
};
template <template <class, auto...> class S, class A, auto n, auto... more, class From, class To>
  requires(!Number<S<A, n, more...>>)
struct Rebind<S<A, n, more...>, From, To> {
  using type = S<rebind_t<A, From, To>, n, more...>;
};

// --- What an argument is made of ------------------------------------------------------------

template <class X>
concept HasParts = requires(X& x) { parts(x); };

template <class X>
concept Indexable = requires(X& x, std::size_t i) {
  x.size();
  x[i];
};

/// A matrix as Eigen has them.
template <class X>
concept Rectangular = requires(X& x) {
  x.rows();
  x.cols();
  x(x.rows(), x.cols());
};

template <class X>
concept OwningPointer = requires(X& x) {
  typename X::element_type;
  typename X::deleter_type;
  x.get();
  x.reset(x.get());
};

template <class X>
concept TupleLike = !Indexable<X> && requires { std::tuple_size<std::remove_const_t<X>>::value; };

/// Copied, not differentiated.
template <class X>
concept PlainData = std::is_integral_v<X> || std::is_enum_v<X>;

/// The scalar inside X: the first floating-point or Number type met; void if there is none.
template <class X>
struct ScalarOf {
  using type = void;
};
template <class X>
using scalar_of_t = typename ScalarOf<std::remove_cvref_t<X>>::type;

template <class A, class... Rest>
struct FirstScalar {
  using type = scalar_of_t<A>;
};
template <class A, class B, class... Rest>
  requires std::is_void_v<scalar_of_t<A>>
struct FirstScalar<A, B, Rest...> : FirstScalar<B, Rest...> {};

template <Scalar X>
struct ScalarOf<X> {
  using type = X;
};
template <template <class...> class S, class A, class... R>
  requires(!Number<S<A, R...>>)
struct ScalarOf<S<A, R...>> : FirstScalar<A, R...> {};
template <template <class, auto...> class S, class A, auto n, auto... more>
  requires(!Number<S<A, n, more...>>)
struct ScalarOf<S<A, n, more...>> {
  using type = scalar_of_t<A>;
};

}  // namespace vieta::ad
