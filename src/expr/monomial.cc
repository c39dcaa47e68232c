#include "expr/monomial.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/hash.h"
#include "expr/cluster.h"

namespace vieta {
namespace {

// Whole numbers beyond are not all doubles.
constexpr double kLargestWhole = 9007199254740992.0;

double exponent_of(const Tree& tree, Ref at, bool exact) {
  if (tree.is_call(at, Op::square)) return 2;
  if (tree.is_call(at, Op::cube)) return 3;
  if (tree.is_call(at, Op::inv)) return -1;
  if (!exact || !tree.is_call(at, Op::pow) || !tree.is_constant(tree.argument(at, 1))) return 1;
  const double exponent = tree.node(tree.argument(at, 1)).value;
  return is_exponent(exponent) ? exponent : 1;
}

}  // namespace

bool is_exponent(double value) {
  return value != 0 && value == std::floor(value) && std::fabs(value) <= kLargestWhole;
}

Power as_power(const Tree& tree, Ref at, bool below, bool exact) {
  const double exponent = exponent_of(tree, at, exact);
  // Below the line, x^-1 is infinite where x is 0, and what it divides 0: not the same as x above.
  if (exponent == 1 || (below && exponent < 0)) {
    return below ? Power{at, 0, 1} : Power{at, 1, 0};
  }
  const Ref base = tree.argument(at, 0);
  if (below) return {base, 0, exponent};
  return exponent > 0 ? Power{base, exponent, 0} : Power{base, 0, -exponent};
}

Monomial::Monomial(const Tree& tree, Ref at, bool exact) {
  const Cluster factors(tree, at, Cluster::Kind::product);
  for (const Cluster::Member& member : factors.members()) {
    if (!tree.is_constant(member.at)) {
      powers_.push_back(as_power(tree, member.at, member.inverse, exact));
      continue;
    }
    const double value = tree.node(member.at).value;
    has_number_ = true;
    coefficient_ = member.inverse ? coefficient_ / value : coefficient_ * value;
  }
  odd_ = !std::isnormal(coefficient_);
  std::ranges::sort(powers_, {}, [&](const Power& power) { return tree.hash(power.base); });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < powers_.size(); ++i) {
    if (tree.same(powers_[kept].base, powers_[i].base)) {
      powers_[kept].above += powers_[i].above;
      powers_[kept].below += powers_[i].below;
    } else {
      powers_[++kept] = powers_[i];
    }
  }
  if (!powers_.empty()) powers_.resize(kept + 1);
  for (const Power& power : powers_) {
    key_ = combine(key_, tree.hash(power.base));
    key_ = combine(key_, std::bit_cast<std::uint64_t>(power.above));
    key_ = combine(key_, std::bit_cast<std::uint64_t>(power.below));
  }
}

bool Monomial::has_inner_number(const Tree& tree) const {
  return std::ranges::any_of(powers_, [&](const Power& p) { return tree.has_number(p.base); });
}

bool Monomial::same_powers(const Tree& tree, const Monomial& other) const {
  return std::ranges::equal(powers_, other.powers_, [&](const Power& a, const Power& b) {
    return a.above == b.above && a.below == b.below && tree.same(a.base, b.base);
  });
}

}  // namespace vieta
