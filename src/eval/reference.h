// reference: the judge. Value, gradient and Hessian of a formula at one point, in long double, by
// plain forward accumulation over the postfix nodes. No optimisation ever touches it; everything
// else is compared with it.
#pragma once

#include <span>
#include <vector>

#include "expr/diff.h"
#include "expr/expr.h"

namespace vieta::reference {

struct Derivatives {
  long double value = 0;
  std::vector<long double> gradient;  ///< per leaf
  std::vector<long double> hessian;   ///< packed upper triangle of leaves x leaves
  bool ok = true;                     ///< every leaf used and every operator result is finite
};

/// `variables` and `parameters` are the values of the formula's symbols, in order. O(size *
/// leaves^2).
Derivatives evaluate(const Expr& expr, std::span<const double> variables,
                     std::span<const double> parameters, std::span<const Leaf> leaves, int order);

/// One operator alone: value, first partials (arity) and second partials (packed_index order).
struct Partials {
  long double value = 0;
  long double d[kMaxArity] = {};
  long double d2[kMaxSecondPartials] = {};
};
Partials partials(Op op, std::span<const long double> arguments);

}  // namespace vieta::reference
