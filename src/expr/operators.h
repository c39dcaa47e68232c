// operators: the operators that a formula may call besides the built-in ones.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expr/expr.h"
#include "ops/user_op.h"

namespace vieta {

template <class G>
struct OwnDerivative;  // ops/callable_op.h

/// A user's operators, defined by text or by a C++ callable. A value: copies share what is known of
/// each operator.
class Operators {
 public:
  /// Reads one definition: `name(a, b) = formula`, or with local names in front of the formula,
  /// `name(a, b) = s = a + b; d = a - b; s*d/(s^2 + 1)`. The body may use the arguments, the local
  /// names before, numbers, pi, e, built-in operators and the operators known so far.
  ///
  /// Its formula takes the place of a call where a formula is evaluated, differentiated or
  /// exported, so it costs what it would cost written out. Its numbers are its own: they are no
  /// constants of the formula that calls it. A local name is computed
  /// once.
  ///
  /// A definition that calls itself, `fact(n) = n <= 1 ? 1 : n*fact(n - 1)`, or loops, by
  ///   sum(i, from, to, formula)          over i = from, from + 1, ... up to `to`; prod likewise
  ///   iterate(s, start, count, formula)  s = start, then s = formula, `count` times
  /// is run step by step: only the side that is chosen by `?:`, `&&` and `||`, a local name when it
  /// is first needed. Its derivatives are exact (bounds and counts have none); a call that takes
  /// more than kMaxMachineSteps steps gives NaN, and so does one with an argument that is not
  /// finite.
  ///
  /// Errors (usage; the place's source is "definition"): bad text, a name defined twice or taken
  /// from a built-in operator, an argument or local name named twice, an unknown name, a wrong
  /// number of arguments, a recursion that cannot end, more than kMaxNodes nodes. O(length of the
  /// text and of the result).
  Result<void> define(std::string_view text);

  /// Adds a generic callable, as [](auto x, auto y) { return x > y ? x * y : exp(x - y); }, of 1 to
  /// 8 arguments; Add<N>() where its number of arguments is open. Values and both derivative orders
  /// come from it alone, in float and double: as a formula, on all SIMD lanes, where it has no loop
  /// that depends on its input (it is run once on symbols to find out), else by calling it row by
  /// row, on finite arguments only. It must be a function of its arguments, callable by several
  /// threads at once, and let exceptions pass. as_function(f) keeps it from being run on symbols.
  /// Include expr/callable_operators.h (vieta/operators.h). Errors (usage): a bad or taken name;
  /// declared commutative, but it is not.
  template <class F>
  Result<void> add(std::string_view name, F f);
  template <class F>
  Result<void> add(std::string_view name, F f, OpTraits traits);
  template <int N, class F>
  Result<void> add(std::string_view name, F f, OpTraits traits = {});
  /// With first partials of the user's own, as derivative([](auto x, auto y) { return
  /// std::array{y, x}; }). Error (usage) too: they are not what is derived from `f`.
  template <class F, class G>
  Result<void> add(std::string_view name, F f, OwnDerivative<G> own, OpTraits traits = {});

  struct Entry {
    std::string name;
    std::vector<std::string> arguments;
    std::optional<Op> op;      ///< none: of more than kMaxArity arguments, inlined by the parser
    std::optional<Expr> body;  ///< over variables = arguments, where there is no op
    std::string text;          ///< of the definition; empty: a callable
  };
  const Entry* find(std::string_view name) const;
  const std::vector<Entry>& all() const { return entries_; }

 private:
  Result<void> check_name(std::string_view name) const;
  Result<void> add_op(std::string_view name, Op op);
  static Error wrong_derivative(std::string_view name);

  std::vector<Entry> entries_;
};

/// All of these definitions, in order. Errors: as Operators::define.
Result<Operators> define_all(const std::vector<std::string>& texts);

/// Why functions of the formula gave NaN without a result so far, as "'f' took more than 100000
/// steps"; empty if none did.
std::string unfinished_calls(const Expr& expr);

}  // namespace vieta
