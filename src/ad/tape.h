// tape: the record of a computation, from which adjoints are swept backwards.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <type_traits>

#include "ad/error.h"
#include "ad/number.h"

namespace vieta::ad {

/// Nodes in the order in which they were computed. A node has up to two operands, each a position
/// and a partial; position 0 stands for every constant. 24 bytes a node for T = double.
///
/// Memory is kept between recordings; `release` gives it back. One thread uses a tape.
template <class T>
class Tape {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  constexpr Tape() = default;
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;
  ~Tape() { release(); }

  /// Appends a node; returns its id. An operand of id 0 is a constant.
  /// Errors: an operand that this recording did not make.
  [[gnu::always_inline]] std::uint64_t record(std::uint64_t a, const T& da) {
    if (size_ == capacity_) [[unlikely]]
      grow(1);
    Node& node = nodes_[size_];
    node.da = da;
    node.db = T(0);
    node.a = position(a);
    node.b = 0;
    return base_ + size_++;
  }
  [[gnu::always_inline]] std::uint64_t record(std::uint64_t a, const T& da, std::uint64_t b,
                                              const T& db) {
    if (size_ == capacity_) [[unlikely]]
      grow(1);
    Node& node = nodes_[size_];
    node.da = da;
    node.db = db;
    node.a = position(a);
    node.b = position(b);
    return base_ + size_++;
  }

  /// Appends `count` variables with consecutive ids; returns the first id. Their nodes are left
  /// unwritten if no sweep is going to visit them.
  std::uint64_t record_variables(std::uint64_t count, bool are_swept) {
    if (capacity_ - size_ < count) grow(count);
    if (are_swept) {
      for (std::uint64_t i = 0; i < count; ++i) nodes_[size_ + i] = Node{};
    }
    size_ += static_cast<std::uint32_t>(count);
    return base_ + size_ - count;
  }
  /// The id that the next node will have.
  std::uint64_t next_id() const { return base_ + size_; }

  std::uint32_t size() const { return size_; }
  /// Position on the tape of a Var's id; 0 for a constant.
  [[gnu::always_inline]] std::uint32_t position(std::uint64_t id) const {
    const std::uint64_t p = id - base_;
    if (p < size_) [[likely]]
      return static_cast<std::uint32_t>(p);
    return position_of_constant(id);
  }

  /// Recordings open, this one included.
  int depth() const { return depth_; }
  /// Opens a recording: returns where it starts. An inner recording on the same tape starts above
  /// the outer one's nodes.
  std::uint32_t open() {
    if (capacity_ == 0) start();
    ++depth_;
    return size_;
  }
  /// Closes it. The outermost one empties the tape; ids are never used twice.
  void close() {
    if (--depth_ > 0) return;
    base_ += size_;
    size_ = 1;
  }

  /// Zeroes the adjoints; `sweep` adds to them.
  void clear_adjoints() {
    if (adjoint_capacity_ < size_) {
      std::free(adjoints_);
      adjoints_ = nullptr;
      adjoint_capacity_ = 0;
      adjoints_ = static_cast<T*>(std::malloc(sizeof(T) * capacity_));
      if (adjoints_ == nullptr) throw std::bad_alloc();
      adjoint_capacity_ = capacity_;
    }
    T* const adjoints = adjoints_;
    for (std::uint32_t i = 0, n = size_; i < n; ++i) adjoints[i] = T(0);
  }
  T& adjoint(std::uint32_t position) { return adjoints_[position]; }

  /// Reverse mode: carries the adjoints of all nodes from `first` on back to their operands.
  void sweep(std::uint32_t first) {
    T* const adjoints = adjoints_;
    const Node* const nodes = nodes_;
    for (std::uint32_t i = size_; i-- > first;) {
      const T adjoint = adjoints[i];
      if (is_zero(adjoint)) continue;
      const Node& node = nodes[i];
      // Adding to position 0 too would be right, and slow: one chain of stores through one cell.
      if (node.a != 0) adjoints[node.a] += chained(node.da, adjoint);
      if (node.b != 0) adjoints[node.b] += chained(node.db, adjoint);
    }
  }
  /// Forward mode over what was recorded: the adjoints hold tangents, those of the variables are
  /// given, the others' are filled in.
  void sweep_forward(std::uint32_t first) {
    for (std::uint32_t i = first; i < size_; ++i) {
      const Node& node = nodes_[i];
      if (node.a == 0 && node.b == 0) continue;
      adjoints_[i] = chained(node.da, node.a == 0 ? T(0) : adjoints_[node.a]) +
                     chained(node.db, node.b == 0 ? T(0) : adjoints_[node.b]);
    }
  }

  /// Gives all memory back. Not while a recording is open.
  constexpr void release() {
    if (capacity_ == 0) return;
    std::free(nodes_);
    std::free(adjoints_);
    nodes_ = nullptr;
    adjoints_ = nullptr;
    capacity_ = adjoint_capacity_ = 0;
  }

 private:
  struct Node {
    T da{};
    T db{};
    std::uint32_t a = 0;
    std::uint32_t b = 0;
  };

  [[gnu::noinline, gnu::cold]] void start() {
    // Every tape of the process numbers its nodes in a range of its own, so that a Var kept from
    // an earlier recording, or from another thread, is met as what it is.
    static std::uint64_t tapes = 0;
    if (base_ == 0) base_ = __atomic_add_fetch(&tapes, 1, __ATOMIC_RELAXED) << 44U;
    size_ = 0;
    reserve(1024);
    nodes_[0] = Node{};
    size_ = 1;
  }
  [[gnu::noinline, gnu::cold]] void grow(std::uint64_t count) {
    if (depth_ == 0) refuse("a Var was used outside the recording that made it");
    const std::uint64_t wanted = std::uint64_t{size_} + count;
    const std::uint64_t twice = std::uint64_t{capacity_} * 2;
    reserve(wanted > twice ? wanted : twice);
  }
  void reserve(std::uint64_t capacity) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    if (capacity > most) {
      if (size_ >= most / 2 + most / 4) refuse("more than 3e9 operations in one recording");
      capacity = most;
    }
    void* const moved = std::realloc(static_cast<void*>(nodes_), sizeof(Node) * capacity);
    if (moved == nullptr) throw std::bad_alloc();
    nodes_ = static_cast<Node*>(moved);
    capacity_ = static_cast<std::uint32_t>(capacity);
  }
  std::uint32_t position_of_constant(std::uint64_t id) const {
    if (id != 0) refuse("a Var of another recording (kept from an earlier one?) was used");
    return 0;
  }

  Node* nodes_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
  std::uint64_t base_ = 0;
  T* adjoints_ = nullptr;
  std::uint32_t adjoint_capacity_ = 0;
  int depth_ = 0;
};

/// What Vars record on while no recording is open: its first use refuses.
template <class T>
inline constinit Tape<T> no_tape;

// The static initial-exec slot makes an access one load, in shared libraries too.
#if defined(__ELF__)
#define VIETA_AD_TLS [[gnu::tls_model("initial-exec")]]
#else
#define VIETA_AD_TLS
#endif
template <class T>
VIETA_AD_TLS inline thread_local constinit Tape<T>* active_tape = &no_tape<T>;
#undef VIETA_AD_TLS

/// The thread's own tape, on which every recording of this thread works.
template <class T>
Tape<T>& thread_tape() {
  static thread_local Tape<T> tape;
  return tape;
}

}  // namespace vieta::ad
