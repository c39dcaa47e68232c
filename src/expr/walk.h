// walk: looking at, cutting and joining formulas. A position is the index of a node, and so of the
// subtree that ends there; the root's is nodes.size() - 1.
//
// What asks about single nodes needs nothing from here: nodes() is a span, and any, all, count and
// find are std::ranges algorithms over it.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/result.h"
#include "base/rng.h"
#include "expr/expr.h"
#include "expr/inline_stack.h"

namespace vieta {

/// Every subtree's value from those of its arguments: f(node, std::span<const T> arguments) -> T
/// is called once a node, arguments before their operator, with an empty span for leaves. Returns
/// the root's. T is anything movable but bool. O(size) calls; never recurses.
template <class T, class F>
T bottom_up(std::span<const Node> nodes, F&& f) {
  static_assert(!std::same_as<T, bool>, "std::vector<bool> has no span; use char");
  std::vector<T> values;
  for (const Node& node : nodes) {
    const auto arity = static_cast<std::size_t>(node.arity());
    T value = f(node, std::span<const T>(values).last(arity));
    values.erase(values.end() - static_cast<std::ptrdiff_t>(arity), values.end());
    values.push_back(std::move(value));
  }
  VIETA_CHECK(values.size() == 1);
  return std::move(values.back());
}

/// Positions from the root down, each before its arguments, these from left to right: f(position)
/// -> bool says whether to go into the arguments. O(nodes met); never recurses.
template <class F>
void top_down(std::span<const Node> nodes, F&& f) {
  VIETA_CHECK(!nodes.empty());
  InlineStack<std::size_t> waiting;
  waiting.push(nodes.size() - 1);
  while (!waiting.empty()) {
    const std::size_t at = waiting.pop();
    if (!f(at)) continue;
    const auto args = arguments(nodes, at);
    for (int k = nodes[at].arity(); k > 0; --k) waiting.push(args[static_cast<std::size_t>(k - 1)]);
  }
}

/// Where `predicate(node)` holds, ascending. O(size).
template <std::predicate<const Node&> Predicate>
std::vector<std::size_t> positions(std::span<const Node> nodes, Predicate predicate) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (std::invoke(predicate, nodes[i])) found.push_back(i);
  }
  return found;
}

/// The formula with every node replaced by f(node), a leaf by a leaf and an operator by one with as
/// many arguments (InternalError otherwise). O(size).
template <class F>
Expr mapped(const Expr& expr, F&& f) {
  std::vector<Node> nodes(expr.nodes().begin(), expr.nodes().end());
  for (Node& node : nodes) {
    const Node old = node;
    node = f(old);
    VIETA_CHECK(node.arity() == old.arity());
    node.size = old.size;
  }
  return {std::move(nodes), expr.shared_symbols()};
}

/// A uniform choice among the positions where `predicate(node)` holds; empty if there is none. Two
/// passes, and one number of `rng`, which is left alone if there is none.
template <std::predicate<const Node&> Predicate>
std::optional<std::size_t> sample_node(std::span<const Node> nodes, Rng& rng, Predicate predicate) {
  std::size_t matches = 0;
  for (const Node& node : nodes) matches += std::invoke(predicate, node) ? 1 : 0;
  if (matches == 0) return std::nullopt;
  std::size_t skip = rng.below(matches);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (std::invoke(predicate, nodes[i]) && skip-- == 0) return i;
  }
  internal_error("the predicate changed its mind", __FILE__, __LINE__);
}

/// Uniform over all nodes.
std::size_t sample_node(std::span<const Node> nodes, Rng& rng);

/// A choice by weight, an entry a node, none negative or NaN (InternalError); empty if their sum is
/// 0 or not finite. A node of weight 0 is never chosen. Two passes, one number of `rng`.
std::optional<std::size_t> sample_weighted(std::span<const double> weights, Rng& rng);

/// Position of each constant, by its number from the left (c1 is at [0]); ascending. O(size).
std::vector<std::size_t> constant_positions(std::span<const Node> nodes);

/// The way back: the number, from 0, of the constant at `position`; empty if no constant is there.
/// O(position).
std::optional<std::size_t> constant_number(std::span<const Node> nodes, std::size_t position);

/// What a formula is made of.
struct NodeCounts {
  std::size_t variables = 0;  ///< every occurrence
  std::size_t constants = 0;
  std::size_t parameters = 0;                         ///< every occurrence
  std::array<std::size_t, kMaxArity + 1> calls_of{};  ///< calls by number of arguments

  std::size_t leaves() const { return variables + constants + parameters; }
  std::size_t calls() const;
  friend bool operator==(const NodeCounts&, const NodeCounts&) = default;
};

/// O(size).
NodeCounts count_nodes(std::span<const Node> nodes);

/// The position of each node's operator; the root has its own position. O(size).
std::vector<std::size_t> parents(std::span<const Node> nodes);

/// The subtree at `root` as a formula over the same names. InternalError if there is no such node.
/// O(subtree).
Expr extract(const Expr& expr, std::size_t root);

/// The formula with the subtree at `root` replaced by `other`, which may be a part of it and must
/// be over the same names (InternalError; so is a position that does not exist). Error (usage):
/// more than kMaxNodes nodes. O(size of the result).
Result<Expr> replace_subtree(const Expr& expr, std::size_t root, const Expr& other);
/// The same with bare nodes, whose indices mean the names of `expr`.
Result<Expr> replace_subtree(const Expr& expr, std::size_t root, std::span<const Node> other);

/// The formula over other names: variable v is now variables[v] of `symbols`, parameter p
/// parameters[p]; an empty list leaves them their numbers. InternalError where one that occurs has
/// no number, or none that `symbols` knows. O(size).
Expr renumbered(const Expr& expr, std::span<const std::size_t> variables,
                std::span<const std::size_t> parameters, std::shared_ptr<const Symbols> symbols);

/// `destination` becomes `expr`. Takes its storage over: no allocation if it has held a formula as
/// large. O(size).
void copy_into(const Expr& expr, Expr& destination);

}  // namespace vieta
