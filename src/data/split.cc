#include "data/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "base/rng.h"

namespace vieta {
namespace {

// Apart from the streams of islands, which count from 0.
constexpr std::uint32_t kSplitStream = 0xFFFFFFFFU;

std::size_t validation_rows(std::size_t rows, double fraction) {
  if (rows < 2 || fraction == 0.0) return 0;
  const auto nearest = static_cast<std::size_t>(std::round(fraction * static_cast<double>(rows)));
  return std::clamp<std::size_t>(nearest, 1, rows - 1);
}

}  // namespace

Result<Split> split_rows(std::size_t rows, double validation_fraction, std::uint64_t seed) {
  if (!(validation_fraction >= 0.0 && validation_fraction < 1.0)) {
    return fail(ErrorCode::usage,
                fmt::format("met a validation fraction of {}, wanted one from 0 to below 1",
                            number_text(validation_fraction)));
  }
  // Selection sampling (Knuth, The Art of Computer Programming 2, algorithm S): one pass, sorted.
  std::size_t wanted = validation_rows(rows, validation_fraction);
  Rng rng(seed, kSplitStream, 0);
  Split split;
  split.validation.reserve(wanted);
  split.train.reserve(rows - wanted);
  for (std::size_t row = 0; row < rows; ++row) {
    const bool drawn = wanted > 0 && rng.below(rows - row) < wanted;
    (drawn ? split.validation : split.train).push_back(row);
    if (drawn) --wanted;
  }
  return split;
}

}  // namespace vieta
