#include "search/archive.h"

#include <algorithm>
#include <cmath>

namespace vieta {

bool Archive::offer(const Candidate& candidate) {
  const std::size_t size = candidate.tree.size();
  if (size == 0 || size >= slots_.size() || !std::isfinite(candidate.loss)) return false;
  Candidate& slot = slots_[size];
  if (!slot.tree.empty() && !(candidate.loss < slot.loss)) return false;
  slot = candidate;
  return true;
}

void Archive::merge(const Archive& other) {
  for (const Candidate& candidate : other.slots_) offer(candidate);
}

std::vector<std::size_t> Archive::front() const {
  // Two formulas of the same function differ in the last digits of their losses.
  constexpr double kRounding = 1e-9;
  std::vector<std::size_t> indices;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < slots_.size(); ++c) {
    if (!holds(c) || !(slots_[c].loss < best * (1 - kRounding))) continue;
    indices.push_back(c);
    best = slots_[c].loss;
  }
  return indices;
}

double Archive::best_loss() const {
  double best = std::numeric_limits<double>::infinity();
  for (const Candidate& candidate : slots_) {
    if (!candidate.tree.empty()) best = std::min(best, candidate.loss);
  }
  return best;
}

}  // namespace vieta
