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

/// F on tiles, its first partials by G.
template <class F, class G, int N>
class CallableOpWithDerivative final : public OpFunction {
 public:
  CallableOpWithDerivative(F f, OwnDerivative<G> own) : f_(std::move(f)), own_(std::move(own)) {}

  void value(const double* const* args, double* out, std::size_t rows) const override {
    f_.value(args, out, rows);
  }
  void value(const float* const* args, float* out, std::size_t rows) const override {
    f_.value(args, out, rows);
  }
  void partial(const double* const* args, int k, double* out, std::size_t rows) const override {
    own_partial(args, k, out, rows);
  }
  void partial(const float* const* args, int k, float* out, std::size_t rows) const override {
    own_partial(args, k, out, rows);
  }
  void second_partial(const double* const* args, int k, int l, double* out,
                      std::size_t rows) const override {
    f_.second_partial(args, k, l, out, rows);
  }
  void second_partial(const float* const* args, int k, int l, float* out,
                      std::size_t rows) const override {
    f_.second_partial(args, k, l, out, rows);
  }

 private:
  template <class E>
  void own_partial(const E* const* args, int k, E* out, std::size_t rows) const {
    for (std::size_t r = 0; r < rows; ++r) {
      if (!finite_row(args, N, r)) {
        out[r] = std::numeric_limits<E>::quiet_NaN();
        continue;
      }
      std::array<double, N> x{};
      for (std::size_t i = 0; i < N; ++i) x[i] = static_cast<double>(args[i][r]);
      out[r] = static_cast<E>(own_.at(x)[std::size_t(k)]);
    }
  }

  CallableOp<F, N> f_;
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
      const double derived = callable::call(f, arguments).d[0];
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

/// The same with the user's own first partials, which are used where the callable stays a function;
/// a formula has its own. nullopt: they are not the derivatives of `f` (derivative_agrees).
template <int N, class F, class G>
std::optional<Op> add_callable_op(std::string name, F f, OwnDerivative<G> own, OpTraits traits) {
  if (!derivative_agrees<N>(f, own)) return std::nullopt;
  if constexpr (!is_as_function<F>) {
    if (auto body = trace<N>(f))
      return add_user_op(std::move(name), N, std::move(traits), *std::move(body));
  }
  return add_user_op(
      std::move(name), N, std::move(traits),
      std::make_unique<const CallableOpWithDerivative<F, G, N>>(std::move(f), std::move(own)));
}

}  // namespace vieta
