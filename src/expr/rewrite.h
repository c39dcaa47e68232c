// rewrite: simpler formulas with the same values.
#pragma once

#include "base/result.h"
#include "expr/expr.h"

namespace vieta {

struct SimplifyOptions {
  /// false: numbers are exact. true: a fit may change every number, so no rule looks at its value;
  /// what is redundant (2*3, (x + 1) + 2) still becomes one number, so that no direction is left in
  /// which the constants can move without changing the formula's value.
  bool tunable_constants = false;
};

/// The formula in normal form. Never larger, and simplifying again changes nothing. One pass from
/// the leaves to the root, O(size).
///
/// Always:
///   folding        an operator on numbers alone becomes its value, if finite: as the C library
///   gives
///                  it, at most 1 ULP an operator from what the engine gives
///   constants      of a sum or a product become one: (x + 1) + 2, (2*x)/(3*y), (u + 1) - (v + 2)
///   order          x + 1 and 2*x, not 1 + x and x*2; x - 2, not x + -2
///   signs          a + -b, a - -b, --a, -(a - b), -a*-b, 2*-a, cos(-a); a product's sign goes
///   first repetition     abs(abs(u)), floor(floor(u)), ...; not of ==, if on not
/// With exact numbers also:
///   neutral        x + 0, x - 0, 0 - x, x*1, x*-1, x/1, x^1, u*(1/w)
///   zero and one   0*u, u - u, 0/u, u/u, u^0, 1^u, if u is certain to be finite (and positive,
///   where
///                  it divides): u is then made of leaves and operators defined everywhere but the
///                  exponentials. 0*log(x) and x/x stay: they are not defined where x is 0
///   doubling       u + u is 2*u; u*u stays
///   choice         on a number, on the same two values, on what an outer choice decided,
///                  if(u < v, 1, 0), if(u == 0, 0, u*w) with w certain to be finite
///
/// Values keep within rounding (merging reassociates), the sign of a zero apart. Where an
/// intermediate result overflows or underflows, the simpler formula may not: (x*1e200)*1e-200.
Expr simplify(const Expr& expr, const SimplifyOptions& options = {});

}  // namespace vieta
