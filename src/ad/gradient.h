// gradient: derivatives of a callable of one argument, by the name of what is wanted.
//
//   auto [v, dx] = gradient(f, x);
//
// x is a scalar, a std::array, a span, a vector, or anything else autodiff knows the parts of
// (walk.h); f is generic in the scalar and takes it by value or const reference. Results have x's
// type (a std::vector for a span). Errors: AutodiffError; whatever f throws passes through.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "ad/annotations.h"
#include "ad/autodiff.h"
#include "ad/jet.h"
#include "ad/lift.h"
#include "ad/var.h"

namespace vieta::ad {

template <class V, class X>
struct Gradient {
  V value;
  X gradient;
};
/// Second partials in packed upper-triangle order 00, 01, ..., 0n, 11, 12, ...
template <class V, class X, class H>
struct Hessian {
  V value;
  X gradient;
  H hessian;
};
template <class V, class X>
struct HessianProduct {
  V value;
  X gradient;
  X product;
};
template <class V>
struct Tangent {
  V value;
  V tangent;
};
template <class V, class X>
struct Adjoint {
  V value;
  X adjoint;
};
/// Partials of result i with respect to scalar j of the argument at [i * columns + j].
template <class V, class S>
struct Jacobian {
  V value;
  std::vector<S> jacobian;
  std::size_t rows;
  std::size_t columns;
};

// --- Result types and small pieces ----------------------------------------------------------

/// What holds derivatives with respect to an X.
template <class X>
struct ShadowOf {
  using type = X;
  static X zero(const X& x) { return zero_like(x); }
};
template <View X>
struct ShadowOf<X> {
  using type = std::vector<scalar_of_t<X>>;
  static type zero(const X& x) { return type(x.size(), scalar_of_t<X>(0)); }
};
template <class X>
using shadow_t = typename ShadowOf<X>::type;

/// Value and order-th derivatives of a result that may be a plain constant.
template <class S, class R>
constexpr S plain_value(const R& r) {
  if constexpr (std::is_convertible_v<R, S>) {
    return S(r);
  } else {
    return value_at<S>(r);
  }
}

template <class X>
inline constexpr std::size_t kArraySize = 0;
template <class S, std::size_t n>
inline constexpr std::size_t kArraySize<std::array<S, n>> = Scalar<S> ? n : 0;

/// Small arrays are differentiated forwards, on the stack.
inline constexpr std::size_t kMostJetVariables = 4;
template <class X>
concept SmallArray = kArraySize<X> > 0 && kArraySize<X> <= kMostJetVariables;

template <class J, class S, std::size_t n>
constexpr std::array<J, n> jet_variables(const std::array<S, n>& x) {
  std::array<J, n> variables;
  for (std::size_t i = 0; i < n; ++i) variables[i] = J::variable(x[i], static_cast<int>(i));
  return variables;
}

/// A result of f over the plain scalar.
template <class S, class N, class R>
auto lowered(const R& r) {
  if constexpr (std::is_same_v<R, N>) {
    return S(r.value);
  } else {
    using V = rebind_t<R, N, S>;
    V v{};
    const auto leaf = [](const N& from, S& to) { to = from.value; };
    Copying<decltype(leaf)> copy{leaf};
    walk<N>(copy, 0, r, v);
    return v;
  }
}

/// x as variables of a recording.
template <class S, class J, class X>
class Variables {
 public:
  Variables(const X& x, Recording<J>& recording)
      : first_(recording.next_id()),
        count_(0),
        copy_(x, [this](const S& from, Var<J>& to) { to = Var<J>(J(from), first_ + count_++); }) {
    recording.variables(count_);
  }
  /// Calls leaf(variable) for each.
  template <class Leaf>
  void each(Leaf leaf) {
    Matching<Leaf> match{leaf};
    walk<Var<J>>(match, 0, copy_.elements());
  }
  decltype(auto) pass() { return std::as_const(copy_).get(); }
  std::size_t size() const { return count_; }
  std::uint64_t first() const { return first_; }

