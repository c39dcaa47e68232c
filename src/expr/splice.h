// splice: a formula's nodes with other formulas in the place of its variables.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "expr/expr.h"

namespace vieta {

/// Number of nodes of `body` with variable i replaced by `replacements[i]` (an empty one keeps the
/// variable; so does a variable beyond the span). Stops counting above kMaxNodes. O(body).
std::size_t spliced_size(std::span<const Node> body,
                         std::span<const std::span<const Node>> replacements);

/// Appends them. No replacement may point into `out`. O(result).
void append_spliced(std::vector<Node>& out, std::span<const Node> body,
                    std::span<const std::span<const Node>> replacements);

/// What to say when a formula would exceed kMaxNodes.
Error too_large(std::string_view what);

}  // namespace vieta
