// test_formulas: random formulas and their shrinking, for the tests of this room.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "expr/expr.h"
#include "expr/parse.h"

namespace vieta::testing {

/// The formula of a text over the columns x, y, z; every other name is a parameter.
inline Expr formula(std::string_view text) {
  return parse(text, {.variables = {"x", "y", "z"}, .new_parameters = true}).value();
}

/// What random formulas are made of.
struct Material {
  std::shared_ptr<const Symbols> symbols;
  std::vector<Op> ops;
  std::vector<double> constants;
  double leaf_chance = 0.3;
};

inline Material all_ops_over(Symbols symbols, std::vector<double> constants) {
  Material material{std::make_shared<const Symbols>(std::move(symbols)), {}, std::move(constants)};
  for (std::size_t i = 0; i < kOpCount; ++i) material.ops.push_back(op_at(i));
  return material;
}

inline Node random_leaf(const Material& material, Rng& rng) {
  const std::size_t variables = material.symbols->variables.size();
  const std::size_t parameters = material.symbols->parameters.size();
  const std::size_t pick = rng.below(3);
  if (pick == 0 && variables > 0) return Node::variable(rng.below(variables));
  if (pick == 1 && parameters > 0) return Node::parameter(rng.below(parameters));
  if (material.constants.empty()) return Node::variable(rng.below(variables));
  return Node::constant(material.constants[rng.below(material.constants.size())]);
}

inline void append_random(std::vector<Node>& nodes, const Material& material, std::size_t depth,
                          Rng& rng) {
  if (depth <= 1 || rng.chance(material.leaf_chance)) {
    nodes.push_back(random_leaf(material, rng));
    return;
  }
  const Op op = material.ops[rng.below(material.ops.size())];
  for (int k = 0; k < info(op).arity; ++k) append_random(nodes, material, depth - 1, rng);
  append_call(nodes, op);
}

inline Expr random_formula(const Material& material, std::size_t depth, Rng& rng) {
  std::vector<Node> nodes;
  append_random(nodes, material, depth, rng);
  return {std::move(nodes), material.symbols};
}

/// The same formula with the subtree at `root` replaced.
inline Expr with_subtree(const Expr& expr, std::size_t root, std::span<const Node> other) {
  const auto nodes = expr.nodes();
  std::vector<Node> out(nodes.begin(),
                        nodes.begin() + static_cast<std::ptrdiff_t>(root + 1 - nodes[root].size));
  out.insert(out.end(), other.begin(), other.end());
  out.insert(out.end(), nodes.begin() + static_cast<std::ptrdiff_t>(root) + 1, nodes.end());
  restore_sizes(out);
  return {std::move(out), expr.shared_symbols()};
}

/// A small formula for which `fails` still holds, given a large one: subtrees are tried in the
/// place of their parents until none helps.
inline Expr shrunk(Expr expr, const std::function<bool(const Expr&)>& fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t root = 0; root < expr.size() && !smaller; ++root) {
      const auto args = arguments(expr.nodes(), root);
      const int arity = expr.nodes()[root].arity();
      for (int k = 0; k < arity && !smaller; ++k) {
        const auto part = subtree(expr.nodes(), args[static_cast<std::size_t>(k)]);
        Expr candidate = with_subtree(expr, root, std::vector<Node>(part.begin(), part.end()));
        if (!fails(candidate)) continue;
        expr = std::move(candidate);
        smaller = true;
      }
    }
  }
  return expr;
}

}  // namespace vieta::testing
