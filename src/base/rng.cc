#include "base/rng.h"

#include <cmath>
#include <numbers>

#include "base/check.h"

namespace vieta {
namespace {

constexpr std::uint64_t kMultiplier0 = 0xD2511F53U;
constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57U;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9U;
constexpr std::uint32_t kWeyl1 = 0xBB67AE85U;

std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32U); }
std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }

}  // namespace

// The counter's lower half counts blocks, its upper half names the stream and the step.
Rng::Rng(std::uint64_t seed, std::uint32_t stream, std::uint32_t step)
    : key_{low(seed), high(seed)}, counter_{0, 0, stream, step} {}

void Rng::refill() {
  std::array<std::uint32_t, 4> x = counter_;
  std::array<std::uint32_t, 2> k = key_;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = kMultiplier0 * x[0];
    const std::uint64_t p1 = kMultiplier1 * x[2];
    x = {high(p1) ^ x[1] ^ k[0], low(p1), high(p0) ^ x[3] ^ k[1], low(p0)};
    k[0] += kWeyl0;
    k[1] += kWeyl1;
  }
  block_ = x;
  used_ = 0;
  if (++counter_[0] == 0) ++counter_[1];
}

Rng::result_type Rng::operator()() {
  if (used_ >= 4) refill();
  const std::uint64_t word = block_[used_] | (std::uint64_t{block_[used_ + 1]} << 32U);
  used_ += 2;
  return word;
}

double Rng::uniform() { return static_cast<double>((*this)() >> 11U) * 0x1p-53; }

std::size_t Rng::below(std::size_t n) {
  VIETA_CHECK(n > 0);
  const std::uint64_t range = n;
  const std::uint64_t reject_from = max() - max() % range;  // a multiple of range
  std::uint64_t word = (*this)();
  while (word >= reject_from) word = (*this)();
  return static_cast<std::size_t>(word % range);
}

double Rng::normal() {
  const double u = 1.0 - uniform();  // in (0, 1]: the logarithm is finite
  const double v = uniform();
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
}

}  // namespace vieta
