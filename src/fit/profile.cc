#include "fit/profile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace vieta {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kDoublings = 40;  // an end 1e12 guesses away is none
constexpr int kBisections = 60;
constexpr double kEndTolerance = 1e-8;
constexpr double kClearly = 1e-6;

/// The cost with one unknown held, least over the others.
class Slice {
 public:
  Slice(FormulaProblem& problem, LevenbergMarquardt& minimizer, const ProfileCentre& centre,
        std::size_t index)
      : problem_(problem), minimizer_(minimizer), centre_(centre), index_(index) {
    for (std::size_t i = 0; i < centre.unknowns.size(); ++i) {
      if (i == index) continue;
      others_.push_back(centre.unknowns.uniforms[i]);
      start_.push_back(centre.x[i]);
      if (centre.unknowns.lower.empty()) continue;
      lower_.push_back(centre.unknowns.lower[i]);
      upper_.push_back(centre.unknowns.upper[i]);
    }
  }

  // How far the cost at `value` lies above the interval's level. The others start from where they
  // ended last.
  double above(double value, std::vector<double>& others) {
    std::vector<double> uniforms(centre_.uniforms.begin(), centre_.uniforms.end());
    uniforms[centre_.unknowns.uniforms[index_]] = value;
    problem_.set(centre_.program, uniforms, others_);
    double cost = problem_.cost(others);
    if (!others.empty() && std::isfinite(cost)) {
      const auto report = minimizer_.minimize(
          problem_, others, {.max_iterations = 200, .lower = lower_, .upper = upper_});
      cost = report.cost;
    }
    least = std::min(least, cost);
    return cost - centre_.cost - centre_.rise;
  }

  const std::vector<double>& start() const { return start_; }

  double least = kInfinity;

 private:
  FormulaProblem& problem_;
  LevenbergMarquardt& minimizer_;
  const ProfileCentre& centre_;
  std::size_t index_;
  std::vector<std::uint32_t> others_;
  std::vector<double> start_;
  std::vector<double> lower_;
  std::vector<double> upper_;
};

// The end on one side: doubled steps until the level is passed, then false position, every third
// step a bisection, as all are where the cost is not finite.
double find_end(Slice& slice, double x, double step, double bound) {
  std::vector<double> others = slice.start();
  double inside = x;
  double inside_above = -1;  // only its sign is used until a real one is known
  bool known = false;
  double outside = x;
  double outside_above = 0;
  for (int k = 0;; ++k) {
    if (k == kDoublings) return std::copysign(kInfinity, step);
    outside = x + std::ldexp(step, k);
    const bool at_bound = step > 0 ? outside >= bound : outside <= bound;
    if (at_bound) outside = bound;
    std::vector<double> trial = others;
    outside_above = slice.above(outside, trial);
    if (!(outside_above <= 0)) break;
    if (at_bound) return bound;
    inside = outside;
    inside_above = outside_above;
    known = true;
    others = trial;
  }
  for (int k = 0; k < kBisections; ++k) {
    if (std::fabs(outside - inside) <= kEndTolerance * std::fabs(outside - x)) break;
    double middle = inside + (outside - inside) / 2;
    if (known && std::isfinite(outside_above) && k % 3 != 2)
      middle = inside - inside_above * (outside - inside) / (outside_above - inside_above);
    std::vector<double> trial = others;
    const double above = slice.above(middle, trial);
    if (above <= 0) {
      inside = middle;
      inside_above = above;
      known = true;
      others = trial;
    } else {
      outside = middle;
      outside_above = above;
    }
    if (above == 0) break;
  }
  return inside;
}

}  // namespace

Profile profile(FormulaProblem& problem, LevenbergMarquardt& minimizer, const ProfileCentre& centre,
                std::size_t index, double first_step) {
  Slice slice(problem, minimizer, centre, index);
  const bool bounded = !centre.unknowns.lower.empty();
  Profile result;
  const double x = centre.x[index];
  result.low = find_end(slice, x, -first_step, bounded ? centre.unknowns.lower[index] : -kInfinity);
  result.high = find_end(slice, x, first_step, bounded ? centre.unknowns.upper[index] : kInfinity);
  // Of the size, not a factor: a cost may be negative.
  result.met_lower = slice.least < centre.cost - kClearly * std::fabs(centre.cost);
  return result;
}

}  // namespace vieta
