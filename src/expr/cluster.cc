#include "expr/cluster.h"

#include "expr/inline_stack.h"

namespace vieta {

bool Cluster::joins(const Node& node, Kind kind) {
  if (kind == Kind::product) return node.is_call(Op::mul) || node.is_call(Op::div);
  return node.is_call(Op::add) || node.is_call(Op::sub) || node.is_call(Op::neg);
}

Cluster::Cluster(const Tree& tree, Ref root, Kind kind) : kind_(kind) {
  struct Open {
    Ref at = 0;
    bool inverse = false;
    std::size_t above = 0;
    std::size_t argument = 0;
  };
  InlineStack<Open> open;
  open.push({.at = root});
  while (!open.empty()) {
    const Open next = open.pop();
    const Node& node = tree.node(next.at);
    const std::size_t here = parts_.size();
    if (here > 0) parts_[next.above].arguments[next.argument] = here;
    parts_.push_back({.at = next.at, .inverse = next.inverse, .joins = joins(node, kind)});
    if (!parts_.back().joins) {
      parts_.back().member = members_.size();
      members_.push_back({next.at, next.inverse});
      continue;
    }
    const bool turns = node.op != Op::add && node.op != Op::mul;
    for (std::size_t k = static_cast<std::size_t>(node.arity()); k > 0; --k) {
      const bool last = k == static_cast<std::size_t>(node.arity());
      open.push({.at = tree.argument(next.at, k - 1),
                 .inverse = next.inverse != (turns && last),
                 .above = here,
                 .argument = k - 1});
    }
  }
}

std::optional<Ref> Cluster::joined(Rewriter& rewriter, Op op, std::optional<Ref> a,
                                   std::optional<Ref> b) {
  if (a && b) return rewriter.make(op, Tree::Args{*a, *b});
  if (!b) return a;
  if (op == Op::sub) return rewriter.make(Op::neg, Tree::Args{*b});
  if (op == Op::div) {
    return rewriter.make(op, Tree::Args{rewriter.leaf(Node::constant(1)), *b});
  }
  return b;
}

Ref Cluster::rebuilt(Rewriter& rewriter, std::span<const std::optional<Ref>> members) const {
  std::vector<std::optional<Ref>> now(parts_.size());
  for (std::size_t i = parts_.size(); i-- > 0;) {
    const Part& part = parts_[i];
    if (!part.joins) {
      now[i] = members[part.member];
      continue;
    }
    const Node node = rewriter.tree().node(part.at);
    const std::optional<Ref> a = now[part.arguments[0]];
    if (node.op == Op::neg) {
      if (a) now[i] = rewriter.make(Op::neg, Tree::Args{*a});
      continue;
    }
    const std::optional<Ref> b = now[part.arguments[1]];
    const bool as_before =
        a == rewriter.tree().argument(part.at, 0) && b == rewriter.tree().argument(part.at, 1);
    now[i] = as_before ? part.at : joined(rewriter, node.op, a, b);
  }
  if (now[0]) return *now[0];
  return rewriter.leaf(Node::constant(kind_ == Kind::sum ? 0 : 1));
}

}  // namespace vieta
