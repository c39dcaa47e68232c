// aligned: contiguous memory that SIMD code may read in whole vectors, its last partial one too.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace vieta {

/// Bytes: a cache line, and the widest vector of today's machines.
inline constexpr std::size_t kAlignment = 64;

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  explicit(false) AlignedAllocator(const AlignedAllocator<U>&) {}

  T* allocate(std::size_t n) {
    return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t{kAlignment}));
  }
  void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t{kAlignment}); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

/// The number of elements, at least n, that fills whole cache lines.
template <class T>
constexpr std::size_t padded(std::size_t n) {
  constexpr std::size_t line = kAlignment / sizeof(T);
  return (n + line - 1) / line * line;
}

}  // namespace vieta
