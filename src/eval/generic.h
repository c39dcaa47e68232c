// generic: formulas over values of any type, by the user's own operators: strings, intervals,
// complex numbers, integers, small vectors. One value after another: plain, and at any depth.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "base/result.h"
#include "data/columns.h"
#include "eval/generic_operators.h"
#include "expr/expr.h"
#include "expr/inline_operators.h"
#include "expr/parse_messages.h"

namespace vieta {

namespace generic {

/// A number can be made one of these. Not of containers, where V(3.0) may mean three elements.
template <class V>
concept FromNumber = std::convertible_to<double, V> ||
                     (std::constructible_from<V, double> && !std::ranges::range<V>);

template <class V>
bool holds(double number) {
  const double limit = std::ldexp(1.0, std::numeric_limits<V>::digits);
  const double least = std::is_signed_v<V> ? -limit : 0;
  return number == std::trunc(number) && number >= least && number < limit;
}

/// V(number). Error (usage): there is no such thing, or V is an integer type that does not hold it.
template <class V>
Result<V> from_number(double number) {
  const auto refuse = [number](const std::string& why) {
    return fail(ErrorCode::usage, "the formula's number " + number_text(number) + why);
  };
  if constexpr (!FromNumber<V>) {
    return refuse(" is no value of this type; say what it means: GenericOptions::constant");
  } else if constexpr (std::integral<V>) {
    if (!holds<V>(number)) return refuse(" is no value of this integer type; use whole numbers");
    return static_cast<V>(number);
  } else {
    return static_cast<V>(number);
  }
}

}  // namespace generic

template <class V>
struct GenericOptions {
  /// What a number in a formula is; it may refuse.
  std::function<Result<V>(double)> constant = generic::from_number<V>;
  /// Asked of every leaf and every result; evaluation stops at the first one that is not valid.
  /// Empty: all are.
  std::function<bool(const V&)> valid = {};
};

/// Values of a formula on rows, up to the first row with a value that is not valid.
template <class V>
struct GenericRows {
  std::vector<V> values;  ///< of the rows before first_bad_row; all rows if ok
  bool ok = true;
  std::size_t first_bad_row = ~std::size_t{0};  ///< from 0; only if not ok
};

namespace generic {

/// A formula made ready: operators looked up, numbers turned into V.
template <class V>
class Run {
 public:
  static Result<Run> prepare(const Expr& expr, std::size_t variables, std::size_t parameters,
                             const GenericOperators<V>& operators,
                             const GenericOptions<V>& options);

  /// `variable(i)` is the i-th variable's value. nullopt: a value that is not valid. Error: of an
  /// operator. Uses memory only as long as it runs and, for the stack, as long as this object is.
  template <class Variable>
  Result<std::optional<V>> operator()(Variable variable, std::span<const V> parameters);

 private:
  struct Step {
    NodeKind kind;
    std::size_t index;  // constants: into constants_; calls: number of arguments
    const typename GenericOperators<V>::Call* call = nullptr;
    Op op = Op::add;
  };

  Result<Step> step_of(const Node& node, const GenericOperators<V>& operators,
                       const GenericOptions<V>& options);

