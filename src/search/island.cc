#include "search/island.h"

#include <algorithm>

namespace vieta {
namespace {

// A shape may be fitted from three starts: its loss has more than one minimum.
constexpr unsigned kTriesPerShape = 3;
// Children refused one after another before one is taken all the same: a small space must not hold
// up the run.
constexpr int kRefusals = 64;
// Between two looks at the clock.
constexpr std::uint64_t kEvaluationsPerLook = 16;
constexpr double kCrossover = 0.25;
constexpr std::size_t kInitialSize = 7;

std::size_t counted_rows(const FitData& data) {
  if (data.weights.empty()) return data.target.size();
  return static_cast<std::size_t>(
      std::ranges::count_if(data.weights, [](double w) { return w > 0; }));
}

}  // namespace

unsigned SeenShapes::tries(std::uint64_t hash) {
  Entry& entry = entries_[hash % kEntries];
  if (entry.hash != hash) entry = {hash, 0};
  return entry.tries++;
}

Island::Island(std::uint32_t number, const FitData& data, const Grammar& grammar,
               const SearchOptions& options)
    : number_(number),
      grammar_(grammar),
      options_(options),
      fitter_(data, options.target),
      variation_(grammar),
      archive_(grammar.max_size),
      size_limit_(grammar.max_size),
      constant_limit_(std::max<std::size_t>(1, counted_rows(data) / 2)) {
  members_.reserve(options.population);
}

void Island::evolve(std::uint32_t epoch, std::uint64_t evaluations, const Deadline& deadline) {
  // Stream 0 belongs to what the islands do together.
  Rng rng(options_.seed, number_ + 1, epoch);
  const std::uint64_t last = evaluations_ + evaluations;
  fill(rng, deadline, last);
  std::uint64_t next_look = evaluations_;
  while (evaluations_ < last) {
    if (evaluations_ >= next_look) {
      if (deadline.passed()) return;
      next_look = evaluations_ + kEvaluationsPerLook;
    }
    int refusals = 0;
    do {
      breed(rng);
    } while (!admit() && ++refusals < kRefusals);
    if (child_.tree.size() > grammar_.max_size) {
      ++evaluations_;  // nothing small comes out any more: the run must still end
      continue;
    }
    evaluate_child();
    replace_oldest(child_);
  }
}

void Island::fill(Rng& rng, const Deadline& deadline, std::uint64_t last) {
  while (members_.size() < options_.population && evaluations_ < last && !deadline.passed()) {
    child_.tree.clear();
    append_random_tree(grammar_, 1 + rng.below(std::min(kInitialSize, size_limit_)), rng,
                       child_.tree);
    tidy_.run(child_.tree);
    evaluate_child();
    members_.push_back(child_);
  }
}

// The best of a few that are no larger than a limit drawn anew each time: every size gets its turn,
// and none has to compete with larger formulas for being accurate.
const Candidate& Island::select(Rng& rng) const {
  const std::size_t limit = 1 + rng.below(size_limit_);
  const auto draw = [&] { return &members_[rng.below(members_.size())]; };
  const Candidate* smallest = draw();
  const Candidate* best = smallest->tree.size() <= limit ? smallest : nullptr;
  for (std::size_t i = 1; i < options_.tournament; ++i) {
    const Candidate* c = draw();
    if (c->tree.size() < smallest->tree.size()) smallest = c;
    if (c->tree.size() <= limit && (best == nullptr || c->loss < best->loss)) best = c;
  }
  return best != nullptr ? *best : *smallest;
}

void Island::breed(Rng& rng) {
  child_.tree = select(rng).tree;
  if (rng.chance(kCrossover)) {
    variation_.cross(child_.tree, select(rng).tree, rng);
  } else {
    variation_.mutate(child_.tree, rng);
    if (rng.chance(0.25)) variation_.mutate(child_.tree, rng);
  }
  tidy_.run(child_.tree);
}

bool Island::admit() {
  if (child_.tree.size() > size_limit_) return false;
  const auto constants =
      std::ranges::count_if(child_.tree, [](const Node& node) { return node.is_constant(); });
  if (static_cast<std::size_t>(constants) > constant_limit_) return false;
  return seen_.tries(structural_hash(child_.tree, true)) < kTriesPerShape;
}

void Island::evaluate_child() {
  const ConstantFitter::Outcome outcome = fitter_.fit(child_.tree, options_.fit_iterations);
  child_.loss = outcome.loss;
  evaluations_ += std::max<std::uint64_t>(1, outcome.evaluations);
  archive_.offer(child_);
}

void Island::welcome(const Candidate& visitor) {
  if (members_.size() < options_.population) {
    members_.push_back(visitor);
  } else {
    replace_oldest(visitor);
  }
}

void Island::replace_oldest(const Candidate& candidate) {
  members_[oldest_] = candidate;
  oldest_ = (oldest_ + 1) % members_.size();
}

}  // namespace vieta
