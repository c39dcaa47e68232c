// forward: autodiff(forward, ...).
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "ad/annotations.h"
#include "ad/arguments.h"
#include "ad/jet.h"
#include "ad/overlap.h"

namespace vieta::ad {

/// One argument of a forward call.
template <class S, bool lifts, class A>
class ForwardArgument {
  static_assert(is_const_argument<A>,
                "forward mode takes Const and Duplicated: Active has no place for its tangent");
};

template <class S, bool lifts, class X>
class ForwardArgument<S, lifts, Const<X>> : public ConstArgument<S, Jet<S, 1>, lifts, X> {
 public:
  explicit ForwardArgument(Const<X>& a) : ConstArgument<S, Jet<S, 1>, lifts, X>(a.held) {}
  void check() {}
  void collect() {}
};

template <class S, bool lifts, class X, class D>
class ForwardArgument<S, lifts, Duplicated<X, D>> {
 public:
  explicit ForwardArgument(Duplicated<X, D>& a)
      : stand_(a.held, [](const S& from, Jet<S, 1>& to) { to.value = from; }), shadow_(a.shadow) {
    stand_.each([](const S&, Jet<S, 1>& to, const S& tangent) { to.d[0] = tangent; }, shadow_);
  }
  decltype(auto) pass() { return stand_.pass(); }
  /// Refuses if the callable changed the shape.
  void check() {
    stand_.each([](const S&, const Jet<S, 1>&) {});
  }
  void collect() {
    stand_.write_back();
    stand_.each([](const S&, const Jet<S, 1>& from, S& tangent) { tangent = from.d[0]; }, shadow_);
  }

 private:
  Stand<S, Jet<S, 1>, std::remove_reference_t<X>> stand_;
  std::remove_reference_t<D>& shadow_;
};

/// Value and tangent of whatever was returned: a scalar, an array, a struct with parts.
template <class S, class R>
auto split_returned(R&& r) {
  using N = Jet<S, 1>;
  using Bare = std::remove_cvref_t<R>;
  if constexpr (std::is_same_v<Bare, N>) {
    return ForwardResult<S>{r.value, r.d[0]};
  } else if constexpr (std::is_same_v<rebind_t<Bare, N, S>, Bare>) {
    return ForwardResult<Bare>{static_cast<R&&>(r), Bare()};
  } else {
    using V = rebind_t<Bare, N, S>;
    ForwardResult<V> result{V(), V()};
    const auto value_leaf = [](const N& from, S& to) { to = from.value; };
    const auto tangent_leaf = [](const N& from, S& to) { to = from.d[0]; };
    Copying<decltype(value_leaf)> values{value_leaf};
    Copying<decltype(tangent_leaf)> tangents{tangent_leaf};
    walk<N>(values, 0, r, result.value);
    walk<N>(tangents, 0, r, result.derivative);
    return result;
  }
}

template <class S, class F, class... Arguments>
auto forward_call(F& f, Arguments&&... arguments) {
  if constexpr (std::is_void_v<decltype(f(arguments.pass()...))>) {
    f(arguments.pass()...);
    (arguments.check(), ...);
    (arguments.collect(), ...);
    return ForwardResult<NoValue>{};
  } else {
    auto r = f(arguments.pass()...);
    (arguments.check(), ...);
    (arguments.collect(), ...);
    return split_returned<S>(std::move(r));
  }
}

/// Tangents: the derivative of everything along one direction. Returns {value, derivative} of what
/// the callable returned.
template <class F, class... A>
auto autodiff(Forward, F&& f, A&&... a) {
  using S = scalar_of_call_t<std::remove_cvref_t<A>...>;
  check_annotations<S, std::remove_cvref_t<A>...>();
  constexpr bool lifts = lifts_constants<S, Jet<S, 1>, F, std::remove_cvref_t<A>...>();
  Overlap overlap;
  (check_argument<S>(overlap, a), ...);
  overlap.check();
  return forward_call<S>(f, ForwardArgument<S, lifts, std::remove_cvref_t<A>>(a)...);
}

}  // namespace vieta::ad
