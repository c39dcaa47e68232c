// random_formula: seeded random formulas over chosen operators.
#pragma once

#include <memory>
#include <vector>

#include "base/rng.h"
#include "expr/expr.h"

namespace vieta::oracle {

struct FormulaSpace {
  std::vector<Op> ops;
  std::size_t variables = 3;
  std::size_t parameters = 1;
};

/// All operators but those that are steps of their argument's rounding or undefined off a lattice.
inline std::vector<Op> smooth_ops() {
  std::vector<Op> ops;
  for (std::size_t o = 0; o < kOpCount; ++o) {
    const std::string_view id = info(op_at(o)).id;
    const bool steps = id == "mod" || id == "fmod" || id == "polygamma" || id == "gamma" ||
                       id == "eq" || id == "ne";
    if (!steps) ops.push_back(op_at(o));
  }
  return ops;
}

inline void append_random(const FormulaSpace& space, std::size_t size, Rng& rng,
                          std::vector<Node>& nodes) {
  if (size <= 1) {
    const double u = rng.uniform();
    if (u < 0.6) {
      nodes.push_back(Node::variable(rng.below(space.variables)));
    } else if (u < 0.7 && space.parameters > 0) {
      nodes.push_back(Node::parameter(rng.below(space.parameters)));
    } else {
      nodes.push_back(Node::constant(std::round(rng.normal() * 8) / 4));
    }
    return;
  }
  Op op = space.ops[rng.below(space.ops.size())];
  while (static_cast<std::size_t>(info(op).arity) >= size)
    op = space.ops[rng.below(space.ops.size())];
  std::size_t rest = size - 1;
  const auto arity = static_cast<std::size_t>(info(op).arity);
  for (std::size_t k = 0; k < arity; ++k) {
    const std::size_t others = arity - 1 - k;
    const std::size_t share = others == 0 ? rest : 1 + rng.below(rest - others);
    append_random(space, share, rng, nodes);
    rest -= share;
  }
  append_call(nodes, op);
}

inline Expr random_formula(const FormulaSpace& space, std::size_t size, Rng& rng) {
  auto symbols = std::make_shared<Symbols>();
  for (std::size_t v = 0; v < space.variables; ++v)
    symbols->variables.push_back("x" + std::to_string(v + 1));
  for (std::size_t p = 0; p < space.parameters; ++p)
    symbols->parameters.push_back("k" + std::to_string(p + 1));
  std::vector<Node> nodes;
  append_random(space, size, rng, nodes);
  return Expr(std::move(nodes), symbols);
}

}  // namespace vieta::oracle
