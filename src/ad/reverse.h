// reverse: autodiff(reverse, ...) and autodiff(forward_over_reverse, ...).
#pragma once

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "ad/annotations.h"
#include "ad/arguments.h"
#include "ad/jet.h"
#include "ad/overlap.h"
#include "ad/var.h"

namespace vieta::ad {

/// One argument of a reverse call. J is what is recorded: S, or Jet<S, 1> with a tangent.
/// In order: pass, (the callable), seed, (the sweep), collect.
template <class S, class J, bool lifts, class A>
class ReverseArgument;

template <class S, class J, bool lifts, class X>
class ReverseArgument<S, J, lifts, Const<X>> : public ConstArgument<S, Var<J>, lifts, X> {
 public:
  ReverseArgument(Const<X>& a, Recording<J>&) : ConstArgument<S, Var<J>, lifts, X>(a.held) {}
  void seed(Recording<J>&) {}
  void collect(Recording<J>&) {}
  std::tuple<> derivative() { return {}; }
};

template <class S, class J, bool lifts>
class ReverseArgument<S, J, lifts, Active<S>> {
 public:
  ReverseArgument(Active<S>& a, Recording<J>& recording) : x_(recording.variable(J(a.held))) {}
  Var<J> pass() { return x_; }
  void seed(Recording<J>&) {}
  void collect(Recording<J>& recording) { derivative_ = value_at<S>(recording.adjoint(x_)); }
  std::tuple<S> derivative() { return {derivative_}; }

 private:
  Var<J> x_;
  S derivative_{};
};

/// What Duplicated and Directional have in common: a copy whose scalars are variables.
template <class S, class J, class X>
class VariableArgument {
 public:
  VariableArgument(X& x, Recording<J>& recording)
      : first_(recording.next_id()),
        count_(0),
        stand_(x, [this](const S& from, Var<J>& to) { to = Var<J>(J(from), first_ + count_++); }) {
    recording.variables(count_);
  }
  decltype(auto) pass() { return stand_.pass(); }
  std::tuple<> derivative() { return {}; }

 protected:
  // The callable could not change it: the adjoints after the call are those before.
  static constexpr bool kIsFixed = is_read_only<X>();
  const J* adjoints(Recording<J>& recording) {
    return count_ == 0 ? nullptr : recording.adjoints_from(first_);
  }

 private:
  std::uint64_t first_;
  std::uint64_t count_;

