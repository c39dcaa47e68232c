// suite: the formulas of the engine benchmark, fixed and seeded.
#pragma once

#include <string>
#include <vector>

#include "expr/expr.h"

namespace vieta::bench {

struct SuiteFormula {
  std::string name;
  Expr expr;               ///< over x1 .. x5
  bool arithmetic = true;  ///< + - * / alone
};

inline constexpr std::size_t kVariables = 5;

/// The fused shapes of DynamicExpressions.jl's tests (a unary of a binary of leaves, a unary of a
/// unary, ...), its two README formulas, and random trees of 20 and 48 nodes over {+ - * /} and {+
/// - * / exp cos log tanh}.
std::vector<SuiteFormula> make_suite();

}  // namespace vieta::bench
