#include <cmath>

#include "expr/rewriter.h"

namespace vieta {
namespace {

// constant * numerator / denominator, if nothing was lost to overflow or underflow.
std::optional<double> scaled(double constant, double numerator, double denominator) {
  const double result = constant * numerator / denominator;
  const bool is_zero = constant == 0 || numerator == 0;
  if (!std::isfinite(result) || (!is_zero && !std::isnormal(result))) return std::nullopt;
  return result;
}

}  // namespace

Ref Rewriter::product(Ref a, Ref b) {
  if (is_negation(a)) return make(Op::neg, make(Op::mul, operand(a), b));
  if (is_negation(b)) return make(Op::neg, make(Op::mul, a, operand(b)));
  if (tree_.is_call(b, Op::inv)) return make(Op::div, a, operand(b));
  if (tree_.is_call(a, Op::inv)) return make(Op::div, b, operand(a));
  if (tree_.is_constant(a)) return constant_times(a, b);
  if (tree_.is_constant(b)) return constant_times(b, a);
  if (const Maybe over = times_quotient_of_constant(a, b)) return *over;
  if (const Maybe over = times_quotient_of_constant(b, a)) return *over;
  if (const Maybe merged = merged_factors(Op::mul, a, b)) return *merged;
  return tree_.call(Op::mul, {a, b});
}

Ref Rewriter::quotient(Ref a, Ref b) {
  if (is_negation(a)) return make(Op::neg, make(Op::div, operand(a), b));
  if (is_negation(b)) return make(Op::neg, make(Op::div, a, operand(b)));
  if (tree_.is_constant(b)) return quotient_by_constant(a, b);
  if (tree_.is_constant(a)) {
    if (const Maybe other = constant_over(a, b)) return *other;
  } else if (const Maybe merged = merged_factors(Op::div, a, b)) {
    return *merged;
  }
  if (const Maybe one = same_twice(Op::div, a, b)) return *one;
  return tree_.call(Op::div, {a, b});
}

Ref Rewriter::constant_times(Ref constant, Ref b) {
  if (exact_) {
    if (tree_.is_constant(constant, 1)) return b;
    if (tree_.is_constant(constant, -1)) return make(Op::neg, b);
    if (tree_.is_constant(constant, 0) && tree_.always_finite(b)) return tree_.constant(0);
  }
  int looks = kLooks;
  if (!tree_.is_constant(b)) {
    if (const Maybe merged = scale_a_constant(b, value(constant), 1, looks)) return *merged;
  }
  return tree_.call(Op::mul, {constant, b});
}

Ref Rewriter::quotient_by_constant(Ref a, Ref constant) {
  if (exact_) {
    if (tree_.is_constant(constant, 1)) return a;
    if (tree_.is_constant(constant, -1)) return make(Op::neg, a);
  }
  int looks = kLooks;
  if (!tree_.is_constant(a)) {
    if (const Maybe merged = scale_a_constant(a, 1, value(constant), looks)) return *merged;
  }
  return tree_.call(Op::div, {a, constant});
}

// c/(k*u) is (c/k)/u.
Rewriter::Maybe Rewriter::constant_over(Ref constant, Ref b) {
  if (exact_ && tree_.is_constant(constant, 0) && tree_.always_finite(b) &&
      tree_.always_positive(b)) {
    return tree_.constant(0);
  }
  int looks = kLooks;
  const std::optional<Factor> factor = take_factor(b, looks);
  if (!factor) return std::nullopt;
  const auto ratio = scaled(value(constant), factor->denominator, factor->numerator);
  if (!ratio) return std::nullopt;
  return make(Op::div, tree_.constant(*ratio), factor->rest);
}

// (2*u)*(3*v) is (6*u)*v, (2*u)/(3*v) is ((2/3)*u)/v.
Rewriter::Maybe Rewriter::merged_factors(Op op, Ref a, Ref b) {
  int looks = kLooks;
  if (const std::optional<Factor> factor = take_factor(b, looks)) {
    looks = kLooks;
    const bool over = op == Op::div;
    if (const Maybe scaled_a =
            scale_a_constant(a, over ? factor->denominator : factor->numerator,
                             over ? factor->numerator : factor->denominator, looks)) {
      return make(op, *scaled_a, factor->rest);
    }
  }
  looks = kLooks;
  if (const std::optional<Factor> factor = take_factor(a, looks)) {
    looks = kLooks;
    const Maybe scaled_b =
        op == Op::mul ? scale_a_constant(b, factor->numerator, factor->denominator, looks)
                      : scaled_denominator(b, factor->numerator, factor->denominator, looks);
    if (scaled_b) return make(op, factor->rest, *scaled_b);
  }
  return std::nullopt;
}

// u*(c/w) is (c*u)/w if u has a constant to merge with, or c is 1.
Rewriter::Maybe Rewriter::times_quotient_of_constant(Ref a, Ref quotient) {
  if (!tree_.is_call(quotient, Op::div) || !tree_.is_constant(operand(quotient))) {
    return std::nullopt;
  }
  const Ref below = tree_.argument(quotient, 1);
  if (exact_ && tree_.is_constant(operand(quotient), 1)) return make(Op::div, a, below);
  int looks = kLooks;
  const Maybe merged = scale_a_constant(a, value(operand(quotient)), 1, looks);
  if (!merged) return std::nullopt;
  return make(Op::div, *merged, below);
}

// -(2*u) is -2*u, -((a - b)*u) is (b - a)*u: the negated product, if a factor can take the sign for
// nothing. `below` the line, a number does only if it loses a sign by it: u/-2 reads badly.
Rewriter::Maybe Rewriter::negated_factor(Ref at, bool below, int& looks) {
  if (--looks < 0) return std::nullopt;
  const Node& node = tree_.node(at);
  if (node.is_constant()) {
    if (below && !std::signbit(node.value)) return std::nullopt;
    return tree_.constant(-node.value);
  }
  const Op op = node.op;
  if (node.kind != NodeKind::call || info(op).arity != 2) return std::nullopt;
  const Ref a = operand(at);
  const Ref b = tree_.argument(at, 1);
  if (op == Op::sub) return make(Op::sub, b, a);
  if (op == Op::add && tree_.is_constant(b)) return make(Op::sub, tree_.constant(-value(b)), a);
  if (op != Op::mul && op != Op::div) return std::nullopt;
  if (const Maybe left = negated_factor(a, below, looks)) return make(op, *left, b);
  if (const Maybe right = negated_factor(b, below || op == Op::div, looks)) {
    return make(op, a, *right);
  }
  return std::nullopt;
}

// The same product with one of its constants multiplied by numerator/denominator, if it has one.
Rewriter::Maybe Rewriter::scale_a_constant(Ref at, double numerator, double denominator,
                                           int& looks) {
  if (--looks < 0) return std::nullopt;
  const Node& node = tree_.node(at);
  if (node.is_constant()) {
    const auto result = scaled(node.value, numerator, denominator);
    if (!result) return std::nullopt;
    return tree_.constant(*result);
  }
  const Op op = node.op;
  if (!node.is_call(Op::mul) && !node.is_call(Op::div)) return std::nullopt;
  const Ref a = operand(at);
  const Ref b = tree_.argument(at, 1);
  if (const Maybe left = scale_a_constant(a, numerator, denominator, looks)) {
    return make(op, *left, b);
  }
  if (op == Op::mul) {
    const Maybe right = scale_a_constant(b, numerator, denominator, looks);
    if (!right) return std::nullopt;
    return make(op, a, *right);
  }
  if (tree_.is_constant(b) && denominator == 1) {
    // (u/2)*3 is 1.5*u.
    const auto ratio = scaled(numerator, 1, value(b));
    if (!ratio) return std::nullopt;
    return make(Op::mul, tree_.constant(*ratio), a);
  }
  const Maybe below = scaled_denominator(b, numerator, denominator, looks);
  if (!below) return std::nullopt;
  return make(op, a, *below);
}

// What stands under the line: it takes the inverse factor.
Rewriter::Maybe Rewriter::scaled_denominator(Ref at, double numerator, double denominator,
                                             int& looks) {
  if (numerator == 0) return std::nullopt;
  return scale_a_constant(at, denominator, numerator, looks);
}

// A constant factor of the product and the product without it.
std::optional<Rewriter::Factor> Rewriter::take_factor(Ref at, int& looks) {
  if (--looks < 0) return std::nullopt;
  const Node& node = tree_.node(at);
  const Op op = node.op;
  if (!node.is_call(Op::mul) && !node.is_call(Op::div)) return std::nullopt;
  const Ref a = operand(at);
  const Ref b = tree_.argument(at, 1);
  // 0 is no factor to divide by, infinity and NaN none to move.
  const auto usable = [this](Ref c) {
    return tree_.is_constant(c) && std::isfinite(value(c)) && value(c) != 0;
  };
  if (op == Op::mul && usable(a)) return Factor{b, value(a), 1};
  if (usable(b)) return op == Op::mul ? Factor{a, value(b), 1} : Factor{a, 1, value(b)};
  if (const auto left = take_factor(a, looks)) {
    return Factor{make(op, left->rest, b), left->numerator, left->denominator};
  }
  if (const auto right = take_factor(b, looks)) {
    const bool below = op == Op::div;
    return Factor{make(op, a, right->rest), below ? right->denominator : right->numerator,
                  below ? right->numerator : right->denominator};
  }
  return std::nullopt;
}

}  // namespace vieta
