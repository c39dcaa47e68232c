// shared: subexpressions that occur more than once. A formula is a tree; here it is seen as the
// graph in which equal subtrees are one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expr/expr.h"
#include "expr/parse.h"
#include "expr/print.h"

namespace vieta {

/// A number a node, the same for two nodes if and only if the subtrees that end there have the same
/// nodes in the same order (same_node: x + y and y + x differ, NaN equals NaN). Numbers count from
/// 0 in the order in which subtrees occur first, so an argument's is below its operator's. O(size)
/// on average.
std::vector<std::uint32_t> subtree_numbers(std::span<const Node> nodes);

/// How many different subtrees there are, leaves included: nodes of the graph. O(size).
std::size_t count_unique(std::span<const Node> nodes);

/// The formula as text in which every call that is an argument in more than one place of the graph
/// has a name: `t1 = x + y; t1*t1 + sin(t1)`. Names are t1, t2, ..., without those of columns and
/// parameters. A formula that shares nothing prints as print() does. parse_shared reads it back to
/// the same nodes; so does a definition's body. O(size).
std::string print_shared(const Expr& expr, const PrintOptions& options = {});

/// Reads `local = formula;` any number of times, then the formula of the result, in which local
/// names stand for their formulas: the text of print_shared, or of parse's formulas. Errors
/// (usage): those of parse; a local name that is a column, a parameter or a local name before; no
/// result; more than kMaxNodes nodes in the result. O(length of the text and of the result).
Result<Expr> parse_shared(std::string_view text, const ParseOptions& options);

}  // namespace vieta
