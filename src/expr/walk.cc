#include "expr/walk.h"

#include <cmath>
#include <numeric>

#include "expr/splice.h"

namespace vieta {
namespace {

bool same_names(const Symbols& a, const Symbols& b) {
  return &a == &b || (a.variables == b.variables && a.parameters == b.parameters);
}

}  // namespace

std::size_t sample_node(std::span<const Node> nodes, Rng& rng) {
  VIETA_CHECK(!nodes.empty());
  return rng.below(nodes.size());
}

std::optional<std::size_t> sample_weighted(std::span<const double> weights, Rng& rng) {
  double total = 0;
  for (const double weight : weights) {
    VIETA_CHECK(weight >= 0);
    total += weight;
  }
  if (total == 0 || !std::isfinite(total)) return std::nullopt;
  const double aim = rng.uniform() * total;
  // The same sum in the same order reaches `total` again, but `aim` may round to it: the last node
  // of a weight above 0 takes what is left.
  std::optional<std::size_t> chosen;
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    chosen = i;
    sum += weights[i];
    if (aim < sum) break;
  }
  return chosen;
}

std::vector<std::size_t> constant_positions(std::span<const Node> nodes) {
  return positions(nodes, [](const Node& node) { return node.is_constant(); });
}

std::optional<std::size_t> constant_number(std::span<const Node> nodes, std::size_t position) {
  VIETA_CHECK(position < nodes.size());
  if (!nodes[position].is_constant()) return std::nullopt;
  std::size_t number = 0;
  for (const Node& node : nodes.first(position)) number += node.is_constant() ? 1 : 0;
  return number;
}

std::size_t NodeCounts::calls() const {
  return std::accumulate(calls_of.begin(), calls_of.end(), std::size_t{0});
}

NodeCounts count_nodes(std::span<const Node> nodes) {
  NodeCounts counts;
  for (const Node& node : nodes) {
    switch (node.kind) {
      case NodeKind::variable:
        ++counts.variables;
        break;
      case NodeKind::constant:
        ++counts.constants;
        break;
      case NodeKind::parameter:
        ++counts.parameters;
        break;
      case NodeKind::call:
        ++counts.calls_of[static_cast<std::size_t>(node.arity())];
        break;
    }
  }
  return counts;
}

std::vector<std::size_t> parents(std::span<const Node> nodes) {
  std::vector<std::size_t> above(nodes.size());
  if (!nodes.empty()) above.back() = nodes.size() - 1;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto args = arguments(nodes, i);
    for (int k = 0; k < nodes[i].arity(); ++k) above[args[static_cast<std::size_t>(k)]] = i;
  }
  return above;
}

Expr extract(const Expr& expr, std::size_t root) {
  VIETA_CHECK(root < expr.size());
  const auto part = subtree(expr.nodes(), root);
  return {std::vector<Node>(part.begin(), part.end()), expr.shared_symbols()};
}

Result<Expr> replace_subtree(const Expr& expr, std::size_t root, const Expr& other) {
  VIETA_CHECK(same_names(expr.symbols(), other.symbols()));
  return replace_subtree(expr, root, other.nodes());
}

Result<Expr> replace_subtree(const Expr& expr, std::size_t root, std::span<const Node> other) {
  VIETA_CHECK(root < expr.size());
  const auto nodes = expr.nodes();
  const std::size_t old = nodes[root].size;
  const std::size_t size = nodes.size() - old + other.size();
  if (size > kMaxNodes) return std::unexpected(too_large("the formula after replacement"));
  const auto before = nodes.first(root + 1 - old);
  std::vector<Node> out;
  out.reserve(size);
  out.insert(out.end(), before.begin(), before.end());
  out.insert(out.end(), other.begin(), other.end());
  for (std::size_t i = root + 1; i < nodes.size(); ++i) {
    out.push_back(nodes[i]);
    const bool above = i - root < nodes[i].size;
    if (above) out.back().size = static_cast<std::uint32_t>(nodes[i].size - old + other.size());
  }
  return Expr(std::move(out), expr.shared_symbols());
}

Expr renumbered(const Expr& expr, std::span<const std::size_t> variables,
                std::span<const std::size_t> parameters, std::shared_ptr<const Symbols> symbols) {
  const auto number = [](std::span<const std::size_t> numbers, std::size_t old) {
    if (numbers.empty()) return old;
    VIETA_CHECK(old < numbers.size());
    return numbers[old];
  };
  std::vector<Node> nodes(expr.nodes().begin(), expr.nodes().end());
  for (Node& node : nodes) {
    if (node.kind == NodeKind::variable) node = Node::variable(number(variables, node.index));
    if (node.kind == NodeKind::parameter) node = Node::parameter(number(parameters, node.index));
  }
  return {std::move(nodes), std::move(symbols)};
}

void copy_into(const Expr& expr, Expr& destination) { destination = expr; }

}  // namespace vieta