  std::vector<Step> steps_;
  std::vector<Slot<V>> constants_;
  std::vector<Slot<V>> stack_;
  const std::function<bool(const V&)>* valid_ = nullptr;
};

inline Result<void> check_count(const char* what, std::span<const std::string> names,
                                std::size_t given) {
  if (names.size() == given) return {};
  return fail(ErrorCode::usage, "the formula has " + std::to_string(names.size()) + " " + what +
                                    ", but " + std::to_string(given) +
                                    " were given; give one for each, in order");
}

inline Error not_set(Op op) {
  const std::string name(info(op).name);
  const std::string count = std::to_string(info(op).arity);
  return {ErrorCode::usage, "the operator " + vieta::quoted(name) + " with " + count +
                                (info(op).arity == 1 ? " argument" : " arguments") +
                                " has no meaning on these values; give it one: set<" + count +
                                ">(\"" + name + "\", f)"};
}

template <class V>
auto Run<V>::step_of(const Node& node, const GenericOperators<V>& operators,
                     const GenericOptions<V>& options) -> Result<Step> {
  if (node.is_constant()) {
    Result<V> constant = options.constant(node.value);
    if (!constant) return std::unexpected(std::move(constant.error()));
    constants_.push_back({*std::move(constant)});
    return Step{node.kind, constants_.size() - 1};
  }
  if (node.kind != NodeKind::call) return Step{node.kind, static_cast<std::size_t>(node.index)};
  const auto* call = operators.find(node.op);
  if (call == nullptr) return std::unexpected(not_set(node.op));
  return Step{node.kind, static_cast<std::size_t>(node.arity()), call, node.op};
}

template <class V>
Result<Run<V>> Run<V>::prepare(const Expr& expr, std::size_t variables, std::size_t parameters,
                               const GenericOperators<V>& operators,
                               const GenericOptions<V>& options) {
  const Symbols& symbols = expr.symbols();
  auto fine = check_count("variables", symbols.variables, variables);
  if (fine) fine = check_count("parameters", symbols.parameters, parameters);
  if (!fine) return std::unexpected(std::move(fine.error()));
  const Result<Expr> whole = inline_operators(expr);
  if (!whole) return std::unexpected(whole.error());
  Run run;
  if (options.valid) run.valid_ = &options.valid;
  for (const Node& node : whole->nodes()) {
    Result<Step> step = run.step_of(node, operators, options);
    if (!step) return std::unexpected(std::move(step.error()));
    run.steps_.push_back(*step);
  }
  return run;
}

template <class V>
template <class Variable>
Result<std::optional<V>> Run<V>::operator()(Variable variable, std::span<const V> parameters) {
  stack_.clear();  // an exception may have left something
  for (const Step& step : steps_) {
    switch (step.kind) {
      case NodeKind::variable:
        stack_.push_back({variable(step.index)});
        break;
      case NodeKind::parameter:
        stack_.push_back({parameters[step.index]});
        break;
      case NodeKind::constant:
        stack_.push_back(constants_[step.index]);
        break;
      case NodeKind::call: {
        Slot<V>* arguments = stack_.data() + (stack_.size() - step.index);
        if (Result<void> done = (*step.call)(arguments); !done) {
          done.error().message = vieta::quoted(info(step.op).name) + ": " + done.error().message;
          return std::unexpected(std::move(done.error()));
        }
        stack_.erase(stack_.end() - static_cast<std::ptrdiff_t>(step.index - 1), stack_.end());
        break;
      }
    }
    if (valid_ != nullptr && !(*valid_)(stack_.back().value)) return std::nullopt;
  }
  return std::optional<V>(std::move(stack_.back().value));
}

}  // namespace generic

/// The formula's value where its variables and parameters, in order, have these values. Operators
/// run in the formula's order, each as often as it stands there; both sides of `c ? a : b` are
/// computed, as the engine does. Operators with a formula of their own are that formula.
///
/// Errors: (usage) a wrong number of values, an operator that is not set, a number that V does not
/// hold; (numeric) a value that options.valid rejects; what an operator refuses. Exceptions of
/// callables pass. O(size) calls and copies of leaves, no recursion.
template <class V>
Result<V> evaluate_generic(const Expr& expr, std::type_identity_t<std::span<const V>> variables,
                           std::type_identity_t<std::span<const V>> parameters,
                           const GenericOperators<V>& operators,
                           const std::type_identity_t<GenericOptions<V>>& options = {}) {
  auto run =
      generic::Run<V>::prepare(expr, variables.size(), parameters.size(), operators, options);
  if (!run) return std::unexpected(std::move(run.error()));
  auto value = (*run)([&](std::size_t i) -> const V& { return variables[i]; }, parameters);
  if (!value) return std::unexpected(std::move(value.error()));
  if (!*value) {
    return fail(ErrorCode::numeric,
                "a value met on the way is not valid; mend the input, or ask for less");
  }
  return **std::move(value);
}

/// The same on every row of `columns`, a column a variable, looking operators up once. Where
/// options.valid rejects a value, the rows from there on are left out: no error. Errors: as above;
/// what an operator refuses has its row in Error::place.
template <class V>
Result<GenericRows<V>> evaluate_generic_rows(
    const Expr& expr, const std::type_identity_t<ColumnsView<V>>& columns,
    std::type_identity_t<std::span<const V>> parameters, const GenericOperators<V>& operators,
    const std::type_identity_t<GenericOptions<V>>& options = {}) {
  auto run =
      generic::Run<V>::prepare(expr, columns.columns(), parameters.size(), operators, options);
  if (!run) return std::unexpected(std::move(run.error()));
  GenericRows<V> out;
  out.values.reserve(columns.rows);
  for (std::size_t row = 0; row < columns.rows; ++row) {
    const auto variable = [&](std::size_t i) -> const V& { return columns.pointers[i][row]; };
    auto value = (*run)(variable, parameters);
    if (!value) {
      value.error().place.row = row + 1;
      return std::unexpected(std::move(value.error()));
    }
    if (!*value) {
      out.ok = false;
      out.first_bad_row = row;
      break;
    }
    out.values.push_back(**std::move(value));
  }
  return out;
}

}  // namespace vieta
