// parse: formula text to Expr.
//
// Binding, weakest first:  c ? a : b   ||   &&   comparisons   + -   * /   unary - !   ^ **
// `^` associates to the right, its right side may start with a sign (2^-3^2 is 2^(-(3^2))), and it
// binds tighter than a sign on its left (-x^2 is -(x^2)). Comparisons do not chain. A sign directly
// before a number belongs to the number unless `^` follows. Names are letters, digits and _ (any
// UTF-8 letter), or anything in backquotes (a backquote inside is doubled). A name before "(" is a
// function.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expr/expr.h"

namespace vieta {

class Operators;  // operators.h

struct ParseOptions {
  /// Input columns, in order; they win over every other meaning of a bare name.
  std::vector<std::string> variables = {};
  /// Named constants known beforehand, in order.
  std::vector<std::string> parameters = {};
  /// A name that is nothing else becomes a new parameter (appended in order of appearance);
  /// false: it is an error that names it and the nearest known name.
  bool new_parameters = false;
  /// The user's operators; must outlive the call only.
  const Operators* operators = nullptr;
};

/// Errors (usage, with the formula and the column of the fault): every text that is not a formula
/// in full. Deep nesting beyond 2,000 open brackets is refused, never a crash; long sums and
/// products are fine. O(length).
Result<Expr> parse(std::string_view text, const ParseOptions& options);

/// The names that stand bare in `text` (not before a bracket) and so could be columns or
/// parameters, in order of appearance, each once; pi, e, inf and nan only where quoted or among
/// `known`. For callers that must decide what a name means before they parse. Error (usage): a text
/// with no tokens of a formula; other mistakes are left to parse(). O(length).
Result<std::vector<std::string>> free_names(std::string_view text,
                                            std::span<const std::string> known = {});

}  // namespace vieta
