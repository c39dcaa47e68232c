// variation: new formulas from old ones.
#pragma once

#include "base/rng.h"
#include "search/grammar.h"

namespace vieta {

/// One random structural change of `tree`. The result may be larger than the grammar's limit or
/// equal to the tree: the caller decides what to keep. Scratch is kept between calls.
class Variation {
 public:
  explicit Variation(const Grammar& grammar) : grammar_(grammar) {}

  void mutate(Tree& tree, Rng& rng);
  /// Replaces a random subtree of `tree` by a random subtree of `donor`.
  void cross(Tree& tree, const Tree& donor, Rng& rng);

 private:
  void change_leaf(Tree& tree, Rng& rng);
  void change_operator(Tree& tree, Rng& rng);
  void change_constant(Tree& tree, Rng& rng);
  void insert_operator(Tree& tree, Rng& rng);
  void delete_operator(Tree& tree, Rng& rng);
  void grow_leaf(Tree& tree, Rng& rng);
  void replace_subtree(Tree& tree, Rng& rng);
  void scale_and_shift(Tree& tree, Rng& rng);
  void swap_arguments(Tree& tree, Rng& rng);
  void rotate(Tree& tree, Rng& rng);
  void splice(Tree& tree, std::size_t root, std::span<const Node> replacement);

  const Grammar& grammar_;
  Tree scratch_;
  Tree piece_;
};

}  // namespace vieta
