// print: Expr to formula text. parse(print(e)) has the same nodes and the same bits.
#pragma once

#include <string>
#include <string_view>

#include "expr/expr.h"

namespace vieta {

struct PrintOptions {
  /// Significant digits of constants; 0: the shortest text that reads back to the same bits.
  int digits = 0;
};

/// Infix text with the fewest brackets that keep the tree. O(length).
std::string print(const Expr& expr, const PrintOptions& options = {});

/// A name as it must be written in a formula: plain if it is an identifier that nothing else
/// claims, else in backquotes.
std::string quoted_name(std::string_view name);

/// Whether the text reads as one plain identifier.
bool is_identifier(std::string_view name);

}  // namespace vieta
