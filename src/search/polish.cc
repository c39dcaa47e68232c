#include "search/polish.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/rng.h"
#include "eval/evaluate.h"
#include "fit/criteria.h"
#include "search/arrange.h"

namespace vieta {
namespace {

constexpr int kIterations = 200;
// A residual that is rounding and nothing else, relative to the target, squared.
constexpr double kExact = 1e-28;
constexpr std::uint32_t kRestarts = 4;
// A rise of the loss that rounding alone may cause.
constexpr double kRounding = 1e-6;

// People read these numbers.
kernels::Target exact_target(kernels::Target target) {
  return is_fast(target) ? kernels::best_target() : target;
}

struct Polisher {
  const FitData& data;
  const SearchOptions& options;
  ConstantFitter fitter;
  std::uint64_t evaluations = 0;

  Polisher(const FitData& d, const SearchOptions& o)
      : data(d), options(o), fitter(d, exact_target(o.target)) {}

  void refit(Candidate& candidate) {
    const auto outcome = fitter.fit(candidate.tree, kIterations);
    evaluations += outcome.evaluations;
    candidate.loss = outcome.loss;
  }

  // Other starts: the minimum reached during the search need not be the lowest one.
  void restart(Candidate& best, std::uint32_t complexity) {
    for (std::uint32_t k = 0; k < kRestarts; ++k) {
      Rng rng(options.seed, complexity, k);
      Candidate trial = best;
      bool changed = false;
      for (Node& node : trial.tree) {
        if (!node.is_constant()) continue;
        node.value *= std::exp(rng.normal());
        if (rng.chance(0.2)) node.value = -node.value;
        changed = true;
      }
      if (!changed) return;
      refit(trial);
      if (trial.loss < best.loss) best = trial;
    }
  }

  // Tries one number for one constant, the others fitted again.
  bool try_number(Candidate& candidate, std::size_t at, double number, double allowed,
                  std::vector<std::uint8_t>& frozen) {
    Candidate trial = candidate;
    trial.tree[at].value = number;
    frozen[constant_number(candidate.tree, at)] = 1;
    const auto outcome = fitter.fit(trial.tree, kIterations, frozen);
    evaluations += outcome.evaluations;
    trial.loss = outcome.loss;
    if (trial.loss <= allowed) {
      candidate = trial;
      return true;
    }
    frozen[constant_number(candidate.tree, at)] = 0;
    return false;
  }

  static std::size_t constant_number(const Tree& tree, std::size_t at) {
    return static_cast<std::size_t>(
        std::count_if(tree.begin(), tree.begin() + static_cast<std::ptrdiff_t>(at),
                      [](const Node& node) { return node.is_constant(); }));
  }

  void simplify_numbers(Candidate& candidate) {
    const double scale = mean_square(data);
    std::vector<std::uint8_t> frozen(static_cast<std::size_t>(
        std::ranges::count_if(candidate.tree, [](const Node& n) { return n.is_constant(); })));
    const auto rows = static_cast<double>(data.target.size());
    for (std::size_t i = 0; i < candidate.tree.size(); ++i) {
      if (!candidate.tree[i].is_constant()) continue;
      const bool exponent = i + 1 < candidate.tree.size() && candidate.tree[i + 1].is_call(Op::pow);
      // One standard error of a constant raises n log(loss) by 1.
      const double rise = exponent ? std::exp(1 / rows) : 1 + kRounding;
      const double allowed =
          candidate.loss * rise + std::numeric_limits<double>::epsilon() * kRounding * scale;
      for (const double parts : {1.0, 2.0, 3.0, 4.0}) {
        if (!exponent && parts > 2) break;
        const double number = std::round(candidate.tree[i].value * parts) / parts;
        if (std::fabs(number) > 1000) break;
        if (try_number(candidate, i, number, allowed, frozen)) break;
      }
    }
  }

