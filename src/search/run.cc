#include <algorithm>
#include <cmath>
#include <memory>

#include "search/island.h"
#include "search/polish.h"
#include "search/search.h"

namespace vieta {
namespace {

// Evaluations of an island between two meetings.
constexpr std::uint64_t kEpochEvaluations = 4000;
// Formulas of the common front that visit each island at a meeting.
constexpr std::size_t kVisitors = 4;
// Once a formula is exact, smaller ones are looked for during as many evaluations again, and at
// least this many.
constexpr std::uint64_t kAfterExact = 100'000;

Result<void> check_data(const FitData& data, const std::vector<std::string>& variables) {
  if (data.target.empty())
    return fail(ErrorCode::data, "the table has no rows: a search needs at least one");
  for (std::size_t r = 0; r < data.target.size(); ++r) {
    const std::string fault = target_fault(data.loss, data.target[r]);
    if (!fault.empty()) return fail(ErrorCode::data, fault, {.row = r + 1});
  }
  for (std::size_t v = 0; v < variables.size(); ++v) {
    for (std::size_t r = 0; r < data.x.rows; ++r) {
      if (std::isfinite(data.x.pointers[v][r])) continue;
      return fail(
          ErrorCode::data,
          "column '" + variables[v] +
              "' is not finite: every row needs a number, or leave the column out with --inputs",
          {.row = r + 1});
    }
  }
  double weight = 0;
  for (const double w : data.weights) {
    if (!(w >= 0) || !std::isfinite(w))
      return fail(ErrorCode::data,
                  "a weight is negative or not finite: weights are numbers from 0 up");
    weight += w;
  }
  if (!data.weights.empty() && !(weight > 0))
    return fail(ErrorCode::data, "all weights are 0: no row counts");
  return {};
}

/// A search under way.
class Search {
 public:
  Search(const FitData& data, const std::vector<std::string>& variables, const Grammar& grammar,
         const SearchOptions& options, const Budget& budget, TaskPool& pool)
      : data_(data),
        options_(options),
        budget_(budget),
        pool_(pool),
        symbols_(std::make_shared<const Symbols>(Symbols{variables, {}})),
        archive_(grammar.max_size),
        exact_loss_(std::max(options.stop_loss, exact_loss(data))) {
    if (budget_.evaluations == Budget{}.evaluations && std::isinf(budget_.seconds)) {
      budget_.evaluations = kDefaultEvaluations;
    }
    for (std::size_t i = 0; i < options.islands; ++i) {
      islands_.push_back(
          std::make_unique<Island>(static_cast<std::uint32_t>(i), data, grammar, options));
    }
  }

  SearchReport run(const std::function<void(const SearchProgress&)>& progress) {
    SearchReport report;
    for (std::uint32_t epoch = 0; !should_stop(report.stop_reason); ++epoch) {
      evolve_islands(epoch);
      gather();
      exchange(epoch);
      if (progress) tell(progress);
    }
    evaluations_ += polish(archive_, data_, options_, pool_);
    report.front = make_front(archive_, data_, symbols_);
    report.selected = select_entry(report.front, data_);
    report.n_evaluations = evaluations_;
    report.seconds = watch_.seconds();
    report.seed = options_.seed;
    return report;
  }

 private:
  bool should_stop(StopReason& reason) {
    if (budget_.interrupted()) {
      reason = StopReason::interrupted;
    } else if (evaluations_ >= budget_.evaluations) {
      reason = StopReason::evaluation_limit;
    } else if (watch_.seconds() >= budget_.seconds) {
      reason = StopReason::time_limit;
    } else if (exact_since_ != 0 &&
               evaluations_ >= exact_since_ + std::max(exact_since_, kAfterExact)) {
      reason = StopReason::converged;
    } else {
      return false;
    }
    return true;
  }

  void evolve_islands(std::uint32_t epoch) {
    const std::uint64_t left = budget_.evaluations - evaluations_;
    const std::uint64_t share =
        std::clamp<std::uint64_t>(left / islands_.size(), 1, kEpochEvaluations);
    const Deadline deadline{&watch_, &budget_};
    pool_.run(islands_.size(),
              [&](std::size_t i, std::size_t) { islands_[i]->evolve(epoch, share, deadline); });
  }

  // What the islands found, in their order.
  void gather() {
    evaluations_ = 0;
    for (const auto& island : islands_) {
      archive_.merge(island->archive());
      evaluations_ += island->evaluations();
    }
    // Nothing larger than an exact formula can stand on the front.
    for (const std::size_t c : archive_.front()) {
      if (std::fabs(archive_.at(c).loss) > exact_loss_) continue;
      if (c < exact_size_) {
        exact_size_ = c;
        exact_since_ = evaluations_;
        for (const auto& island : islands_) island->limit_size(c);
      }
      break;
    }
  }

  void exchange(std::uint32_t epoch) {
    const std::vector<std::size_t> front = archive_.front();
    if (front.empty()) return;
    Rng rng(options_.seed, 0, epoch);
    for (const auto& island : islands_) {
      for (std::size_t k = 0; k < kVisitors; ++k)
        island->welcome(archive_.at(front[rng.below(front.size())]));
    }
  }

  void tell(const std::function<void(const SearchProgress&)>& progress) const {
    const std::vector<FrontEntry> front = make_front(archive_, data_, symbols_);
    progress({evaluations_, watch_.seconds(), archive_.best_loss(), &front});
  }

  const FitData& data_;
  const SearchOptions& options_;
  Budget budget_;
  TaskPool& pool_;
  Stopwatch watch_;
  std::shared_ptr<const Symbols> symbols_;
  std::vector<std::unique_ptr<Island>> islands_;
  Archive archive_;
  double exact_loss_;
  std::size_t exact_size_ = ~std::size_t{0};
  std::uint64_t exact_since_ = 0;
  std::uint64_t evaluations_ = 0;
};

}  // namespace

Result<SearchReport> run_search(const FitData& data, const std::vector<std::string>& variables,
                                const SearchOptions& options, const Budget& budget, TaskPool& pool,
                                const std::function<void(const SearchProgress&)>& progress) {
  if (options.islands < 1 || options.population < 2 || options.tournament < 1) {
    return fail(ErrorCode::usage,
                "a search needs at least 1 island, a population of 2 and a tournament of 1");
  }
  if (auto checked = check_data(data, variables); !checked) return std::unexpected(checked.error());
  const Result<Grammar> grammar =
      make_grammar(options.operators, variables.size(), options.max_size, options.defined);
  if (!grammar) return std::unexpected(grammar.error());
  Search search(data, variables, *grammar, options, budget, pool);
  return search.run(progress);
}

}  // namespace vieta
