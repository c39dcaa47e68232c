// split: which rows train and which judge, the same for the same seed everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"

namespace vieta {

/// Row numbers from 0, ascending; every row is in exactly one of the two lists.
struct Split {
  std::vector<std::size_t> train;
  std::vector<std::size_t> validation;
};

/// Draws the validation rows without replacement, every set of them equally likely. Their number is
/// validation_fraction * rows rounded to the nearest, but at least one row stays on each side: none
/// is drawn for fraction 0, or if there are fewer than two rows. A function of its arguments alone.
/// Errors (usage): a fraction outside [0, 1).
Result<Split> split_rows(std::size_t rows, double validation_fraction, std::uint64_t seed);

}  // namespace vieta
