// lift: how an argument of the user's (a scalar, span, vector, matrix, tree ...) is copied into one
// whose scalars carry derivatives, and how two such arguments are walked side by side.
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
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "ad/error.h"
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

// --- Walking several arguments of one shape side by side ------------------------------------

/// How many owning pointers deep a structure may be: each level takes stack, and running out of it
/// would be a crash, not an error.
inline constexpr int kMaxDepth = 4000;

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
                  "ad/lift.h), or hand it over as Const");
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

/// A view of someone else's memory, as std::span is.
template <class X>
concept View = std::is_trivially_copyable_v<X> && Indexable<const X> && requires(const X& x) {
  typename X::element_type;
  x.data();
};

/// A copy of an X over another scalar A, in the shape of the original; scalars are default
/// constructed until filled. A view's copy owns its elements.
template <class S, class A, class X>
class Lifted {
 public:
  using type = rebind_t<std::remove_cv_t<X>, S, A>;
  static_assert(std::is_default_constructible_v<type>,
                "autodiff copies this argument: it needs a default constructor");
  static_assert(!std::is_same_v<type, std::remove_cv_t<X>>,
                "autodiff cannot put another scalar into this type: make it a class template over "
                "its scalar, or specialise Rebind");

  template <class Leaf>
  Lifted(const X& x, Leaf leaf) {
    Copying<Leaf> copy{leaf};
    walk<S>(copy, 0, x, object_);
  }
  type& get() { return object_; }
  const type& get() const { return object_; }
  /// The same, for walks.
  type& elements() { return object_; }

 private:
  type object_{};
};

/// What a view's copy owns.
template <class A>
class Elements {
 public:
  explicit Elements(std::size_t n) : data_(new A[n]), size_(n) {}
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;
  ~Elements() { delete[] data_; }
  A* data() const { return data_; }
  std::size_t size() const { return size_; }
  A& operator[](std::size_t i) { return data_[i]; }

 private:
  A* data_;
  std::size_t size_;
};

template <class S, class A, class X>
  requires View<std::remove_const_t<X>>
class Lifted<S, A, X> {
  static_assert(std::is_same_v<element_t<const X>, S>, "a span must be one of scalars");

 public:
  using type = rebind_t<std::remove_const_t<X>, S, A>;

  template <class Leaf>
  Lifted(const X& x, Leaf leaf) : elements_(x.size()) {
    for (std::size_t i = 0; i < elements_.size(); ++i) leaf(x[i], elements_[i]);
  }
  type get() const { return type(elements_.data(), elements_.size()); }
  Elements<A>& elements() { return elements_; }

 private:
  Elements<A> elements_;
};

/// An X of the same shape with every scalar zero: what a shadow starts from.
template <class X>
X zero_like(const X& x) {
  using S = scalar_of_t<X>;
  X zero{};
  const auto leaf = [](const S&, S& to) { to = S(0); };
  Copying<decltype(leaf)> copy{leaf};
  walk<S>(copy, 0, x, zero);
  return zero;
}

}  // namespace vieta::ad