 private:
  std::uint64_t first_;
  std::uint64_t count_;
  Lifted<S, Var<J>, const X> copy_;
};

// --- The front ------------------------------------------------------------------------------

/// First derivatives of a scalar. Reverse mode, except for a scalar and for arrays of up to 4.
template <class F, class X>
auto gradient(F&& f, const X& x) {
  using S = scalar_of_t<X>;
  if constexpr (Scalar<X>) {
    const auto r = f(Jet<S, 1>::variable(x, 0));
    S d(0);
    if constexpr (std::is_same_v<decltype(r), const Jet<S, 1>>) d = r.d[0];
    return Gradient<S, S>{plain_value<S>(r), d};
  } else if constexpr (SmallArray<X>) {
    using J = Jet<S, static_cast<int>(kArraySize<X>)>;
    const auto r = f(jet_variables<J>(x));
    X d{};
    if constexpr (std::is_same_v<decltype(r), const J>) {
      for (std::size_t i = 0; i < x.size(); ++i) d[i] = r.d[i];
    }
    return Gradient<S, X>{plain_value<S>(r), d};
  } else {
    shadow_t<X> d = ShadowOf<X>::zero(x);
    S v = plain_value<S>(autodiff(reverse, f, Duplicated(x, d)).value);
    return Gradient<S, shadow_t<X>>{v, std::move(d)};
  }
}

/// Value and directional derivative of whatever f returns, along v (of x's shape).
template <class F, class X>
auto jvp(F&& f, const X& x, const X& v) {
  using S = scalar_of_t<X>;
  if constexpr (Scalar<X>) {
    Jet<S, 1> j(x);
    j.d[0] = v;
    auto split = split_returned<S>(f(j));
    return Tangent<decltype(split.value)>{std::move(split.value), std::move(split.derivative)};
  } else {
    check_same_shape<S>(x, v);
    Lifted<S, Jet<S, 1>, const X> copy(x, [](const S& from, Jet<S, 1>& to) { to = from; });
    const auto leaf = [](const S& from, Jet<S, 1>& to) { to.d[0] = from; };
    Matching<decltype(leaf)> match{leaf};
    walk<S>(match, 0, v, copy.elements());
    auto split = split_returned<S>(f(std::as_const(copy).get()));
    return Tangent<decltype(split.value)>{std::move(split.value), std::move(split.derivative)};
  }
}

/// Value of f and the adjoint of x for the weights w, which have the shape of what f returns.
template <class F, class X, class W>
auto vjp(F&& f, const X& x, const W& w) {
  using S = scalar_of_t<X>;
  Recording<S> recording;
  Variables<S, S, X> variables(x, recording);
  const auto r = f(variables.pass());
  using R = std::remove_cv_t<decltype(r)>;
  auto v = lowered<S, Var<S>, R>(r);
  check_same_shape<S>(v, w);
  recording.clear_adjoints();
  const auto seed = [&](const S& weight, const Var<S>& y) { recording.seed(y, weight); };
  Matching<decltype(seed)> match{seed};
  walk<S>(match, 0, w, r);
  recording.sweep();
  shadow_t<X> adjoint = ShadowOf<X>::zero(x);
  std::uint64_t id = variables.first();
  const auto collect = [&](S& to) { to = *recording.adjoints_from(id++); };
  Matching<decltype(collect)> fill{collect};
  walk<S>(fill, 0, adjoint);
  return Adjoint<decltype(v), shadow_t<X>>{std::move(v), std::move(adjoint)};
}

/// Value, gradient and Hessian times v, in one pass.
template <class F, class X>
auto hvp(F&& f, const X& x, const X& v) {
  using S = scalar_of_t<X>;
  shadow_t<X> d = ShadowOf<X>::zero(x);
  shadow_t<X> h = ShadowOf<X>::zero(x);
  S y = plain_value<S>(autodiff(forward_over_reverse, f, Directional(x, d, v, h)).value);
  return HessianProduct<S, shadow_t<X>>{y, std::move(d), std::move(h)};
}

/// All partials of all results, from one recording and as many sweeps as there are results, or
/// variables if those are fewer.
template <class F, class X>
auto jacobian(F&& f, const X& x) {
  using S = scalar_of_t<X>;
  Recording<S> recording;
  Variables<S, S, X> variables(x, recording);
  const auto r = f(variables.pass());
  using R = std::remove_cv_t<decltype(r)>;
  auto v = lowered<S, Var<S>, R>(r);

  std::vector<Var<S>> results;
  const auto gather = [&](const Var<S>& y) { results.push_back(y); };
  Matching<decltype(gather)> match{gather};
  walk<Var<S>>(match, 0, r);
  const std::size_t m = results.size();
  const std::size_t n = variables.size();
  std::vector<S> partials(m * n);
  if (m <= n) {
    for (std::size_t i = 0; i < m; ++i) {
      recording.clear_adjoints();
      recording.seed(results[i], S(1));
      recording.sweep();
      const S* const adjoints = recording.adjoints_from(variables.first());
      for (std::size_t j = 0; j < n; ++j) partials[i * n + j] = adjoints[j];
    }
  } else {
    for (std::size_t j = 0; j < n; ++j) {
      recording.clear_adjoints();
      recording.adjoints_from(variables.first())[j] = S(1);
      recording.sweep_forward();
      for (std::size_t i = 0; i < m; ++i) partials[i * n + j] = recording.adjoint(results[i]);
    }
  }
  return Jacobian<decltype(v), S>{std::move(v), std::move(partials), m, n};
}

/// One pass of hessian(): rows `first`, `first + 1`, ... of the Hessian, kWidth of them.
template <class S, class F, class X>
struct HessianRows {
  static constexpr int kWidth = 4;
  using J = Jet<S, kWidth>;
  S value{};
  std::vector<J> adjoints;

