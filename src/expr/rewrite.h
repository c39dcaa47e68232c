// rewrite: simpler formulas with the same values.
#pragma once

#include "base/result.h"
#include "expr/expr.h"

namespace vieta {

struct SimplifyOptions {
  /// false: numbers are exact. true: a fit may change every number, so no rule looks at its value;
  /// what is redundant (2*3, (x + 1) + 2, 2*x + 3*x) still becomes one number, so that no direction
  /// is left in which the constants can move without changing the formula's value.
  bool tunable_constants = false;
  /// false: columns and parameters may be infinite or NaN, huge or tiny. u - u, 0*u and u^0 then
  /// stay, a NaN stays one and an infinity too; terms of different signs are not gathered, nor are
  /// powers in a product of more than them.
  bool finite_inputs = true;
};

/// The formula in normal form. Never larger, and simplifying again changes nothing. Passes from the
/// leaves to the root, O(size * log(size)) each, until nothing changes: two or three for most
/// formulas, 32 at most.
///
/// Always:
///   folding     an operator on numbers alone becomes its value, if finite: as the C library gives
///               it, at most 1 ULP an operator from what the engine gives
///   constants   of a sum or a product become one: (x + 1) + 2, (2*x)/(3*y), (u + 1) - (v + 2)
///   like terms  of a whole sum, whatever its brackets and the order of factors, become one:
///               2*x + y + 3*x, x*y + y*x, x/3 - x/6
///   order       x + 1 and 2*x, not 1 + x and x*2; x - 2, not x + -2
///   signs       a + -b, a - -b, --a, -(a - b), -a*-b, 2*-a, cos(-a); a product's sign goes first
///   repetition  abs(abs(u)), floor(floor(u)), ...; not of ==, if on not
///   reciprocal  u*inv(w) is u/w
/// With exact numbers also:
///   neutral     x + 0, x - 0, 0 - x, x*1, x*-1, x/1, x^1, u*(1/w), x^-1
///   powers      of one base in a whole product, if that is shorter: x*x^2, x*y*x^2, u/w/w^2, and
///               (x^2)^3, for whole exponents
///   vanishing   0*u, u - u, 0/u, u/u, u^0, 1^u, if u is certain to be finite (and positive, where
///               it divides): u is then made of leaves and operators defined everywhere but the
///               exponentials
///   doubling    u + u is 2*u; u*u stays, unless u is a call
///   choice      on a number, on the same two values, on what an outer choice decided,
///               if(u < v, 1, 0), if(u == 0, 0, u*w) with w certain to be finite
///
/// What changes where a formula is defined is refused: x/x, x^2/x, x/(y/z), 1/(1/x), 0*log(x),
/// sqrt(x)^2, (x^2)^0.5, log(exp(x)), exp(log(x)) stay.
///
/// Value, gradient and Hessian keep within rounding, the sign of a zero apart. Regrouping changes
/// last bits: 0.1*x + 0.2*x becomes 0.30000000000000004*x, which is within what rounding may do to
/// the sum as it was written (the property tests hold all three to that bound). Where an
/// intermediate result overflows or underflows, the simpler formula may not: (x*1e200)*1e-200,
/// exp(x) - 2*exp(x). The other way round only where powers are gathered across other factors: in
/// x*y*x^2 the power x^3 leaves the range of double where |x| is beyond 1e102 or below 1e-102.
Expr simplify(const Expr& expr, const SimplifyOptions& options = {});

}  // namespace vieta
