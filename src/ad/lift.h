// lift: an argument of the user's (a span, vector, matrix, tree ...) copied into one whose scalars
// carry derivatives.
#pragma once

#include <cstddef>
#include <type_traits>

#include "ad/number.h"
#include "ad/rebind.h"
#include "ad/walk.h"

namespace vieta::ad {

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
