// callable_operators: Operators::add, which compiles its argument for several number types.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "expr/operators.h"
#include "ops/callable_op.h"

namespace vieta {

// Not inlined: many of them in one function would cost a compiler more than their sum.
template <int N, class F>
[[gnu::noinline]] Result<void> Operators::add(std::string_view name, F f, OpTraits traits) {
  if (Result<void> fine = check_name(name); !fine) return fine;
  return add_op(name, add_callable_op<N>(std::string(name), std::move(f), std::move(traits)));
}

// Traits are made here, not once more for every operator where they are added.
template <class F>
[[gnu::noinline]] Result<void> Operators::add(std::string_view name, F f) {
  return add(name, std::move(f), OpTraits());
}

template <class F>
Result<void> Operators::add(std::string_view name, F f, OpTraits traits) {
  constexpr int n = callable::arity<F>();
  static_assert(n > 0,
                "the number of arguments is open, or not from 1 to 8: give it, as in add<2>(...)");
  return add<n>(name, std::move(f), std::move(traits));
}

template <class F, class G>
[[gnu::noinline]] Result<void> Operators::add(std::string_view name, F f, OwnDerivative<G> own,
                                              OpTraits traits) {
  constexpr int n = callable::arity<F>();
  static_assert(n > 0, "the number of arguments is open, or not from 1 to 8");
  if (Result<void> fine = check_name(name); !fine) return fine;
  const std::optional<Op> op =
      add_callable_op<n>(std::string(name), std::move(f), std::move(own), std::move(traits));
  if (!op) return std::unexpected(wrong_derivative(name));
  return add_op(name, *op);
}

}  // namespace vieta
