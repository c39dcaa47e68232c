// shrink: from a formula that breaks a property to the smallest one found that still does.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "expr/print.h"
#include "expr/walk.h"
#include "oracle/random_formula.h"

namespace vieta::property {

/// What is wrong with a formula; empty if the property holds.
using Property = std::function<std::string(const Expr&)>;

/// How plain a leaf is: 0, 1, the variables in order, parameters, other numbers.
inline std::size_t rank(const Node& leaf) {
  switch (leaf.kind) {
    case NodeKind::variable:
      return 2 + leaf.index;
    case NodeKind::parameter:
      return 100 + leaf.index;
    default:
      if (same_node(leaf, Node::constant(0))) return 0;
      if (same_node(leaf, Node::constant(1))) return 1;
      return leaf.value == std::round(leaf.value) ? 200 : 201;
  }
}

/// What shrinking makes less: nodes first, then the ranks of the leaves.
inline std::pair<std::size_t, std::size_t> measure(const Expr& expr) {
  std::size_t ranks = 0;
  for (const Node& node : expr.nodes()) ranks += node.kind == NodeKind::call ? 0 : rank(node);
  return {expr.size(), ranks};
}

/// Plainer leaves than this one, plainest first.
inline std::vector<Node> plainer_leaves(const Symbols& symbols, const Node& leaf) {
  std::vector<Node> all = {Node::constant(0), Node::constant(1)};
  for (std::size_t v = 0; v < symbols.variables.size(); ++v) all.push_back(Node::variable(v));
  for (std::size_t p = 0; p < symbols.parameters.size(); ++p) all.push_back(Node::parameter(p));
  if (leaf.is_constant() && std::isfinite(leaf.value)) {
    all.push_back(Node::constant(std::round(leaf.value)));
  }
  if (leaf.kind != NodeKind::call) {
    std::erase_if(all, [&](const Node& other) { return rank(other) >= rank(leaf); });
  }
  return all;
}

/// Smaller formulas, boldest first: the subtrees; then, at each node, one of its arguments or a
/// plain leaf in its place.
inline std::vector<Expr> smaller(const Expr& expr) {
  std::vector<Expr> all;
  for (std::size_t at = 0; at + 1 < expr.size(); ++at) all.push_back(extract(expr, at));
  const auto replace = [&](std::size_t at, std::span<const Node> other) {
    all.push_back(replace_subtree(expr, at, other).value());
  };
  for (std::size_t at = expr.size(); at-- > 0;) {
    const Node& node = expr.nodes()[at];
    const auto args = arguments(expr.nodes(), at);
    for (int k = 0; k < node.arity(); ++k) {
      replace(at, subtree(expr.nodes(), args[static_cast<std::size_t>(k)]));
    }
    for (const Node& leaf : plainer_leaves(expr.symbols(), node)) replace(at, std::array{leaf});
  }
  return all;
}

/// The smallest formula found that still breaks the property, by taking the first smaller one that
/// does until none does. It ends: every step lowers measure().
inline Expr shrunk(Expr expr, const Property& property) {
  while (true) {
    std::optional<Expr> better;
    for (Expr& candidate : smaller(expr)) {
      if (measure(candidate) >= measure(expr) || property(candidate).empty()) continue;
      better = std::move(candidate);
      break;
    }
    if (!better) return expr;
    expr = *std::move(better);
  }
}

/// A broken property: the smallest formula as text, what is wrong with it, and what it came from.
struct Counterexample {
  Expr formula;
  std::string text;
};

/// Random formulas over `space`, of up to `size` nodes, until one breaks the property: it is
/// shrunk. `of(trial)` gives the property of a trial, the same whenever it is asked.
inline std::optional<Counterexample> find_counterexample(
    const oracle::FormulaSpace& space, std::size_t size, std::uint32_t trials, std::uint64_t seed,
    const std::function<Property(std::uint32_t)>& of) {
  for (std::uint32_t trial = 0; trial < trials; ++trial) {
    Rng rng(seed, 0, trial);
    const Expr formula = oracle::random_formula(space, 1 + rng.below(size), rng);
    const Property property = of(trial);
    if (property(formula).empty()) continue;
    const Expr least = shrunk(formula, property);
    return Counterexample{least, "trial " + std::to_string(trial) + ": " + print(least) + "\n  " +
                                     property(least) + "\n  shrunk from " + print(formula)};
  }
  return std::nullopt;
}

}  // namespace vieta::property
