// tree: a formula under rewriting. Nodes are linked by numbers, so that a rule is a few new links
// whatever the size of what it moves.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "expr/expr.h"

namespace vieta {

/// A node of a Tree. Replaced nodes stay behind as garbage until the tree ends.
using Ref = std::uint32_t;

class Tree {
 public:
  using Args = std::array<Ref, kMaxArity>;

  /// `nodes`: about how many there will be. `finite_inputs`: variables and parameters are.
  Tree(std::size_t nodes, bool finite_inputs) : finite_inputs_(finite_inputs) {
    items_.reserve(nodes);
  }

  Ref leaf(const Node& node);
  Ref constant(double value) { return leaf(Node::constant(value)); }
  /// As it stands: no rule is applied.
  Ref call(Op op, const Args& args);

  const Node& node(Ref at) const { return items_[at].node; }
  Ref argument(Ref at, std::size_t k) const { return items_[at].args[k]; }
  bool is_constant(Ref at) const { return node(at).is_constant(); }
  bool is_constant(Ref at, double value) const { return node(at).is_constant(value); }
  bool is_call(Ref at, Op op) const { return node(at).is_call(op); }

  /// Whether two formulas give the same value everywhere because they are the same up to the order
  /// of commutative arguments. O(1) unless they are.
  bool same(Ref a, Ref b) const;
  /// The same for formulas that are the same().
  std::uint64_t hash(Ref at) const { return items_[at].hash; }
  /// There is a number in it.
  bool has_number(Ref at) const { return items_[at].has_number; }

  /// Certain to be finite (for finite columns and parameters, if they are promised to be), overflow
  /// of sums, products and powers of whole order apart.
  bool always_finite(Ref at) const { return items_[at].finite; }
  /// Certain to be neither 0 nor negative nor NaN, if finite. Looks at a few nodes only.
  bool always_positive(Ref at) const;

  /// The formula as postfix nodes. The sign of a product goes to its first factor: -a*b, not
  /// -(a*b).
  std::vector<Node> postfix(Ref root) const;

 private:
  struct Item {
    Node node;
    Args args{};
    bool finite = false;
    bool has_number = false;
    std::uint64_t hash = 0;
  };

  bool stays_finite(Op op, const Args& args) const;
  bool never_negative(Ref at, int depth) const;
  bool positive(Ref at, int depth) const;

  std::vector<Item> items_;
  bool finite_inputs_;
};

}  // namespace vieta
