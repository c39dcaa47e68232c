// timing: best of many, side by side.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

namespace vieta::bench {

/// Seconds of one call of each, the best of `rounds` rounds in which all of them take their turn,
/// so that whatever slows the machine down for a while slows them all. Short calls are repeated
/// within a round until they last `least` seconds.
inline std::vector<double> best_times(const std::vector<std::function<void()>>& calls,
                                      int rounds = 15, double least = 2e-4) {
  using Clock = std::chrono::steady_clock;
  const auto time = [](const std::function<void()>& call, std::size_t repeats) {
    const auto start = Clock::now();
    for (std::size_t i = 0; i < repeats; ++i) call();
    return std::chrono::duration<double>(Clock::now() - start).count() /
           static_cast<double>(repeats);
  };
  std::vector<std::size_t> repeats;
  for (const auto& call : calls) {
    call();
    const double once = time(call, 1);
    repeats.push_back(static_cast<std::size_t>(std::max(1.0, least / std::max(once, 1e-9))));
  }
  std::vector<double> best(calls.size(), std::numeric_limits<double>::infinity());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < calls.size(); ++i)
      best[i] = std::min(best[i], time(calls[i], repeats[i]));
  }
  return best;
}

}  // namespace vieta::bench
