// rewrite: simpler formulas with the same values.
#pragma once

#include "base/result.h"
#include "expr/expr.h"

namespace vieta {

struct SimplifyOptions {
  /// Named and numeric constants are tunable: keep their number of degrees of freedom (fold 2*3,
  /// merge (x+1)+2), never specialise on a value such as x*1 that a fit may change. false: treat
  /// them as exact numbers.
  bool tunable_constants = false;
};

/// Folds constant subtrees whose value is finite, drops neutral elements (x+0, 0+x, x-0, x*1, x/1,
/// x^1, --x), merges constants in nested sums and products, x*x is kept, x+x is 2*x, x-x is 0 and
/// 0*x is 0 only where x is known to be finite wherever defined is not needed: a rewriting that
/// would make a formula defined where it was not (0*log(x), x/x) is refused. Repeats to a fixed
/// point; never grows. O(size * passes).
Expr simplify(const Expr& expr, const SimplifyOptions& options = {});

}  // namespace vieta
