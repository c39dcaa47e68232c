// rng: counter-based random numbers. A stream is a pure function of its key and its position,
// so that a search gives the same bits at any thread count.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace vieta {

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC
/// 2011). Streams with different (seed, stream, step) never overlap. Copyable; not shared between
/// threads.
class Rng {
 public:
  using result_type = std::uint64_t;

  Rng(std::uint64_t seed, std::uint32_t stream, std::uint32_t step);

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }
  result_type operator()();

  /// Uniform in [0, 1), 53 bits.
  double uniform();
  /// Uniform integer in [0, n); n > 0. Unbiased.
  std::size_t below(std::size_t n);
  /// Standard normal (Box and Muller 1958).
  double normal();
  /// True with probability p.
  bool chance(double p) { return uniform() < p; }

 private:
  void refill();
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 4> block_{};
  unsigned used_ = 4;
};

}  // namespace vieta
