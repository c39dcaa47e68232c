// workspace: the scratch of one evaluating thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/aligned.h"
#include "eval/hostile.h"
#include "kernels/kernel_table.h"

namespace vieta {

/// Memory for tiles and the pointers to it. Grows to what it is asked for and never shrinks: no
/// allocation after the first use with the largest program. One a thread; contents mean nothing
/// between calls.
template <class T>
class Workspace {
 public:
  /// `buffers` buffers of `stride` elements each, on cache lines.
  T* tiles(std::size_t buffers, std::size_t stride) {
    const std::size_t wanted = buffers * stride;
    if (memory_.size() < wanted) {
      if (hostile_poison()) {
        memory_.assign(wanted, std::numeric_limits<T>::signaling_NaN());
      } else {
        memory_.resize(wanted);
      }
    }
    return memory_.data();
  }

  /// One more tile, apart from the others.
  T* partial(std::size_t rows) {
    if (partial_.size() < rows) partial_.resize(rows);
    return partial_.data();
  }

  /// What its pointers and links were made ready for.
  struct Ready {
    std::uint64_t stamp = 0;  ///< of the code; 0: nothing
    kernels::Target target{};
    std::size_t stride = 0;
    const T* memory = nullptr;
    const T* sums = nullptr;
    friend bool operator==(const Ready&, const Ready&) = default;
  };
  /// Notes what is about to be made ready; whether it is already.
  bool is_ready(const Ready& wanted) {
    if (wanted.stamp != 0 && ready_ == wanted) return true;
    ready_ = wanted;
    return false;
  }

  std::vector<kernels::Link<T>>& links() { return links_; }  ///< of chains, made ready to run
  /// Those that read or write a column of the table or an output: they move from tile to tile.
  std::vector<std::uint32_t>& moving_links() { return moving_links_; }
  std::vector<T>& literals() { return literals_; }  ///< the code's
  T* spread() { return spread_.data(); }            ///< what chains note in their tests

  /// `count` sums, each of kMaxLanes parts.
  T* sums(std::size_t count) {
    if (sums_.size() < count * kernels::kMaxLanes) sums_.resize(count * kernels::kMaxLanes);
    return sums_.data();
  }

  std::vector<const T*>& inputs() { return inputs_; }  ///< where steps read each buffer
  std::vector<T*>& outputs() { return outputs_; }      ///< where steps write it
  std::vector<T*>& destinations() {
    return destinations_;
  }  ///< the caller's memory for each output, or null

 private:
  AlignedVector<T> memory_;
  AlignedVector<T> partial_;
  Ready ready_;
  std::vector<kernels::Link<T>> links_;
  std::vector<std::uint32_t> moving_links_;
  std::vector<T> literals_;
  std::array<T, 2 * kernels::kMaxLanes> spread_{};
  AlignedVector<T> sums_;
  std::vector<const T*> inputs_;
  std::vector<T*> outputs_;
  std::vector<T*> destinations_;
};

}  // namespace vieta
