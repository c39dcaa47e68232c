// inline_stack: a stack whose first elements need no heap. Walking a formula seldom needs more.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace vieta {

/// T is cheap to copy and default-constructible. pop() requires that the stack is not empty.
template <class T, std::size_t kInline = 64>
class InlineStack {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void push(const T& value) {
    if (size_ < kInline) {
      near_[size_] = value;
    } else {
      far_.push_back(value);
    }
    ++size_;
  }

  T pop() {
    --size_;
    if (size_ < kInline) return near_[size_];
    const T value = far_.back();
    far_.pop_back();
    return value;
  }

 private:
  std::array<T, kInline> near_;
  std::vector<T> far_;
  std::size_t size_ = 0;
};

}  // namespace vieta
