// damping: how far a step trusts the local model.
#pragma once

#include <algorithm>

namespace vieta {

inline constexpr double kLargestDamping = 1e16;

/// Nielsen's rule (IMM-REP-1999-05, eq. 2.21): the better the model predicted the fall, the bolder
/// the next step.
struct Damping {
  double value = 1e-3;
  double growth = 2;

  /// `gain`: the fall over what was predicted.
  void accept(double gain) {
    const double t = 2 * gain - 1;
    value *= std::max(1.0 / 3.0, 1 - t * t * t);
    growth = 2;
  }
  void refuse() {
    value *= growth;
    growth *= 2;
  }
};

}  // namespace vieta
