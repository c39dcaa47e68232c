// generic_operators: what operators mean on values of any type.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "base/result.h"
#include "expr/callable_operators.h"
#include "expr/operators.h"
#include "expr/parse_messages.h"
#include "ops/op.h"

namespace vieta {

namespace generic {

/// A value on the stack. Not V itself: a std::vector<bool> would hold no objects.
template <class V>
struct Slot {
  V value;
};

// A struct: Clang 19 does not expand a pack that an alias ignores.
template <std::size_t, class V>
struct Repeated {
  using type = V;
};
template <std::size_t I, class V>
using Repeat = typename Repeated<I, V>::type;

/// Whether F can be called with N values that it may keep.
template <class F, class V, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return std::is_invocable_v<const F&, Repeat<I, V>...>;
}

/// The one number of values that F can be called with, up to kMaxArity; 0 if several or none.
template <class F, class V>
constexpr int arity() {
  int found = 0;
  int count = 0;
  const auto ask = [&]<std::size_t... N>(std::index_sequence<N...>) {
    ((takes<F, V>(std::make_index_sequence<N + 1>()) ? (found = int{N + 1}, ++count) : 0), ...);
  };
  ask(std::make_index_sequence<std::size_t{kMaxArity}>());
  return count == 1 ? found : 0;
}

/// Stands behind an operator that has a meaning on other values only: on numbers it is NaN, and so
/// are its partials.
struct NoNumber {
  auto operator()(const auto&... x) const {
    return (x + ...) * std::numeric_limits<double>::quiet_NaN();
  }
};

}  // namespace generic

/// Maps operators to callables on V, any copyable type: built-in operators and operators of new
/// names. A value; several threads may read one at once.
///
///   GenericOperators<std::string> ops;
///   ops.set("+", [](std::string a, const std::string& b) { return a += b; }).value();
///   ops.add("shout", [](const std::string& a) { return a + "!"; }).value();
///   auto expr = parse("shout(a + b)", {.variables = {"a", "b"}, .operators = &ops.names()});
///
/// A callable takes 1 to 8 values and returns a V, or a Result<V> where it may refuse. It is handed
/// values that it may keep: one that takes them as V or V&& can use their memory again. It must be
/// a function of its arguments alone; several threads may call it at once. Its exceptions pass.
template <class V>
class GenericOperators {
 public:
  /// Takes arguments[0 .. arity), leaves the result in arguments[0].
  using Call = std::function<Result<void>(generic::Slot<V>* arguments)>;

  GenericOperators() = default;
  /// Formulas may call these operators too. One that is a formula itself, as every definition
  /// without recursion and loops, then works on V as its formula would; any other is to be set.
  explicit GenericOperators(Operators names) : names_(std::move(names)) {}

  /// What numbers can: everything of the operator table that compiles for V, with functions found
  /// by argument-dependent lookup or in std. A comparison gives 1 or 0, and what is not 0 counts as
  /// true. Integers refuse what overflows, and division by zero; their quotient is rounded towards
  /// zero. Include eval/generic_arithmetic.h (vieta/generic.h).
  static GenericOperators arithmetic();

  /// Gives an operator that exists a meaning: by its name or alias and the callable's number of
  /// arguments ("-" with one is the sign), or one of names(). set<N>() where that number is open.
  /// What was set before is replaced. Error (usage): there is none of that name and number of
  /// arguments.
  template <class F>
  Result<void> set(std::string_view name, F f) {
    return set<checked_arity<F>()>(name, std::move(f));
  }
  template <int N, class F>
  Result<void> set(std::string_view name, F f) {
    const std::optional<Op> op = find(name, N);
    if (!op) {
      return fail(ErrorCode::usage,
                  "no operator " + vieta::quoted(name) + " has " + std::to_string(N) +
                      " arguments; add one of a new name, or change the number of arguments",
                  {.source = "operator"});
    }
    set<N>(*op, std::move(f));
    return {};
  }
  template <int N, class F>
  void set(Op op, F f);

  /// Adds an operator under a new name; add<N>() where the callable's number of arguments is open.
  /// The engine of numbers knows the name, but gives NaN for it. Errors (usage): as Operators::add.
  /// Each is known for as long as the process runs, and there is room for some 65,000.
  template <class F>
  Result<void> add(std::string_view name, F f, OpTraits traits = {}) {
    return add<checked_arity<F>()>(name, std::move(f), std::move(traits));
  }
  template <int N, class F>
  Result<void> add(std::string_view name, F f, OpTraits traits = {}) {
    const auto added = names_.add<N>(name, as_function(generic::NoNumber{}), std::move(traits));
    if (!added) return added;
    set<N>(*names_.find(name)->op, std::move(f));
    return {};
  }

  /// Adds an operator by a formula of the others, as Operators::define.
  Result<void> define(std::string_view text) { return names_.define(text); }

  /// The new names, for ParseOptions::operators.
  const Operators& names() const { return names_; }

  /// Null if the operator is not set.
  const Call* find(Op op) const {
    const auto at = calls_.find(op);
    return at == calls_.end() ? nullptr : &at->second;
  }

 private:
  template <class F>
  static constexpr int checked_arity() {
    constexpr int n = generic::arity<F, V>();
    static_assert(
        n > 0,
        "the callable takes no 1 to 8 values of this type (by value, const V& or V&&), or "
        "its number of arguments is open: then give it, as in set<2>(...)");
    return n;
  }

  std::optional<Op> find(std::string_view name, int arity) const {
    const Operators::Entry* own = names_.find(name);
    if (own == nullptr) return find_op(name, arity);
    return own->op && info(*own->op).arity == arity ? own->op : std::nullopt;
  }

  Operators names_;
  std::unordered_map<Op, Call> calls_;
};

template <class V>
template <int N, class F>
void GenericOperators<V>::set(Op op, F f) {
  static_assert(N >= 1 && N <= kMaxArity, "an operator has 1 to 8 arguments");
  const auto make = [&]<std::size_t... I>(std::index_sequence<I...>) -> Call {
    using Got = std::invoke_result_t<const F&, generic::Repeat<I, V>...>;
    return [f = std::move(f)](generic::Slot<V>* x) -> Result<void> {
      if constexpr (std::is_same_v<std::remove_cvref_t<Got>, Result<V>>) {
        Result<V> got = f(std::move(x[I].value)...);
        if (!got) return std::unexpected(std::move(got.error()));
        x->value = *std::move(got);
      } else {
        // In two steps: the callable may return a reference to one of its arguments.
        V got = f(std::move(x[I].value)...);
        x->value = std::move(got);
      }
      return {};
    };
  };
  calls_.insert_or_assign(op, make(std::make_index_sequence<std::size_t{N}>()));
}

}  // namespace vieta