  HessianRows(F& f, const X& x, std::size_t first) {
    Recording<J> recording;
    Variables<S, J, X> variables(x, recording);
    std::size_t k = 0;
    variables.each([&](Var<J>& y) {
      if (k >= first && k < first + kWidth) y.value.d[k - first] = S(1);
      ++k;
    });
    const auto r = f(variables.pass());
    value = plain_value<S>(r);
    recording.clear_adjoints();
    if constexpr (std::is_same_v<decltype(r), const Var<J>>) recording.seed(r, J(1));
    recording.sweep();
    adjoints.resize(variables.size());
    for (std::size_t i = 0; i < adjoints.size(); ++i) {
      adjoints[i] = recording.adjoints_from(variables.first() + i)[0];
    }
  }
};

/// Value, gradient and all second derivatives of a scalar. n variables: one pass for a scalar and
/// for arrays of up to 4, else n/4 passes forward over reverse.
template <class F, class X>
auto hessian(F&& f, const X& x) {
  using S = scalar_of_t<X>;
  if constexpr (Scalar<X>) {
    using J = Jet2<S, 1>;
    const J r(f(J::variable(x, 0)));
    return Hessian<S, S, S>{r.value, r.d[0], r.dd[0]};
  } else if constexpr (SmallArray<X>) {
    constexpr std::size_t n = kArraySize<X>;
    using J = Jet2<S, static_cast<int>(n)>;
    const J r(f(jet_variables<J>(x)));
    X d{};
    std::array<S, n*(n + 1) / 2> dd{};
    for (std::size_t i = 0; i < n; ++i) d[i] = r.d[i];
    for (std::size_t k = 0; k < dd.size(); ++k) dd[k] = r.dd[k];
    return Hessian<S, X, std::array<S, n*(n + 1) / 2>>{r.value, d, dd};
  } else {
    using Rows = HessianRows<S, std::remove_reference_t<F>, X>;
    shadow_t<X> d = ShadowOf<X>::zero(x);
    Rows rows(f, x, 0);
    std::size_t next = 0;
    const auto collect = [&](S& to) { to = rows.adjoints[next++].value; };
    Matching<decltype(collect)> fill{collect};
    walk<S>(fill, 0, d);

    const std::size_t n = rows.adjoints.size();
    std::vector<S> packed;
    packed.reserve(n * (n + 1) / 2);
    for (std::size_t i = 0; i < n; ++i) {
      if (i > 0 && i % Rows::kWidth == 0) rows = Rows(f, x, i);
      for (std::size_t j = i; j < n; ++j) {
        packed.push_back(rows.adjoints[j].d[i % Rows::kWidth]);
      }
    }
    return Hessian<S, shadow_t<X>, std::vector<S>>{rows.value, std::move(d), std::move(packed)};
  }
}

}  // namespace vieta::ad
