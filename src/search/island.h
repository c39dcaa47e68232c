// island: one population that evolves by itself between two meetings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "base/rng.h"
#include "fit/constant_fitter.h"
#include "search/archive.h"
#include "search/search.h"
#include "search/tidy.h"
#include "search/variation.h"

namespace vieta {

/// Remembers shapes (formulas whose constants do not count) and how often each was tried. Direct
/// mapped: a new shape takes the place of an old one, so that what is forgotten may be tried again
/// late in a long run.
class SeenShapes {
 public:
  SeenShapes() : entries_(kEntries) {}
  /// How often the shape was tried before; counts this try.
  unsigned tries(std::uint64_t hash);

 private:
  static constexpr std::size_t kEntries = 1U << 15U;
  struct Entry {
    std::uint64_t hash = 0;
    unsigned tries = 0;
  };
  std::vector<Entry> entries_;
};

/// When an island must return before its share is used.
struct Deadline {
  const Stopwatch* watch = nullptr;
  const Budget* budget = nullptr;
  bool passed() const { return budget->interrupted() || watch->seconds() >= budget->seconds; }
};

/// Age-regularised evolution (Real et al., AAAI 2019): a child replaces the oldest member, whatever
/// its loss, so that only formulas that are found again and again last. What an island does depends
/// on (seed, number, epoch) alone.
class Island {
 public:
  Island(std::uint32_t number, const FitData& data, const Grammar& grammar,
         const SearchOptions& options);

  /// Evolves until `evaluations` more were used or the deadline passed.
  void evolve(std::uint32_t epoch, std::uint64_t evaluations, const Deadline& deadline);
  /// Formulas larger than this are not made any more.
  void limit_size(std::size_t size) { size_limit_ = size; }
  /// A visitor takes the oldest member's place.
  void welcome(const Candidate& visitor);

  const Archive& archive() const { return archive_; }
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  void fill(Rng& rng, const Deadline& deadline, std::uint64_t last);
  const Candidate& select(Rng& rng) const;
  void breed(Rng& rng);
  bool admit();
  void evaluate_child();
  void replace_oldest(const Candidate& candidate);

  std::uint32_t number_;
  const Grammar& grammar_;
  const SearchOptions& options_;
  ConstantFitter fitter_;
  Variation variation_;
  Tidy tidy_;
  SeenShapes seen_;
  Archive archive_;
  std::vector<Candidate> members_;
  std::size_t oldest_ = 0;
  std::size_t size_limit_;
  std::size_t
      constant_limit_;  ///< half the rows: more constants would thread the points, not find a law
  std::uint64_t evaluations_ = 0;
  Candidate child_;
};

}  // namespace vieta
