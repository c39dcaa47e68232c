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

/// Random trees of 20 nodes with five constants each, eight over either set, that are finite for
/// variables from 0.5 to 2: for the gradient of a loss.
std::vector<SuiteFormula> make_loss_suite();

}  // namespace vieta::bench
