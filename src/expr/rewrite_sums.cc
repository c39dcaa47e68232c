#include <cmath>

#include "expr/rewriter.h"

namespace vieta {

Ref Rewriter::sum(Ref a, Ref b) {
  if (tree_.is_constant(a) && !tree_.is_constant(b)) return sum_with_constant(b, a);
  if (is_negation(b)) return make(Op::sub, a, operand(b));
  if (is_negation(a)) return make(Op::sub, b, operand(a));
  if (tree_.is_constant(b)) return sum_with_constant(a, b);
  if (const Maybe merged = merged_terms(Op::add, a, b)) return *merged;
  if (const Maybe positive = with_negative_factor_flipped(b)) return make(Op::sub, a, *positive);
  if (const Maybe twice = same_twice(Op::add, a, b)) return *twice;
  return tree_.call(Op::add, {a, b});
}

Ref Rewriter::difference(Ref a, Ref b) {
  if (is_negation(b)) return make(Op::add, a, operand(b));
  if (tree_.is_constant(b) && !tree_.is_constant(a)) {
    if (is_negation(a)) return make(Op::sub, tree_.constant(-value(b)), operand(a));
    return sum_with_constant(a, tree_.constant(-value(b)));
  }
  if (tree_.is_constant(a)) {
    if (const Maybe other = constant_minus(a, b)) return *other;
  } else if (const Maybe merged = merged_terms(Op::sub, a, b)) {
    return *merged;
  }
  if (const Maybe positive = with_negative_factor_flipped(b)) return make(Op::add, a, *positive);
  if (const Maybe zero = same_twice(Op::sub, a, b)) return *zero;
  return tree_.call(Op::sub, {a, b});
}

Ref Rewriter::negation(Ref a) {
  if (is_negation(a)) return operand(a);
  int looks = kLooks;
  if (const Maybe negated = negated_factor(a, false, looks)) return *negated;
  return tree_.call(Op::neg, {a});
}

// a + constant, a being none.
Ref Rewriter::sum_with_constant(Ref a, Ref constant) {
  const double amount = value(constant);
  if (exact_ && amount == 0) return a;
  if (is_negation(a)) return make(Op::sub, constant, operand(a));
  int looks = kLooks;
  if (const Maybe merged = add_to_a_constant(a, amount, looks)) return *merged;
  if (!std::signbit(amount)) return tree_.call(Op::add, {a, constant});
  return tree_.call(Op::sub, {a, tree_.constant(-amount)});
}

// constant - b = -(b - constant).
Rewriter::Maybe Rewriter::constant_minus(Ref constant, Ref b) {
  if (exact_ && tree_.is_constant(constant, 0)) return make(Op::neg, b);
  int looks = kLooks;
  if (const Maybe merged = add_to_a_constant(b, -value(constant), looks)) {
    return make(Op::neg, *merged);
  }
  return std::nullopt;
}

// (u + 1) + (v + 2) is (u + 3) + v.
Rewriter::Maybe Rewriter::merged_terms(Op op, Ref a, Ref b) {
  int looks = kLooks;
  const std::optional<Term> term = take_constant(b, looks);
  if (!term) return std::nullopt;
  looks = kLooks;
  const double amount = op == Op::sub ? -term->constant : term->constant;
  const Maybe merged = add_to_a_constant(a, amount, looks);
  if (!merged) return std::nullopt;
  return make(op, *merged, term->rest);
}

// -2*u gives 2*u and -2/u gives 2/u, so that a sum with it can become a difference.
Rewriter::Maybe Rewriter::with_negative_factor_flipped(Ref product) {
  if (!tree_.is_call(product, Op::mul) && !tree_.is_call(product, Op::div)) return std::nullopt;
  const Ref factor = operand(product);
  if (!tree_.is_constant(factor) || !std::signbit(value(factor))) return std::nullopt;
  return make(tree_.node(product).op, tree_.constant(-value(factor)), tree_.argument(product, 1));
}

// The same sum with `amount` added to one of its constants, if it has one.
Rewriter::Maybe Rewriter::add_to_a_constant(Ref at, double amount, int& looks) {
  if (--looks < 0) return std::nullopt;
  const Node& node = tree_.node(at);
  if (node.is_constant()) {
    const double total = node.value + amount;
    if (!std::isfinite(total)) return std::nullopt;
    return tree_.constant(total);
  }
  if (node.is_call(Op::neg)) {
    const Maybe inner = add_to_a_constant(operand(at), -amount, looks);
    if (!inner) return std::nullopt;
    return make(Op::neg, *inner);
  }
  const bool is_sum = node.is_call(Op::add);
  if (!is_sum && !node.is_call(Op::sub)) return std::nullopt;
  const Op op = node.op;
  const Ref a = operand(at);
  const Ref b = tree_.argument(at, 1);
  if (const Maybe right = add_to_a_constant(b, is_sum ? amount : -amount, looks)) {
    return make(op, a, *right);
  }
  if (const Maybe left = add_to_a_constant(a, amount, looks)) return make(op, *left, b);
  return std::nullopt;
}

// A constant of the sum and the sum without it.
std::optional<Rewriter::Term> Rewriter::take_constant(Ref at, int& looks) {
  if (--looks < 0) return std::nullopt;
  const Node& node = tree_.node(at);
  const bool is_sum = node.is_call(Op::add);
  if (!is_sum && !node.is_call(Op::sub)) return std::nullopt;
  const Op op = node.op;
  const Ref a = operand(at);
  const Ref b = tree_.argument(at, 1);
  const auto usable = [this](Ref c) { return tree_.is_constant(c) && std::isfinite(value(c)); };
  if (usable(b)) return Term{a, is_sum ? value(b) : -value(b)};
  if (usable(a)) return Term{is_sum ? b : make(Op::neg, b), value(a)};
  if (const auto right = take_constant(b, looks)) {
    return Term{make(op, a, right->rest), is_sum ? right->constant : -right->constant};
  }
  if (const auto left = take_constant(a, looks)) {
    return Term{make(op, left->rest, b), left->constant};
  }
  return std::nullopt;
}

}  // namespace vieta
