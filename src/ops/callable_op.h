// callable_op: a generic C++ callable as an operator: one that is traced has a body, any other
// is called row by row, its partials with derivative-carrying numbers.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "ad/std_names.h"
#include "ops/trace.h"
#include "ops/traced.h"
#include "ops/user_op.h"

namespace vieta {

namespace callable {

template <class F, class T, int N, class = std::make_integer_sequence<int, N>>
inline constexpr bool takes = false;
template <class F, class T, int N, int... I>
inline constexpr bool takes<F, T, N, std::integer_sequence<int, I...>> =
    std::is_invocable_v<const F&, const std::enable_if_t<(I >= 0), T>&...>;

/// The one number of arguments that F can be called with, up to kMaxArity; 0 if there are several
/// or none.
template <class F>
constexpr int arity() {
  constexpr bool fits[] = {takes<F, double, 1>, takes<F, double, 2>, takes<F, double, 3>,
                           takes<F, double, 4>, takes<F, double, 5>, takes<F, double, 6>,
                           takes<F, double, 7>, takes<F, double, 8>};
  int found = 0;
  int count = 0;
  for (int n = 1; n <= kMaxArity; ++n) {
    if (fits[n - 1]) found = n;
    count += fits[n - 1] ? 1 : 0;
  }
  return count == 1 ? found : 0;
}

template <class F, class X, std::size_t N>
X call(const F& f, const std::array<X, N>& x) {
  return std::apply([&f](const auto&... each) { return static_cast<X>(f(each...)); }, x);
}

}  // namespace callable

/// F on tiles. It computes in double whatever the tiles hold: a callable that compiles for double
/// may not for float (1.0*x and x differ in type there). Instantiated for double, and for first and
/// second derivatives in one or two directions: what it costs to compile does not depend on its
/// arity.
template <class F, int N>
class CallableOp final : public OpFunction {
 public:
  explicit CallableOp(F f) : f_(std::move(f)) {}

  void value(const double* const* args, double* out, std::size_t rows) const override {
    zeroth(args, out, rows);
  }
  void value(const float* const* args, float* out, std::size_t rows) const override {
    zeroth(args, out, rows);
  }
  void partial(const double* const* args, int k, double* out, std::size_t rows) const override {
    first(args, k, out, rows);
  }
  void partial(const float* const* args, int k, float* out, std::size_t rows) const override {
    first(args, k, out, rows);
  }
  void second_partial(const double* const* args, int k, int l, double* out,
                      std::size_t rows) const override {
    second(args, k, l, out, rows);
  }
  void second_partial(const float* const* args, int k, int l, float* out,
                      std::size_t rows) const override {
    second(args, k, l, out, rows);
  }

 private:
  // out = result(f(argument(x_0, 0), argument(x_1, 1), ...)) on every row.
  template <class X, class E, class Argument, class R>
  void on_rows(const E* const* args, E* out, std::size_t rows, Argument argument, R result) const {
    std::array<X, N> x{};
    for (std::size_t r = 0; r < rows; ++r) {
      if (!finite_row(args, N, r)) {
        out[r] = std::numeric_limits<E>::quiet_NaN();
        continue;
      }
      for (int k = 0; k < N; ++k) x[std::size_t(k)] = argument(static_cast<double>(args[k][r]), k);
      out[r] = static_cast<E>(result(callable::call(f_, x)));
    }
  }

  template <class E>
  void zeroth(const E* const* args, E* out, std::size_t rows) const {
    on_rows<double>(args, out, rows, [](double x, int) { return x; }, [](double v) { return v; });
  }

  template <class E>
  void first(const E* const* args, int k, E* out, std::size_t rows) const {
    using X = ad::Jet<double, 1>;
    const auto argument = [k](double x, int i) { return i == k ? X::variable(x, 0) : X(x); };
    on_rows<X>(args, out, rows, argument, [](const X& v) { return v.d[0]; });
  }

  template <class E>
  void second(const E* const* args, int k, int l, E* out, std::size_t rows) const {
    using X = ad::Jet2<double, 2>;
    const auto argument = [k, l](double x, int i) {
      if (i == k) return X::variable(x, 0);
      return i == l ? X::variable(x, 1) : X(x);
    };
    const int place = k == l ? X::packed(0, 0) : X::packed(0, 1);
    on_rows<X>(args, out, rows, argument, [place](const X& v) { return v.dd[place]; });
  }

  F f_;
};

/// The callable as a formula in its arguments, if it is one.
template <int N, class F>
std::optional<OpBody> trace(const F& f) {
  // A trace may end by an exception.
  if constexpr (callable::takes<F, ad::Traced, N>) {
    return Tracer::trace([&f] {
      std::array<ad::Traced, N> x;
      for (int k = 0; k < N; ++k) x[std::size_t(k)] = ad::Traced::argument(std::uint32_t(k));
      return callable::call(f, x).operand;
    });
  } else {
    return std::nullopt;
  }
}

/// Keeps a callable from being traced: it is called row by row whatever it does. For one that
/// compiles with numbers that carry derivatives, but not with symbols.
template <class F>
struct AsFunction {
  F f;
  template <class... X>
  auto operator()(const X&... x) const -> decltype(f(x...)) {
    return f(x...);
  }
};
template <class F>
inline constexpr bool is_as_function = false;
template <class F>
inline constexpr bool is_as_function<AsFunction<F>> = true;

template <class F>
AsFunction<F> as_function(F f) {
  return {std::move(f)};
}

/// Adds the callable as an operator of N arguments.
template <int N, class F>
Op add_callable_op(std::string name, F f, OpTraits traits) {
  static_assert(N >= 1 && N <= kMaxArity, "an operator has 1 to 8 arguments");
  static_assert(callable::takes<F, ad::Jet<double, 1>, N>,
                "an operator is a generic callable, as [](auto x, auto y) { ... }: derivatives are "
                "taken by calling it with numbers that carry them");
  if constexpr (!is_as_function<F>) {
    if (auto body = trace<N>(f)) {
      return add_user_op(std::move(name), N, std::move(traits), *std::move(body));
    }
  }
  return add_user_op(std::move(name), N, std::move(traits),
                     std::make_unique<const CallableOp<F, N>>(std::move(f)));
}

}  // namespace vieta
