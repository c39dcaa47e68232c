// walk: visits the scalars of an argument, and those of others of the same shape in step.
//
// The one customisation point: a class template over its scalar tells its parts,
//
//   template <class T> struct Pose { T x, y; int id; };
//   template <class T> auto parts(Pose<T>& p) { return std::tie(p.x, p.y, p.id); }
//
// found by argument-dependent look-up. Parts may be scalars, integers and enums (copied), arrays
// with size() and operator[], owning pointers (null or one object), tuples, and other such structs.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "ad/error.h"
#include "ad/number.h"
#include "ad/rebind.h"

namespace vieta::ad {

/// How many owning pointers deep a structure may be: each level takes stack, and running out of it
/// would be a crash, not an error.
inline constexpr int kMaxDepth = 2000;

/// Walks x and, in step, the others. For each scalar S of x it calls visit(leaf, leaf...); for
/// other data visit.plain; before the elements of an array visit.size, of a matrix visit.rectangle,
/// and before an owned object visit.presence (these may resize the others, or refuse). A visitor
/// with a member `array` gets contiguous arrays of S whole. Order: as stored.
template <class S, class Visit, class X, class... Y>
void walk(Visit& visit, int depth, X& x, Y&... y);

template <class S, std::size_t k, class Visit, class... Tuple>
void walk_part(Visit& visit, int depth, Tuple&... tuple) {
  walk<S>(visit, depth, std::get<k>(tuple)...);
}
template <class S, class Visit, std::size_t... k, class... Tuple>
void walk_parts(Visit& visit, int depth, std::index_sequence<k...>, Tuple&... tuple) {
  (walk_part<S, k>(visit, depth, tuple...), ...);
}
// Everything but the scalars is only read through this; parts() is written for mutable objects.
template <class X>
auto parts_of(const X& x) {
  return parts(const_cast<X&>(x));
}

template <class X>
using element_t = std::remove_cvref_t<decltype(std::declval<X&>()[std::size_t()])>;

template <class S, class Visit, class X, class... Y>
void walk(Visit& visit, int depth, X& x, Y&... y) {
  using Bare = std::remove_const_t<X>;
  if constexpr (std::is_same_v<Bare, S>) {
    visit(x, y...);
  } else if constexpr (PlainData<Bare> || Scalar<Bare>) {
    visit.plain(x, y...);
  } else if constexpr (OwningPointer<Bare>) {
    if (depth > kMaxDepth) refuse("a structure of pointers is too deep to be copied");
    if (visit.presence(x, y...)) walk<S>(visit, depth + 1, *x, *y...);
  } else if constexpr (HasParts<Bare>) {
    constexpr std::size_t n = std::tuple_size_v<decltype(parts_of(x))>;
    [&](auto... tuple) { walk_parts<S>(visit, depth, std::make_index_sequence<n>(), tuple...); }(
        parts_of(x), parts_of(y)...);
  } else if constexpr (Rectangular<X>) {
    visit.rectangle(x, y...);
    for (auto j = x.cols() * 0; j < x.cols(); ++j) {
      for (auto i = x.rows() * 0; i < x.rows(); ++i) walk<S>(visit, depth, x(i, j), y(i, j)...);
    }
  } else if constexpr (Indexable<X>) {
    visit.size(x, y...);
    if constexpr (std::is_same_v<element_t<X>, S> && requires { visit.array(x, y...); }) {
      visit.array(x, y...);
    } else {
      const std::size_t n = static_cast<std::size_t>(x.size());
      for (std::size_t i = 0; i < n; ++i) walk<S>(visit, depth, x[i], y[i]...);
    }
  } else if constexpr (TupleLike<X>) {
    constexpr std::size_t n = std::tuple_size_v<Bare>;
    walk_parts<S>(visit, depth, std::make_index_sequence<n>(), x, y...);
  } else {
    static_assert(Indexable<X>,
                  "autodiff does not know the parts of this argument: write parts(x) for it (see "
                  "ad/walk.h), or hand it over as Const");
  }
}

// --- Visitors -------------------------------------------------------------------------------

template <class X>
void resize_to(X& x, std::size_t n) {
  if (static_cast<std::size_t>(x.size()) == n) return;
  if constexpr (requires { x.resize(n); }) {
    x.resize(n);
  } else {
    refuse("an array of fixed size, or a span inside a struct, cannot be copied by autodiff");
  }
}

template <class X, class Y>
bool same_rectangle(const X& x, const Y& y) {
  return x.rows() == y.rows() && x.cols() == y.cols();
}

/// Gives the second argument the shape of the first and copies what is not of type S. The scalars
/// are left to `leaf(from, to)`.
template <class Leaf>
struct Copying {
  Leaf leaf;
  template <class X, class Y>
  void operator()(const X& from, Y& to) {
    leaf(from, to);
  }
  template <class X, class Y>
  void plain(const X& from, Y& to) {
    to = from;
  }
  template <class X, class Y>
  void size(const X& from, Y& to) {
    resize_to(to, static_cast<std::size_t>(from.size()));
  }
  template <class X, class Y>
  void rectangle(const X& from, Y& to) {
    if constexpr (requires { to.resize(from.rows(), from.cols()); }) {
      to.resize(from.rows(), from.cols());
    } else {
      if (!same_rectangle(from, to)) refuse("a matrix of this type cannot be copied by autodiff");
    }
  }
  template <class X, class Y>
  bool presence(const X& from, Y& to) {
    if (from.get() == nullptr) return false;
    if (to.get() == nullptr) to.reset(new typename Y::element_type());
    return true;
  }
};
template <class Leaf>
Copying(Leaf) -> Copying<Leaf>;

/// Calls `leaf(...)` on scalars in step; refuses when shapes differ. Plain data are not looked at.
template <class Leaf>
struct Matching {
  Leaf leaf;
  template <class... X>
  void operator()(X&... x) {
    leaf(x...);
  }
  template <class... X>
  void plain(X&...) {}
  template <class X, class... Y>
  void size(const X& x, const Y&... y) {
    if ((... || (static_cast<std::size_t>(x.size()) != static_cast<std::size_t>(y.size())))) {
      refuse("the callable changed the size of an argument");
    }
  }
  template <class X, class... Y>
  void rectangle(const X& x, const Y&... y) {
    if (!(... && same_rectangle(x, y))) refuse("the callable changed the size of an argument");
  }
  template <class X, class... Y>
  bool presence(const X& x, const Y&... y) {
    const bool is_there = x.get() != nullptr;
    if ((... || (is_there != (y.get() != nullptr)))) {
      refuse("the callable changed the shape of an argument");
    }
    return is_there;
  }
};
template <class Leaf>
Matching(Leaf) -> Matching<Leaf>;

/// Refuses unless shapes and plain data are the same.
struct SameShape {
  template <class X, class Y>
  void operator()(const X&, const Y&) {}
  template <class X, class Y>
  void array(const X&, const Y&) {}
  template <class X, class Y>
  void plain(const X& x, const Y& y) {
    if (!(x == y)) refuse("an argument and its shadow differ in an integer (a size?) they hold");
  }
  template <class X, class Y>
  void size(const X& x, const Y& y) {
    if (static_cast<std::size_t>(x.size()) != static_cast<std::size_t>(y.size())) {
      refuse("an argument and its shadow differ in size");
    }
  }
  template <class X, class Y>
  void rectangle(const X& x, const Y& y) {
    if (!same_rectangle(x, y)) refuse("an argument and its shadow differ in rows or columns");
  }
  template <class X, class Y>
  bool presence(const X& x, const Y& y) {
    if ((x.get() != nullptr) != (y.get() != nullptr)) {
      refuse("an argument and its shadow differ in shape: an object is owned by one only");
    }
    return x.get() != nullptr;
  }
};

}  // namespace vieta::ad
