// inline_operators: formulas without users' operators, where those are formulas themselves.
#pragma once

#include "base/result.h"
#include "expr/expr.h"
#include "ops/user_op.h"

namespace vieta {

/// `expr` with every operator that has a body replaced by it; operators that are functions stay.
/// The numbers of the bodies become constants of the formula. Error (usage): more than kMaxNodes
/// nodes. O(result).
Result<Expr> inline_operators(const Expr& expr);

/// Whether some operator of the formula is a function, for which no formula can stand.
bool has_functions(const Expr& expr);

/// Steps of a body with the bodies that it calls, counted up to kMaxBodySteps + 1.
std::size_t count_steps(const OpBody& body);
/// More would make every formula that calls it slow to lower.
inline constexpr std::size_t kMaxBodySteps = 1U << 16U;

/// A definition as it is written, as an operator's body: statement i gives local name i, the last
/// one the result; each is over the `arity` arguments, then the local names before it. A local name
/// is computed once, however often it is used. InternalError if there is a parameter. O(size).
OpBody body_of(std::span<const Expr> statements, std::size_t arity);

}  // namespace vieta