  static double mean_square(const FitData& data) {
    double sum = 0;
    for (const double y : data.target) sum += y * y;
    return sum / static_cast<double>(data.target.size());
  }
};

// Weighted variance of the target.
double variance(const FitData& data) {
  double weight = 0;
  double mean = 0;
  const auto w = [&](std::size_t r) { return data.weights.empty() ? 1.0 : data.weights[r]; };
  for (std::size_t r = 0; r < data.target.size(); ++r) {
    weight += w(r);
    mean += w(r) * data.target[r];
  }
  mean /= weight;
  double sum = 0;
  for (std::size_t r = 0; r < data.target.size(); ++r)
    sum += w(r) * (data.target[r] - mean) * (data.target[r] - mean);
  return sum / weight;
}

// Whatever the loss was.
double mean_squared_residual(const FrontEntry& entry, const FitData& data) {
  if (data.loss.squares()) return entry.loss;
  const auto values = evaluate<double>(entry.expr, data.x, {}, {}, 0).values;
  double weight = 0;
  double sum = 0;
  for (std::size_t r = 0; r < values.size(); ++r) {
    const double w = data.weights.empty() ? 1.0 : data.weights[r];
    if (w == 0) continue;
    weight += w;
    sum += w * (values[r] - data.target[r]) * (values[r] - data.target[r]);
  }
  return sum / weight;
}

}  // namespace

double exact_loss(const FitData& data) {
  double sum = 0;
  for (const double value : data.target) sum += value * value;
  const double squares = kExact * sum / static_cast<double>(data.target.size());
  return data.loss.family == LossFamily::kinked ? std::sqrt(squares) : squares;
}

std::uint64_t polish(Archive& archive, const FitData& data, const SearchOptions& options,
                     TaskPool& pool) {
  const std::vector<std::size_t> front = archive.front();
  std::vector<Candidate> polished(front.size());
  std::vector<std::uint64_t> evaluations(front.size());
  pool.run(front.size(), [&](std::size_t i, std::size_t) {
    Polisher polisher(data, options);
    polished[i] = archive.at(front[i]);
    polisher.refit(polished[i]);
    polisher.restart(polished[i], static_cast<std::uint32_t>(front[i]));
    polisher.simplify_numbers(polished[i]);
    polished[i].tree = arrange(polished[i].tree);
    polished[i].loss = polisher.fitter.loss(polished[i].tree);
    evaluations[i] = polisher.evaluations;
  });
  Archive fresh(archive.size() - 1);
  for (const Candidate& candidate : polished) {
    fresh.offer(candidate);
    // Nothing larger than an exact formula is better: what is left is rounding.
    if (std::fabs(candidate.loss) <= exact_loss(data)) break;
  }
  archive = std::move(fresh);
  return std::accumulate(evaluations.begin(), evaluations.end(), std::uint64_t{0});
}

std::vector<FrontEntry> make_front(const Archive& archive, const FitData& data,
                                   const std::shared_ptr<const Symbols>& symbols) {
  const double spread = variance(data);
  const double floor = std::numeric_limits<double>::min();
  std::vector<FrontEntry> front;
  for (const std::size_t c : archive.front()) {
    const Candidate& candidate = archive.at(c);
    FrontEntry entry{Expr(candidate.tree, symbols), c, candidate.loss, 0, 0};
    entry.r2 = spread > 0 ? 1 - mean_squared_residual(entry, data) / spread
                          : std::numeric_limits<double>::quiet_NaN();
    if (!front.empty()) {
      const double fall =
          std::log(std::max(front.back().loss, floor) / std::max(entry.loss, floor));
      entry.score = fall / static_cast<double>(c - front.back().complexity);
    }
    front.push_back(std::move(entry));
  }
  return front;
}

// As the criteria see an entry; a loss below `rounding` is not rewarded.
double description_length_of(const FrontEntry& entry, const FitData& data, double rounding) {
  double weight = 0;
  for (const double w : data.weights) weight += w;
  if (data.weights.empty()) weight = static_cast<double>(data.target.size());
  return description_length({data.loss.family, std::max(entry.loss, rounding), weight,
                             data.target.size(), entry.expr.count_constants(), entry.complexity,
                             data.x.pointers.size() + 10});
}

// The loss of residuals that are rounding and nothing else.
double rounding_loss(const FitData& data) {
  const double squares = 1e-30 * Polisher::mean_square(data);
  const double loss = data.loss.family == LossFamily::kinked       ? std::sqrt(squares)
                      : data.loss.family == LossFamily::likelihood ? 0
                                                                   : squares;
  return std::max(loss, std::numeric_limits<double>::min());
}

std::size_t select_entry(const std::vector<FrontEntry>& front, const FitData& data) {
  const double rounding = rounding_loss(data);
  std::size_t best = 0;
  for (std::size_t i = 1; i < front.size(); ++i) {
    if (description_length_of(front[i], data, rounding) <
        description_length_of(front[best], data, rounding))
      best = i;
  }
  return best;
}

}  // namespace vieta
