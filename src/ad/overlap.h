// overlap: whether the memory of one argument runs into another's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ad/error.h"
#include "ad/walk.h"

namespace vieta::ad {

/// What an autodiff call does with a piece of memory.
enum class Use : std::uint8_t {
  read,    ///< Const, or Duplicated of a const object
  update,  ///< Duplicated: read and written back
  shadow,  ///< derivatives are accumulated here
};

/// The pieces of memory of one call. Two pieces may overlap only if both are read: everything else
/// would be a wrong number in one of them.
class Overlap {
 public:
  Overlap() = default;
  Overlap(const Overlap&) = delete;
  Overlap& operator=(const Overlap&) = delete;
  ~Overlap() {
    if (pieces_ != local_) delete[] pieces_;
  }

  void add(const void* begin, std::size_t bytes, Use use) {
    if (bytes == 0) return;
    if (count_ == capacity_) grow();
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    pieces_[count_++] = {address, address + bytes, use};
  }

  /// Refuses if two pieces may not share memory and do.
  void check() {
    sort();
    std::uintptr_t read_end = 0;
    std::uintptr_t write_end = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const Piece& piece = pieces_[i];
      const bool writes = piece.use != Use::read;
      if (piece.begin < write_end || (writes && piece.begin < read_end)) {
        refuse(
            "memory is shared between a shadow, or an argument that may be written, and another "
            "argument");
      }
      std::uintptr_t& end = writes ? write_end : read_end;
      if (piece.end > end) end = piece.end;
    }
  }

 private:
  struct Piece {
    std::uintptr_t begin;
    std::uintptr_t end;
    Use use;
  };

  void grow() {
    Piece* const more = new Piece[capacity_ * 4];
    for (std::size_t i = 0; i < count_; ++i) more[i] = pieces_[i];
    if (pieces_ != local_) delete[] pieces_;
    pieces_ = more;
    capacity_ *= 4;
  }

  // Shell's sort: a handful of pieces most often, and <algorithm> would cost more compile time than
  // all of this header.
  void sort() {
    std::size_t gap = 1;
    while (gap < count_ / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
      for (std::size_t i = gap; i < count_; ++i) {
        const Piece piece = pieces_[i];
        std::size_t j = i;
        for (; j >= gap && pieces_[j - gap].begin > piece.begin; j -= gap) {
          pieces_[j] = pieces_[j - gap];
        }
        pieces_[j] = piece;
      }
    }
  }

  static constexpr std::size_t kLocal = 16;
  Piece local_[kLocal];
  Piece* pieces_ = local_;
  std::size_t count_ = 0;
  std::size_t capacity_ = kLocal;
};

/// Adds the memory of every scalar of an argument.
struct AddPieces {
  Overlap& overlap;
  Use use;
  bool follows_pointers;

  template <class X>
  void operator()(const X& x) {
    overlap.add(&x, sizeof(X), use);
  }
  template <class X>
    requires requires(const X& x) { x.data(); }
  void array(const X& x) {
    overlap.add(x.data(), sizeof(element_t<const X>) * static_cast<std::size_t>(x.size()), use);
  }
  template <class X>
  void plain(const X&) {}
  template <class X>
  void size(const X&) {}
  template <class X>
  void rectangle(const X&) {}
  template <class X>
  bool presence(const X& x) {
    return follows_pointers && x.get() != nullptr;
  }
};

}  // namespace vieta::ad