 protected:
  Stand<S, Var<J>, X> stand_;
};

template <class S, class J, bool lifts, class X, class D>
class ReverseArgument<S, J, lifts, Duplicated<X, D>>
    : public VariableArgument<S, J, std::remove_reference_t<X>> {
  using Base = VariableArgument<S, J, std::remove_reference_t<X>>;

 public:
  ReverseArgument(Duplicated<X, D>& a, Recording<J>& recording)
      : Base(a.held, recording), shadow_(a.shadow) {}
  void seed(Recording<J>& recording) {
    if constexpr (!Base::kIsFixed) {
      this->stand_.each([&](const S&, const Var<J>& x, const S& w) { recording.seed(x, J(w)); },
                        shadow_);
    }
  }
  void collect(Recording<J>& recording) {
    this->stand_.each(
        [adjoint = this->adjoints(recording)](auto& x, const Var<J>& after, S& shadow) mutable {
          if constexpr (Base::kIsFixed) {
            shadow += value_at<S>(*adjoint++);
          } else {
            x = value_at<S>(after);
            shadow = value_at<S>(*adjoint++);
          }
        },
        shadow_);
  }

 private:
  std::remove_reference_t<D>& shadow_;
};

template <class S, class J, bool lifts, class X, class D, class V, class H>
class ReverseArgument<S, J, lifts, Directional<X, D, V, H>>
    : public VariableArgument<S, J, std::remove_reference_t<X>> {
  static_assert(!std::is_same_v<S, J>, "Directional arguments are for forward_over_reverse");
  using Base = VariableArgument<S, J, std::remove_reference_t<X>>;

 public:
  ReverseArgument(Directional<X, D, V, H>& a, Recording<J>& recording)
      : Base(a.held, recording), shadow_(a.shadow), d_shadow_(a.d_shadow) {
    this->stand_.each([](const S&, Var<J>& to, const S& v) { to.value.d[0] = v; }, a.direction);
  }
  void seed(Recording<J>& recording) {
    if constexpr (!Base::kIsFixed) {
      this->stand_.each(
          [&](const S&, const Var<J>& x, const S& w, const S& d_w) {
            J weight(w);
            weight.d[0] = d_w;
            recording.seed(x, weight);
          },
          shadow_, d_shadow_);
    }
  }
  void collect(Recording<J>& recording) {
    this->stand_.each(
        [adjoint = this->adjoints(recording)](auto& x, const Var<J>& after, S& shadow,
                                              S& d_shadow) mutable {
          const J& a = *adjoint++;
          if constexpr (Base::kIsFixed) {
            shadow += a.value;
            d_shadow += a.d[0];
          } else {
            x = value_at<S>(after);
            shadow = a.value;
            d_shadow = a.d[0];
          }
        },
        shadow_, d_shadow_);
  }

 private:
  std::remove_reference_t<D>& shadow_;
  std::remove_reference_t<H>& d_shadow_;
};

template <class S, class J, class... Arguments>
void sweep_arguments(Recording<J>& recording, Arguments&... arguments) {
  (arguments.seed(recording), ...);
  recording.sweep();
  (arguments.collect(recording), ...);
}

template <class S, class J, class F, class... Arguments>
auto reverse_call(F& f, Recording<J>& recording, Arguments&&... arguments) {
  using R = std::remove_cvref_t<decltype(f(arguments.pass()...))>;
  static_assert(std::is_same_v<R, Var<J>> || std::is_same_v<rebind_t<R, Var<J>, S>, R>,
                "reverse mode differentiates a returned scalar. Let the callable write arrays and "
                "structs into a Duplicated argument instead of returning them");
  if constexpr (std::is_void_v<R>) {
    f(arguments.pass()...);
    recording.clear_adjoints();
    sweep_arguments<S>(recording, arguments...);
    return ReverseResult{NoValue(), std::tuple_cat(arguments.derivative()...)};
  } else {
    R r = f(arguments.pass()...);
    recording.clear_adjoints();
    if constexpr (std::is_same_v<R, Var<J>>) recording.seed(r, J(1));
    sweep_arguments<S>(recording, arguments...);
    if constexpr (std::is_same_v<R, Var<J>>) {
      return ReverseResult{S(value_at<S>(r)), std::tuple_cat(arguments.derivative()...)};
    } else {
      return ReverseResult{std::move(r), std::tuple_cat(arguments.derivative()...)};
    }
  }
}

template <class S, class J, class F, class... A>
auto reverse_autodiff(F& f, A&... a) {
  check_annotations<S, A...>();
  constexpr bool lifts = lifts_constants<S, Var<J>, F, A...>();
  Overlap overlap;
  (check_argument<S>(overlap, a), ...);
  overlap.check();
  Recording<J> recording;
  return reverse_call<S>(f, recording, ReverseArgument<S, J, lifts, A>(a, recording)...);
}

/// Adjoints: see annotations.h for what each argument gets. Returns {value, derivatives}: what the
/// callable returned, and the derivatives of the Active arguments in order. A returned scalar is
/// seeded with 1. Memory: 24 bytes for each operation on double, kept by the thread (tape.h).
template <class F, class... A>
auto autodiff(Reverse, F&& f, A&&... a) {
  using S = scalar_of_call_t<std::remove_cvref_t<A>...>;
  return reverse_autodiff<S, S>(f, a...);
}

/// The same, and its change along the directions of the Directional arguments: one Hessian-vector
/// product. About twice the cost of `reverse`.
template <class F, class... A>
auto autodiff(ForwardOverReverse, F&& f, A&&... a) {
  using S = scalar_of_call_t<std::remove_cvref_t<A>...>;
  return reverse_autodiff<S, Jet<S, 1>>(f, a...);
}

}  // namespace vieta::ad
