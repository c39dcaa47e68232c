#include "search/variation.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vieta {
namespace {

// Position of a random node that satisfies `wanted`, or the tree's size if none does.
template <class F>
std::size_t random_node(const Tree& tree, Rng& rng, F wanted) {
  const auto count = static_cast<std::size_t>(std::ranges::count_if(tree, wanted));
  if (count == 0) return tree.size();
  std::size_t pick = rng.below(count);
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (wanted(tree[i]) && pick-- == 0) return i;
  }
  return tree.size();
}

bool is_leaf(const Node& node) { return node.kind != NodeKind::call; }
bool is_call(const Node& node) { return node.kind == NodeKind::call; }

}  // namespace

// Weights: growing and shrinking balance; what fits constants is the fit, not chance.
void Variation::mutate(Tree& tree, Rng& rng) {
  using Move = void (Variation::*)(Tree&, Rng&);
  struct Weighted {
    Move move;
    double weight;
  };
  static constexpr std::array<Weighted, 10> kMoves = {{
      {&Variation::insert_operator, 0.20},
      {&Variation::delete_operator, 0.16},
      {&Variation::change_operator, 0.12},
      {&Variation::change_leaf, 0.12},
      {&Variation::grow_leaf, 0.10},
      {&Variation::replace_subtree, 0.08},
      {&Variation::scale_and_shift, 0.08},
      {&Variation::rotate, 0.08},
      {&Variation::swap_arguments, 0.03},
      {&Variation::change_constant, 0.03},
  }};
  double u = rng.uniform();
  for (const Weighted& w : kMoves) {
    u -= w.weight;
    if (u < 0) return (this->*w.move)(tree, rng);
  }
  insert_operator(tree, rng);
}

void Variation::cross(Tree& tree, const Tree& donor, Rng& rng) {
  const std::size_t from = rng.below(donor.size());
  splice(tree, rng.below(tree.size()), subtree(donor, from));
}

// `replacement` must not lie inside `tree`.
void Variation::splice(Tree& tree, std::size_t root, std::span<const Node> replacement) {
  const std::size_t first = root + 1 - tree[root].size;
  scratch_.assign(tree.begin(), tree.begin() + static_cast<std::ptrdiff_t>(first));
  scratch_.insert(scratch_.end(), replacement.begin(), replacement.end());
  scratch_.insert(scratch_.end(), tree.begin() + static_cast<std::ptrdiff_t>(root) + 1, tree.end());
  restore_sizes(scratch_);
  tree.swap(scratch_);
}

void Variation::change_leaf(Tree& tree, Rng& rng) {
  tree[random_node(tree, rng, is_leaf)] = random_leaf(grammar_, rng);
}

void Variation::change_operator(Tree& tree, Rng& rng) {
  const std::size_t at = random_node(tree, rng, is_call);
  if (at == tree.size()) return grow_leaf(tree, rng);
  const auto& same = grammar_.operators[static_cast<std::size_t>(tree[at].arity())];
  if (!same.empty()) tree[at].op = same[rng.below(same.size())];
}

void Variation::change_constant(Tree& tree, Rng& rng) {
  const std::size_t at = random_node(tree, rng, [](const Node& n) { return n.is_constant(); });
  if (at == tree.size()) return change_leaf(tree, rng);
  // Another basin: the fit finds the bottom of this one by itself.
  const double factor = std::exp2(2 * rng.normal());
  tree[at].value *= rng.chance(0.2) ? -factor : factor;
  if (tree[at].value == 0) tree[at].value = rng.normal();
}

// A random subtree becomes one argument of a new operator, leaves the others.
void Variation::insert_operator(Tree& tree, Rng& rng) {
  const std::size_t at = rng.below(tree.size());
  const Op op = grammar_.all[rng.below(grammar_.all.size())];
  const auto arity = static_cast<std::size_t>(info(op).arity);
  const std::size_t place = rng.below(arity);
  piece_.clear();
  for (std::size_t k = 0; k < arity; ++k) {
    if (k == place) {
      const auto old = subtree(tree, at);
      piece_.insert(piece_.end(), old.begin(), old.end());
    } else {
      piece_.push_back(random_leaf(grammar_, rng));
    }
  }
  append_call(piece_, op);
  splice(tree, at, piece_);
}

