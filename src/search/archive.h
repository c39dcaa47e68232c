// archive: the best formula of every complexity.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "search/grammar.h"

namespace vieta {

/// A formula with its loss.
struct Candidate {
  Tree tree;
  double loss = std::numeric_limits<double>::infinity();
};

/// One slot a complexity. Ties keep the first comer, so that the order of offers decides, not the
/// clock.
class Archive {
 public:
  explicit Archive(std::size_t max_size) : slots_(max_size + 1) {}

  /// Takes the candidate if its loss is finite and below that of its slot.
  bool offer(const Candidate& candidate);
  void merge(const Archive& other);
  /// Indices of slots whose loss is below that of every smaller formula, by more than rounding.
  std::vector<std::size_t> front() const;
  const Candidate& at(std::size_t complexity) const { return slots_[complexity]; }
  bool holds(std::size_t complexity) const { return !slots_[complexity].tree.empty(); }
  std::size_t size() const { return slots_.size(); }
  double best_loss() const;

 private:
  std::vector<Candidate> slots_;  ///< by complexity; empty tree: nothing yet
};

}  // namespace vieta
