// budget: how long a fit or a search may work, counted in evaluations first, and why it stopped.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string_view>

namespace vieta {

/// Why a computation ended. Every report carries one.
enum class StopReason {
  not_run,           ///< nothing has been done yet: a result must be earned
  converged,         ///< the goal was reached: a minimum, or a loss at rounding level
  iteration_limit,   ///< the iterations allowed were used
  evaluation_limit,  ///< the evaluations allowed were used
  time_limit,        ///< the seconds allowed were used
  interrupted,       ///< the user asked to stop
  no_progress,       ///< no step lowers the loss, though no minimum was proved
  not_finite,        ///< the start itself has no finite loss
};

/// One lower-case phrase, the same in every output ("converged", "time limit", ...).
constexpr std::string_view to_text(StopReason reason) {
  switch (reason) {
    case StopReason::not_run:
      return "not run";
    case StopReason::converged:
      return "converged";
    case StopReason::iteration_limit:
      return "iteration limit";
    case StopReason::evaluation_limit:
      return "evaluation limit";
    case StopReason::time_limit:
      return "time limit";
    case StopReason::interrupted:
      return "interrupted";
    case StopReason::no_progress:
      return "no progress";
    case StopReason::not_finite:
      return "not finite";
  }
  return "unknown";
}

/// What may be spent. Evaluations are exact and repeatable, seconds are neither.
struct Budget {
  std::uint64_t evaluations = std::numeric_limits<std::uint64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();
  /// Set from a signal handler or another thread to end politely; may be null.
  const std::atomic<bool>* interrupt = nullptr;

  bool interrupted() const {
    return interrupt != nullptr && interrupt->load(std::memory_order_relaxed);
  }
};

/// Seconds since it was made, on the clock that never steps back.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace vieta
