// diff: symbolic derivative, made from the partials of the operator table.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "expr/expr.h"

namespace vieta {

/// What to differentiate by.
struct Leaf {
  enum class Kind : unsigned char { variable, constant, parameter };
  Kind kind = Kind::variable;
  std::size_t index = 0;  ///< column, number of the constant from the left (from 0), or parameter
  friend bool operator==(const Leaf&, const Leaf&) = default;
};

/// The leaf a name stands for in `expr`: a variable, else a parameter by its name, else a constant
/// as c1, c2, ... from the left. Error (usage): unknown name, with what there is. O(names + size).
Result<Leaf> find_leaf(const Expr& expr, std::string_view name);

/// The name of a leaf, the inverse of find_leaf (unless a column is called c1).
std::string leaf_name(const Expr& expr, const Leaf& leaf);

/// The derivative by each leaf in turn, simplified with every number taken as exact, those that are
/// differentiated by only at the end. An empty list gives `expr` itself. Constants have new numbers
/// afterwards: for higher derivatives by a constant give all leaves at once.
///
/// Structural zeros are dropped before anything is multiplied, and where an operator selects one of
/// its arguments the derivative does too: if(c, a, b) gives if(c, a', b'). Errors (usage): a
/// derivative before simplification of more than kMaxNodes nodes, refused before it is built;
/// (numeric): a partial that the table calls undefined would be part of it. Linear in the size of
/// what is built, which for a formula of n nodes and depth d is at most some 20*n*d.
Result<Expr> diff(const Expr& expr, std::span<const Leaf> leaves);
Result<Expr> diff(const Expr& expr, const Leaf& leaf);

}  // namespace vieta
