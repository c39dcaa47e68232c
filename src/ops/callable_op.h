// callable_op: a generic C++ callable as an operator: one that is traced has a body, any other
// is called row by row, its partials with derivative-carrying numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "ad/std_names.h"
#include "ops/row_function.h"
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

template <class F, class T, int N, class = std::make_integer_sequence<int, N>>
inline constexpr bool lets_exceptions_pass = true;
template <class F, class T, int N, int... I>
inline constexpr bool lets_exceptions_pass<F, T, N, std::integer_sequence<int, I...>> =
    !std::is_nothrow_invocable_v<const F&, const std::enable_if_t<(I >= 0), T>&...>;

template <class X, class F, std::size_t... i>
X call(const F& f, const X* x, std::index_sequence<i...>) {
  return static_cast<X>(f(x[i]...));
}
/// f(x[0], ..., x[N - 1])
template <std::size_t N, class X, class F>
X call(const F& f, const X* x) {
  return call(f, x, std::make_index_sequence<N>());
}

}  // namespace callable

/// F row by row.
template <class F, int N>
class CallableOp : public RowFunction {
 public:
  explicit CallableOp(F f) : RowFunction(N), f_(std::move(f)) {}

 private:
  void call(const double* x, double* out, std::size_t rows) const final { each(x, out, rows); }
  void call(const First* x, First* out, std::size_t rows) const final { each(x, out, rows); }
  void call(const Second* x, Second* out, std::size_t rows) const final { each(x, out, rows); }

  template <class X>
  void each(const X* x, X* out, std::size_t rows) const {
    for (std::size_t r = 0; r < rows; ++r) out[r] = callable::call<N>(f_, x + r * N);
  }

  F f_;
};

/// A derivative that the user wrote: a callable of the operator's arguments that returns its first
/// partials, one number or an array of them.
template <class G>
struct OwnDerivative {
  G g;

  template <std::size_t N>
  std::array<double, N> at(const std::array<double, N>& x) const {
    const auto found = std::apply([this](const auto&... each) { return g(each...); }, x);
    if constexpr (N == 1 && std::is_convertible_v<decltype(found), double>) {
      return {static_cast<double>(found)};
    } else {
      static_assert(std::tuple_size_v<std::remove_cvref_t<decltype(found)>> == N,
                    "a derivative gives as many partials as the operator has arguments");
      return std::apply([](const auto&... p) { return std::array{static_cast<double>(p)...}; },
                        found);
    }
  }
};
template <class G>
OwnDerivative<G> derivative(G g) {
  return {std::move(g)};
}

/// The same, its first partials by G.
template <class F, class G, int N>
class CallableOpWithDerivative final : public CallableOp<F, N> {
 public:
  CallableOpWithDerivative(F f, OwnDerivative<G> own)
      : CallableOp<F, N>(std::move(f)), own_(std::move(own)) {}

  void partial(const double* const* args, int k, double* out, std::size_t rows) const override {
    own_partial(args, k, out, rows);
  }
  void partial(const float* const* args, int k, float* out, std::size_t rows) const override {
    own_partial(args, k, out, rows);
  }

 private:
  template <class E>
  void own_partial(const E* const* args, int k, E* out, std::size_t rows) const {
    for (std::size_t r = 0; r < rows; ++r) {
      if (!OpFunction::finite_row(args, N, r)) {
        out[r] = std::numeric_limits<E>::quiet_NaN();
        continue;
      }
      std::array<double, N> x{};
      for (std::size_t i = 0; i < N; ++i) x[i] = static_cast<double>(args[i][r]);
      out[r] = static_cast<E>(own_.at(x)[std::size_t(k)]);
    }
  }

  OwnDerivative<G> own_;
};

/// Whether the first partials of `f` and the user's own ones are the same to 1e-9, relative to the
/// larger of them and 1, wherever both are finite at some hundred points in [-2.4, 2.4]^N.
template <int N, class F, class G>
bool derivative_agrees(const F& f, const OwnDerivative<G>& own) {
  std::array<double, N> x{};
  for (int point = 0; point < 128; ++point) {
    // A lattice that meets no round numbers.
    for (int k = 0; k < N; ++k) {
      const double u = (point + 1) * (0.6180339887 + 0.1459 * k);
      x[std::size_t(k)] = 4.8 * (u - std::floor(u)) - 2.4;
    }
    const std::array<double, N> given = own.at(x);
    for (int k = 0; k < N; ++k) {
      using X = ad::Jet<double, 1>;
      std::array<X, N> arguments{};
      for (int i = 0; i < N; ++i)
        arguments[std::size_t(i)] =
            i == k ? X::variable(x[std::size_t(i)], 0) : X(x[std::size_t(i)]);
      const double derived = callable::call<N>(f, arguments.data()).d[0];
      const double mine = given[std::size_t(k)];
      if (!std::isfinite(derived) || !std::isfinite(mine)) continue;
      const double scale = std::max({1.0, std::abs(derived), std::abs(mine)});
      if (!(std::abs(derived - mine) <= 1e-9 * scale)) return false;
    }
  }
  return true;
}

/// The callable as a formula in its arguments, if it is one.
template <int N, class F>
std::optional<OpBody> trace(const F& f) {
  // A trace may end by an exception, so what is noexcept stays a function.
  if constexpr (callable::lets_exceptions_pass<F, ad::Traced, N>) {
    const auto run = [](const void* function) {
      std::array<ad::Traced, N> x;
      for (int k = 0; k < N; ++k) x[std::size_t(k)] = ad::Traced::argument(std::uint32_t(k));
      return callable::call<N>(*static_cast<const F*>(function), x.data()).operand;
    };
    return Tracer::trace(run, &f);
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
                     std::unique_ptr<const OpFunction>(new CallableOp<F, N>(std::move(f))));
}

/// The same with the user's own first partials, which are used where the callable stays a function;
/// a formula has its own. nullopt: they are not the derivatives of `f` (derivative_agrees).
template <int N, class F, class G>
std::optional<Op> add_callable_op(std::string name, F f, OwnDerivative<G> own, OpTraits traits) {
  if (!derivative_agrees<N>(f, own)) return std::nullopt;
  if constexpr (!is_as_function<F>) {
    if (auto body = trace<N>(f))
      return add_user_op(std::move(name), N, std::move(traits), *std::move(body));
  }
  return add_user_op(std::move(name), N, std::move(traits),
                     std::unique_ptr<const OpFunction>(
                         new CallableOpWithDerivative<F, G, N>(std::move(f), std::move(own))));
}

}  // namespace vieta
