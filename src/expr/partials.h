// partials: the first partials of the operator table as formulas.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "expr/expr.h"

namespace vieta {

/// d op / d argument k.
struct Partial {
  enum class Kind : unsigned char {
    zero,       ///< everywhere
    one,        ///< everywhere
    minus_one,  ///< everywhere
    undefined,  ///< no derivative exists
    general,    ///< `nodes`
  };
  Kind kind = Kind::zero;
  /// Variables 0, 1, 2 are the arguments, variable kValueOf is the operator's own value.
  std::vector<Node> nodes;

  static constexpr std::size_t kValueOf = kMaxBuiltinArity;
};

/// Parsed once, on the first call; safe from several threads. A user's operator has none: every one
/// is `undefined`.
const std::array<Partial, kMaxArity>& partials(Op op);

}  // namespace vieta
