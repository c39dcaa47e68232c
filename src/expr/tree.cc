#include "expr/tree.h"

#include <cmath>
#include <utility>

#include "expr/hash.h"
#include "expr/inline_stack.h"

namespace vieta {
namespace {

// Operators that give a finite value wherever their arguments are finite. Exponentials do by their
// domain, but overflow on arguments as small as 710, which people do meet.
const std::array<bool, kOpCount>& total_ops() {
  static const std::array<bool, kOpCount> total = [] {
    std::array<bool, kOpCount> all{};
    for (std::size_t i = 0; i < kOpCount; ++i) {
      const std::string_view domain = info(op_at(i)).domain;
      all[i] = domain == "all" || domain == "a finite";
    }
    for (const Op op : {Op::exp, Op::exp2, Op::expm1, Op::sinh, Op::cosh}) {
      all[static_cast<std::size_t>(op)] = false;
    }
    return all;
  }();
  return total;
}

constexpr int kPredicateDepth = 4;

}  // namespace

Ref Tree::leaf(const Node& node) {
  Item item{.node = node};
  item.finite = node.is_constant() ? std::isfinite(node.value) : finite_inputs_;
  item.has_number = node.is_constant();
  item.hash = leaf_hash(node);
  items_.push_back(item);
  return static_cast<Ref>(items_.size() - 1);
}

Ref Tree::call(Op op, const Args& args) {
  const int arity = info(op).arity;
  std::size_t size = 1;
  bool has_number = false;
  std::array<std::uint64_t, kMaxArity> hashes{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(arity); ++k) {
    size += node(args[k]).size;
    hashes[k] = items_[args[k]].hash;
    has_number = has_number || items_[args[k]].has_number;
  }
  Item item{.node = Node::call(op, size), .args = args, .has_number = has_number};
  item.finite = stays_finite(op, args);
  item.hash = call_hash(op, hashes);
  items_.push_back(item);
  return static_cast<Ref>(items_.size() - 1);
}

bool Tree::stays_finite(Op op, const Args& args) const {
  if (!always_finite(args[0])) return false;
  if (op == Op::div) {
    return is_constant(args[1]) && always_finite(args[1]) && node(args[1]).value != 0;
  }
  if (op == Op::pow) {
    const Node& power = node(args[1]);
    return power.is_constant() && power.value >= 0 && power.value == std::floor(power.value) &&
           std::isfinite(power.value);
  }
  for (std::size_t k = 1; k < static_cast<std::size_t>(info(op).arity); ++k) {
    if (!always_finite(args[k])) return false;
  }
  return is_builtin(op) && total_ops()[static_cast<std::size_t>(op)];
}

bool Tree::always_positive(Ref at) const { return positive(at, kPredicateDepth); }

bool Tree::positive(Ref at, int depth) const {
  if (depth == 0) return false;
  if (is_constant(at)) return node(at).value > 0;
  if (is_call(at, Op::cosh)) return true;
  if (!is_call(at, Op::add)) return false;
  const Ref a = argument(at, 0);
  const Ref b = argument(at, 1);
  return (positive(a, depth - 1) && never_negative(b, depth - 1)) ||
         (never_negative(a, depth - 1) && positive(b, depth - 1));
}

bool Tree::never_negative(Ref at, int depth) const {
  if (depth == 0) return false;
  if (is_constant(at)) return node(at).value >= 0;
  if (node(at).kind != NodeKind::call) return false;
  switch (node(at).op) {
    case Op::square:
    case Op::abs:
    case Op::exp:
    case Op::cosh:
    case Op::logistic:
      return true;
    case Op::pow: {
      const Node& power = node(argument(at, 1));
      return power.is_constant() && std::fmod(power.value, 2.0) == 0;
    }
    case Op::mul:
      return same(argument(at, 0), argument(at, 1));
    default:
      return positive(at, depth);
  }
}

bool Tree::same(Ref a, Ref b) const {
  if (items_[a].hash != items_[b].hash) return false;
  // Equal hashes are no proof: constants can be chosen to collide.
  InlineStack<std::pair<Ref, Ref>> pairs;
  pairs.push({a, b});
  while (!pairs.empty()) {
    const auto [one, other] = pairs.pop();
    if (one == other) continue;
    if (!same_node(node(one), node(other))) return false;
    const int arity = node(one).arity();
    const bool crossed =
        arity >= 2 && items_[argument(one, 0)].hash != items_[argument(other, 0)].hash;
    if (crossed && !info(node(one).op).commutative) return false;
    for (std::size_t k = 0; k < static_cast<std::size_t>(arity); ++k) {
      pairs.push({argument(one, k), argument(other, crossed && k < 2 ? 1 - k : k)});
    }
  }
  return true;
}

std::vector<Node> Tree::postfix(Ref root) const {
  enum class Step : unsigned char { formula, negated, emit };
  struct Work {
    Ref at = 0;
    Op op = Op::neg;
    Step step = Step::formula;
  };
  std::vector<Node> nodes;
  nodes.reserve(node(root).size);
  InlineStack<Work> work;
  work.push({.at = root});
  const auto push_arguments = [&](Ref at, Step first) {
    for (std::size_t k = static_cast<std::size_t>(node(at).arity()); k > 0; --k) {
      work.push({.at = argument(at, k - 1), .step = k == 1 ? first : Step::formula});
    }
  };
  while (!work.empty()) {
    const Work item = work.pop();
    const Node& here = node(item.at);
    const bool product = here.is_call(Op::mul) || here.is_call(Op::div);
    if (item.step == Step::emit) {
      append_call(nodes, item.op);
    } else if (item.step == Step::negated && !product) {
      if (here.is_constant()) {
        nodes.push_back(Node::constant(-here.value));
      } else {
        work.push({.op = Op::neg, .step = Step::emit});
        work.push({.at = item.at});
      }
    } else if (here.kind != NodeKind::call) {
      nodes.push_back(here);
    } else if (here.op == Op::neg) {
      work.push({.at = argument(item.at, 0), .step = Step::negated});
    } else {
      work.push({.op = here.op, .step = Step::emit});
      push_arguments(item.at, item.step);
    }
  }
  return nodes;
}

}  // namespace vieta
