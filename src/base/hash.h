// hash: 64-bit mixing for structural hashes. Same value on every machine and in every run.
#pragma once

#include <cstdint>

namespace vieta {

/// A bijection of 64-bit words in which every input bit moves about half of the output bits
/// (the finaliser of SplitMix64: Steele, Lea, Flood, OOPSLA 2014).
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

/// Order matters: combine(combine(s, a), b) differs from combine(combine(s, b), a).
constexpr std::uint64_t combine(std::uint64_t seed, std::uint64_t value) {
  return mix(seed ^ mix(value));
}

}  // namespace vieta
