#include "expr/rewrite.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "expr/cluster.h"
#include "expr/fold.h"
#include "expr/inline_stack.h"
#include "expr/rewriter.h"
#include "expr/walk.h"

namespace vieta {
namespace {

// f(f(u)) is f(u).
bool is_idempotent(Op op) {
  switch (op) {
    case Op::abs:
    case Op::sign:
    case Op::floor:
    case Op::ceil:
    case Op::round:
    case Op::trunc:
    case Op::relu:
      return true;
    default:
      return false;
  }
}

// f(-u) is f(u).
bool is_even(Op op) { return op == Op::abs || op == Op::cos || op == Op::cosh || op == Op::square; }

// Its value is 0 or 1 whatever the arguments.
bool is_truth_value(const Node& node) {
  if (node.kind != NodeKind::call) return false;
  const int precedence = info(node.op).precedence;
  return node.op == Op::not_ || (precedence > 0 && precedence <= info(Op::lt).precedence);
}

bool is_even_number(double value) { return std::fmod(value, 2.0) == 0; }

}  // namespace

Ref Rewriter::make(Op op, const Tree::Args& args) {
  if (const Maybe constant = folded(op, args)) return *constant;
  switch (op) {
    case Op::add:
      return sum(args[0], args[1]);
    case Op::sub:
      return difference(args[0], args[1]);
    case Op::neg:
      return negation(args[0]);
    case Op::mul:
      return product(args[0], args[1]);
    case Op::div:
      return quotient(args[0], args[1]);
    case Op::pow:
      return power(args[0], args[1]);
    case Op::if_:
      return choice(args[0], args[1], args[2]);
    default:
      return function(op, args);
  }
}

Rewriter::Maybe Rewriter::folded(Op op, const Tree::Args& args) {
  if (!is_builtin(op)) return std::nullopt;
  std::array<double, kMaxArity> values{};
  const auto arity = static_cast<std::size_t>(info(op).arity);
  for (std::size_t k = 0; k < arity; ++k) {
    if (!tree_.is_constant(args[k])) return std::nullopt;
    values[k] = value(args[k]);
  }
  const double result = fold(op, std::span(values).first(arity));
  if (!std::isfinite(result)) return std::nullopt;
  return tree_.constant(result);
}

// Both arguments are the same formula.
Rewriter::Maybe Rewriter::same_twice(Op op, Ref a, Ref b) {
  if (!exact_ || !tree_.same(a, b)) return std::nullopt;
  switch (op) {
    case Op::add:
      return make(Op::mul, tree_.constant(2), a);
    case Op::sub:
      if (tree_.always_finite(a)) return tree_.constant(0);
      return std::nullopt;
    case Op::div:
      if (tree_.always_finite(a) && tree_.always_positive(a)) return tree_.constant(1);
      return std::nullopt;
    case Op::min:
    case Op::max:
      return a;
    default:
      return std::nullopt;
  }
}

Ref Rewriter::function(Op op, const Tree::Args& args) {
  const Ref a = args[0];
  if (is_idempotent(op) && tree_.is_call(a, op)) return a;
  if (is_even(op) && is_negation(a)) return make(op, operand(a));
  if (op == Op::square || op == Op::cube) {
    if (const Maybe one = power_of_power(a, op == Op::square ? 2 : 3)) return *one;
  }
  if (op == Op::not_ && (tree_.is_call(a, Op::eq) || tree_.is_call(a, Op::ne))) {
    return make(tree_.is_call(a, Op::eq) ? Op::ne : Op::eq, operand(a), tree_.argument(a, 1));
  }
  if (op == Op::min || op == Op::max) {
    if (const Maybe one = same_twice(op, a, args[1])) return *one;
  }
  return tree_.call(op, args);
}

Ref Rewriter::power(Ref a, Ref b) {
  if (exact_) {
    if (tree_.is_constant(b, 1)) return a;
    if (tree_.is_constant(b, 0) && tree_.always_finite(a)) return tree_.constant(1);
    if (tree_.is_constant(a, 1) && tree_.always_finite(b)) return tree_.constant(1);
    if (tree_.is_constant(b, -1)) return make(Op::div, tree_.constant(1), a);
    if (tree_.is_constant(b)) {
      if (const Maybe one = power_of_power(a, value(b))) return *one;
    }
    if (tree_.is_constant(b) && is_even_number(value(b)) && is_negation(a)) {
      return make(Op::pow, operand(a), b);
    }
  }
  return tree_.call(Op::pow, {a, b});
}

Ref Rewriter::choice(Ref condition, Ref then, Ref otherwise) {
  if (tree_.is_call(condition, Op::not_)) {
    return make(Op::if_, operand(condition), otherwise, then);
  }
  if (exact_) {
    if (const Maybe other = exact_choice(condition, then, otherwise)) return *other;
  }
  return tree_.call(Op::if_, {condition, then, otherwise});
}

// The condition is 1 where `condition` is 0: if(condition, 0, 1).
bool Rewriter::negates(Ref maybe, Ref condition) const {
  return tree_.is_call(maybe, Op::if_) && tree_.same(operand(maybe), condition) &&
         tree_.is_constant(tree_.argument(maybe, 1), 0) &&
         tree_.is_constant(tree_.argument(maybe, 2), 1);
}

Rewriter::Maybe Rewriter::exact_choice(Ref condition, Ref then, Ref otherwise) {
  if (tree_.is_constant(condition)) return value(condition) != 0 ? then : otherwise;
  if (tree_.is_call(condition, Op::ne) && tree_.is_constant(tree_.argument(condition, 1), 0)) {
    return make(Op::if_, operand(condition), then, otherwise);
  }
  if (tree_.always_finite(condition) && tree_.same(then, otherwise)) return then;
  if (tree_.is_constant(then, 1) && tree_.is_constant(otherwise, 0) &&
      is_truth_value(tree_.node(condition))) {
    return condition;
  }
  // Inside the branches the condition is known.
  if (tree_.is_call(then, Op::if_) && tree_.same(operand(then), condition)) {
    return make(Op::if_, condition, tree_.argument(then, 1), otherwise);
  }
  if (tree_.is_call(otherwise, Op::if_)) {
    const Ref inner = operand(otherwise);
    if (tree_.same(inner, condition)) {
      return make(Op::if_, condition, then, tree_.argument(otherwise, 2));
    }
    if (negates(inner, condition)) {
      return make(Op::if_, condition, then, tree_.argument(otherwise, 1));
    }
  }
  // if(u == 0, 0, u*w) guards against 0 times infinity; w is never that.
  if (tree_.is_call(condition, Op::eq) && tree_.is_constant(tree_.argument(condition, 1), 0) &&
      tree_.is_constant(then, 0) && tree_.is_call(otherwise, Op::mul)) {
    const Ref a = operand(otherwise);
    const Ref b = tree_.argument(otherwise, 1);
    const Ref guarded = operand(condition);
    if ((tree_.same(a, guarded) && tree_.always_finite(b)) ||
        (tree_.same(b, guarded) && tree_.always_finite(a))) {
      return otherwise;
    }
  }
  return std::nullopt;
}

namespace {

// Bottom up: each call in normal form; at the roots of sums and products, what the whole of them
// holds more than once.
std::vector<Node> one_pass(std::span<const Node> nodes, const SimplifyOptions& options) {
  Rewriter rewriter(nodes.size(), options);
  const std::vector<std::size_t> above = parents(nodes);
  const auto is_root = [&](std::size_t at, Cluster::Kind kind) {
    const bool has_parent = at + 1 < nodes.size();
    return Cluster::joins(nodes[at], kind) &&
           !(has_parent && Cluster::joins(nodes[above[at]], kind));
  };
  InlineStack<Ref> roots;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    if (node.kind != NodeKind::call) {
      roots.push(rewriter.leaf(node));
      continue;
    }
    Tree::Args args{};
    for (int k = node.arity() - 1; k >= 0; --k) args[static_cast<std::size_t>(k)] = roots.pop();
    Ref made = rewriter.make(node.op, args);
    if (is_root(i, Cluster::Kind::sum)) made = rewriter.with_like_terms_gathered(made);
    if (is_root(i, Cluster::Kind::product)) made = rewriter.with_powers_gathered(made);
    roots.push(made);
  }
  return rewriter.tree().postfix(roots.pop());
}

// One is enough for most formulas, and one more to see that it was. More are needed where a sum or
// product came to light only when another had been rewritten.
constexpr int kMostPasses = 32;

}  // namespace

Expr simplify(const Expr& expr, const SimplifyOptions& options) {
  std::vector<Node> nodes(expr.nodes().begin(), expr.nodes().end());
  for (int pass = 0; pass < kMostPasses; ++pass) {
    std::vector<Node> simpler = one_pass(nodes, options);
    const bool settled = std::ranges::equal(simpler, nodes, same_node);
    nodes = std::move(simpler);
    if (settled) break;
  }
  return {std::move(nodes), expr.shared_symbols()};
}

}  // namespace vieta
