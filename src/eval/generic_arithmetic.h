// generic_arithmetic: the operator table on any type like a number. Its formulas are those of
// ops.def, compiled for V; a row that does not compile is left out.
#pragma once

#include <cmath>
#include <complex>
#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "base/polygamma.h"
#include "eval/generic.h"
#include "eval/generic_operators.h"

namespace vieta {

namespace generic::table {

using std::abs;
using std::acos;
using std::acosh;
using std::asin;
using std::asinh;
using std::atan;
using std::atan2;
using std::atanh;
using std::cbrt;
using std::ceil;
using std::cos;
using std::cosh;
using std::erf;
using std::erfc;
using std::exp;
using std::exp2;
using std::expm1;
using std::floor;
using std::fma;
using std::fmod;
using std::hypot;
using std::lgamma;
using std::log;
using std::log10;
using std::log1p;
using std::log2;
using std::nearbyint;
using std::pow;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;
using std::tgamma;
using std::trunc;
using vieta::digamma;
using vieta::polygamma;

template <class A>
concept Ordered = FromNumber<A> && requires(const A& a) {
  { a < a } -> std::convertible_to<bool>;
  { a != a } -> std::convertible_to<bool>;
};
/// What may be divided and squared without a look at the range.
template <class A>
concept Real = FromNumber<A> && !std::integral<A>;
template <class A>
concept OrderedReal = Ordered<A> && Real<A>;

template <class A>
constexpr A number(double value) {
  return static_cast<A>(value);
}

// The table's functions that are no C++ ones. Objects, so that their names are not looked up among
// a type's own functions: std::min would be taken for anything in std. They return an A, not what
// some libraries make of a + b: that may refer to numbers in here.
inline constexpr auto where = []<class A>(bool condition, const A& then, const A& otherwise) -> A {
  return condition ? then : otherwise;
};
inline constexpr auto inv = []<Real A>(const A& a) -> A
  requires requires { A(number<A>(1) / a); }
{ return A(number<A>(1) / a); };
inline constexpr auto square = []<Real A>(const A& a) -> A
  requires requires { A(a * a); }
{ return A(a * a); };
inline constexpr auto cube = []<Real A>(const A& a) -> A
  requires requires { A(a * a * a); }
{ return A(a * a * a); };
inline constexpr auto sign = []<Ordered A>(const A& a) -> A {
  const A zero = number<A>(0);
  if (zero < a) return number<A>(1);
  if constexpr (!std::is_unsigned_v<A>) {
    if (a < zero) return number<A>(-1);
  }
  return a;
};
inline constexpr auto min = []<Ordered A>(const A& a, const A& b) -> A {
  if (a != a) return a;
  return b != b || b < a ? b : a;
};
inline constexpr auto max = []<Ordered A>(const A& a, const A& b) -> A {
  if (a != a) return a;
  return b != b || a < b ? b : a;
};
inline constexpr auto clamp = []<Ordered A>(const A& a, const A& b, const A& c) -> A {
  return min(max(a, b), c);
};
inline constexpr auto relu = []<Ordered A>(const A& a) -> A {
  return a != a || number<A>(0) < a ? a : number<A>(0);
};
inline constexpr auto round = []<Real A>(const A& a) -> A
  requires requires { A(nearbyint(a)); }
{ return A(nearbyint(a)); };
inline constexpr auto gamma = []<OrderedReal A>(const A& a) -> A
  requires requires { A(tgamma(a)), A(number<A>(1) / a); }
{
  // tgamma of a zero may be NaN; here it is infinite.
  return a != number<A>(0) ? A(tgamma(a)) : A(number<A>(1) / a);
};
inline constexpr auto logistic = []<OrderedReal A>(const A& a) -> A
  requires requires(A b) { A(exp(A(-b)) / A(b + b)); }
{
  const A one = number<A>(1);
  const A power = A(exp(a < number<A>(0) ? a : A(-a)));
  return A((a < number<A>(0) ? power : one) / A(one + power));
};
inline constexpr auto softplus = []<OrderedReal A>(const A& a) -> A
  requires requires(A b) { A(b + A(log1p(A(exp(A(-b)))))); }
{
  if (number<A>(0) < a) return A(a + A(log1p(A(exp(A(-a))))));
  return A(log1p(A(exp(a))));
};
inline constexpr auto mod = []<OrderedReal A>(const A& a, const A& b) -> A
  requires requires { A(fmod(a, b)), A(a + b); }
{
  const A zero = number<A>(0);
  const A rest = A(fmod(a, b));
  return rest != zero && (rest < zero) != (b < zero) ? A(rest + b) : rest;
};

/// Whether a row's result R is a value of V: a number is, but no fraction is an integer; and what
/// turns into a V by itself, as the half-done results of some matrix and big number libraries.
template <class V, class R>
constexpr bool gives() {
  using Plain = std::remove_cvref_t<R>;
  if constexpr (std::same_as<Plain, V> || std::same_as<Plain, Result<V>>) {
    return true;
  } else if constexpr (std::integral<V>) {
    return std::integral<Plain>;
  } else if constexpr (std::is_arithmetic_v<Plain>) {
    return FromNumber<V> && std::constructible_from<V, Plain>;
  } else {
    return std::convertible_to<R, V>;
  }
}

/// Sets the operator to `f` if that compiles for V.
template <int N, class V, class F>
void offer(GenericOperators<V>& operators, Op op, F f) {
  const auto with = [&]<std::size_t... I>(std::index_sequence<I...>) {
    if constexpr (std::is_invocable_v<const F&, const Repeat<I, V>&...>) {
      using R = std::invoke_result_t<const F&, const Repeat<I, V>&...>;
      if constexpr (std::same_as<std::remove_cvref_t<R>, Result<V>>) {
        operators.template set<N>(op, [f](const Repeat<I, V>&... x) { return f(x...); });
      } else if constexpr (gives<V, R>()) {
        operators.template set<N>(
            op, [f](const Repeat<I, V>&... x) -> V { return static_cast<V>(f(x...)); });
      }
    }
  };
  with(std::make_index_sequence<std::size_t{N}>());
}

template <class V>
void offer_rows(GenericOperators<V>& operators) {
#define VIETA_UNARY(id, name, value, ...) \
  offer<1>(operators, Op::id, [](const auto& a) -> decltype(value) { return value; });
#define VIETA_BINARY(id, name, value, ...) \
  offer<2>(operators, Op::id,              \
           [](const auto& a, const auto& b) -> decltype(value) { return value; });
#define VIETA_TERNARY(id, name, value, ...) \
  offer<3>(operators, Op::id,               \
           [](const auto& a, const auto& b, const auto& c) -> decltype(value) { return value; });
#include "ops/ops.def"
#undef VIETA_UNARY
#undef VIETA_BINARY
#undef VIETA_TERNARY
}

/// The rows that ask whether a value is 0, for types that are not compared with an int.
template <class V>
void offer_logic(GenericOperators<V>& operators) {
  if constexpr (FromNumber<V> && requires(const V& a) { bool(a != a); }) {
    const auto truth = [](const V& a) -> bool { return a != number<V>(0); };
    const auto as_value = [](bool b) { return number<V>(b ? 1 : 0); };
    operators.template set<2>(
        Op::both, [=](const V& a, const V& b) { return as_value(truth(a) && truth(b)); });
    operators.template set<2>(
        Op::either, [=](const V& a, const V& b) { return as_value(truth(a) || truth(b)); });
    operators.template set<1>(Op::not_, [=](const V& a) { return as_value(!truth(a)); });
    operators.template set<3>(Op::if_,
                              [=](const V& a, V b, V c) { return truth(a) ? std::move(b) : c; });
  }
}

template <std::integral V>
Result<V> within_range(bool beyond, V value) {
  if (!beyond) return value;
  return fail(ErrorCode::numeric,
              "the result is beyond the range of the integer type; use a wider one");
}

template <std::integral V>
Result<V> quotient(V a, V b) {
  if (b == 0) return fail(ErrorCode::numeric, "an integer divided by zero; keep the divisor off 0");
  if constexpr (std::is_signed_v<V>) {
    if (b == -1) {
      V negated{};
      const bool beyond = __builtin_sub_overflow(V{0}, a, &negated);
      return within_range(beyond, negated);
    }
  }
  return static_cast<V>(a / b);
}

/// Integers never overflow silently.
template <std::integral V>
void offer_integers(GenericOperators<V>& operators) {
  static_assert(!std::is_same_v<V, bool>, "truth values have no arithmetic");
  constexpr auto add = [](V a, V b) {
    V v{};
    const bool beyond = __builtin_add_overflow(a, b, &v);
    return within_range(beyond, v);
  };
  constexpr auto sub = [](V a, V b) {
    V v{};
    const bool beyond = __builtin_sub_overflow(a, b, &v);
    return within_range(beyond, v);
  };
  constexpr auto mul = [](V a, V b) {
    V v{};
    const bool beyond = __builtin_mul_overflow(a, b, &v);
    return within_range(beyond, v);
  };
  operators.template set<2>(Op::add, add);
  operators.template set<2>(Op::sub, sub);
  operators.template set<2>(Op::mul, mul);
  operators.template set<2>(Op::div, quotient<V>);
  operators.template set<1>(Op::neg, [=](V a) { return sub(V{0}, a); });
  operators.template set<1>(Op::abs, [=](V a) { return a < V{0} ? sub(V{0}, a) : a; });
  operators.template set<1>(Op::square, [=](V a) { return mul(a, a); });
}

}  // namespace generic::table

template <class V>
GenericOperators<V> GenericOperators<V>::arithmetic() {
  GenericOperators operators;
  generic::table::offer_rows(operators);
  generic::table::offer_logic(operators);
  if constexpr (std::integral<V>) generic::table::offer_integers(operators);
  return operators;
}

}  // namespace vieta
