// diff: symbolic derivative, made from the partials of the operator table.
#pragma once

#include <cstddef>
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

/// The leaf a name stands for in `expr`: a variable or parameter by its name, a constant as c1, c2,
/// ... (unless a variable or parameter is called so). Error (usage): unknown name, with what there
/// is.
Result<Leaf> find_leaf(const Expr& expr, std::string_view name);

/// The name of a leaf, the inverse of find_leaf.
std::string leaf_name(const Expr& expr, const Leaf& leaf);

/// d expr / d leaf, simplified. Structural zeros are dropped before anything is multiplied.
/// Error (usage): the result would exceed kMaxNodes; (numeric) a partial that the table calls
/// undefined would be part of it.
Result<Expr> diff(const Expr& expr, const Leaf& leaf);

}  // namespace vieta