// An operator gives way to one of its arguments.
void Variation::delete_operator(Tree& tree, Rng& rng) {
  const std::size_t at = random_node(tree, rng, is_call);
  if (at == tree.size()) return change_leaf(tree, rng);
  const auto args = arguments(tree, at);
  const auto kept = subtree(tree, args[rng.below(static_cast<std::size_t>(tree[at].arity()))]);
  piece_.assign(kept.begin(), kept.end());
  splice(tree, at, piece_);
}

void Variation::grow_leaf(Tree& tree, Rng& rng) {
  const std::size_t at = random_node(tree, rng, is_leaf);
  piece_.clear();
  append_random_tree(grammar_, 2 + rng.below(3), rng, piece_);
  splice(tree, at, piece_);
}

void Variation::replace_subtree(Tree& tree, Rng& rng) {
  piece_.clear();
  append_random_tree(grammar_, 1 + rng.below(7), rng, piece_);
  splice(tree, rng.below(tree.size()), piece_);
}

// c*f, f + c or c*f + c around a random subtree, mostly the whole formula: what a linear fit would
// add.
void Variation::scale_and_shift(Tree& tree, Rng& rng) {
  const auto has = [&](Op op) { return std::ranges::find(grammar_.all, op) != grammar_.all.end(); };
  const std::size_t at = rng.chance(0.7) ? tree.size() - 1 : rng.below(tree.size());
  const auto old = subtree(tree, at);
  piece_.assign(old.begin(), old.end());
  const std::size_t kind = rng.below(3);
  if (kind != 1 && has(Op::mul)) {
    piece_.push_back(Node::constant(1.0));
    append_call(piece_, Op::mul);
  }
  if (kind != 0 && has(Op::add)) {
    piece_.push_back(Node::constant(rng.normal()));
    append_call(piece_, Op::add);
  }
  splice(tree, at, piece_);
}

void Variation::swap_arguments(Tree& tree, Rng& rng) {
  const std::size_t at = random_node(tree, rng, [](const Node& n) { return n.arity() == 2; });
  if (at == tree.size()) return change_leaf(tree, rng);
  const auto args = arguments(tree, at);
  const auto left = subtree(tree, args[0]);
  const auto right = subtree(tree, args[1]);
  piece_.assign(right.begin(), right.end());
  piece_.insert(piece_.end(), left.begin(), left.end());
  append_call(piece_, tree[at].op);
  splice(tree, at, piece_);
}

// (a . b) + c becomes a . (b + c): two neighbouring operators change places.
void Variation::rotate(Tree& tree, Rng& rng) {
  const auto has_binary_left = [&](std::size_t i) {
    return tree[i].arity() == 2 && tree[arguments(tree, i)[0]].arity() == 2;
  };
  std::size_t count = 0;
  for (std::size_t i = 0; i < tree.size(); ++i) count += has_binary_left(i) ? 1 : 0;
  if (count == 0) return swap_arguments(tree, rng);
  std::size_t pick = rng.below(count);
  std::size_t at = 0;
  for (; at < tree.size(); ++at) {
    if (has_binary_left(at) && pick-- == 0) break;
  }
  const auto outer = arguments(tree, at);
  const auto inner = arguments(tree, outer[0]);
  const auto append = [&](std::size_t root) {
    const auto nodes = subtree(tree, root);
    piece_.insert(piece_.end(), nodes.begin(), nodes.end());
  };
  piece_.clear();
  append(inner[0]);
  append(inner[1]);
  append(outer[1]);
  append_call(piece_, tree[at].op);
  append_call(piece_, tree[outer[0]].op);
  splice(tree, at, piece_);
}

}  // namespace vieta
