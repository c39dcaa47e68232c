// grammar: what a search may build formulas from.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/rng.h"
#include "expr/expr.h"
#include "expr/operators.h"

namespace vieta {

/// A formula while it is searched: postfix nodes over variables and constants.
using Tree = std::vector<Node>;

struct Grammar {
  std::vector<std::vector<Op>> operators;  ///< by arity; [0] is empty
  std::size_t variables = 0;
  std::size_t max_size = 0;

  /// All operators in one list, so that each is drawn alike whatever its arity.
  std::vector<Op> all;
};

/// Reads a list of operators separated by blanks or commas: built-in ones, or of `defined`. "-" is
/// the difference, "neg" the sign.
/// Errors (usage): an unknown or repeated operator, an empty list, a size below 1.
Result<Grammar> make_grammar(std::string_view operators, std::size_t variables,
                             std::size_t max_size, const Operators& defined = {});

/// A variable or a constant, evenly; constants start at 1 or near it.
Node random_leaf(const Grammar& grammar, Rng& rng);

/// Appends a random tree of exactly `size` nodes where the arities allow it, else a few nodes less.
void append_random_tree(const Grammar& grammar, std::size_t size, Rng& rng, Tree& tree);

}  // namespace vieta
