// arrange: a formula as a person would write it.
#pragma once

#include "search/grammar.h"

namespace vieta {

/// Reorders sums and products without changing what they mean: one constant first in a product and
/// last in a sum, no division by a constant, no sign after a sign, factors before divisors. The
/// value is the same up to rounding; the formula never grows. O(size).
Tree arrange(const Tree& tree);

}  // namespace vieta
