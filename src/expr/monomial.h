// monomial: a product as a number times powers, in no order, so that like terms are seen.
#pragma once

#include <cstdint>
#include <vector>

#include "expr/tree.h"

namespace vieta {

/// A factor to a whole power. Above and below the line are kept apart: x/x is not 1 where x is 0.
struct Power {
  Ref base = 0;
  double above = 0;
  double below = 0;
};

/// The factor as a power of what it is built on: x^3, square(x), cube(x), inv(x), x itself. With
/// `exact` false the exponent of x^3 is a number that may change: it is a power of itself.
Power as_power(const Tree& tree, Ref at, bool below, bool exact);

/// base^exponent is a shorter way to write it: neither 1 nor out of the range of whole doubles.
bool is_exponent(double value);

/// coefficient * product of powers. O(factors * log(factors)).
class Monomial {
 public:
  Monomial(const Tree& tree, Ref at, bool exact);

  double coefficient() const { return coefficient_; }
  /// It has a number among its factors.
  bool has_number() const { return has_number_; }
  /// A number among its factors is 0, infinite or NaN, or they leave the range of normal numbers.
  bool is_odd() const { return odd_; }
  /// A number within the powers' bases.
  bool has_inner_number(const Tree& tree) const;
  /// The same for monomials of the same powers, seldom for others.
  std::uint64_t key() const { return key_; }
  bool same_powers(const Tree& tree, const Monomial& other) const;
  bool is_number() const { return powers_.empty(); }

 private:
  double coefficient_ = 1;
  bool has_number_ = false;
  bool odd_ = false;
  std::vector<Power> powers_;
  std::uint64_t key_ = 0;
};

}  // namespace vieta
