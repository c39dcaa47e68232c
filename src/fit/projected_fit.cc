#include "fit/projected_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fit/damping.h"

namespace vieta {
namespace {

// Two costs that differ by less may be the same: rounding of sums of some thousand terms.
constexpr double kRounding = 1e-12;
// A cost has the rounding of the one it was computed from, some 1.1e-16 of it.
constexpr double kLost = 1e-15;
// What a model is taken to be off by at least, as a fraction of the fall it promises: along one
// step it may be right by chance, terms of second and third order cancelling.
constexpr double kMismatch = 1e-2;

}  // namespace

LeastSquaresReport ProjectedFit::minimize(SeparablePass& pass, FormulaProblem& problem,
                                          std::span<const std::uint8_t> is_linear,
                                          std::span<double> x, const LeastSquaresOptions& options) {
  begin(pass.code().model, is_linear, x);
  LeastSquaresReport report;
  report.evaluations = 1;
  report.stop_reason = StopReason::not_finite;
  if (!pass.project(*here_)) return report;
  const double start = here_->cost_before;
  const auto again = [&] {
    ++report.evaluations;
    const bool finite = pass.project(*here_);
    here_->exact = true;
    return finite;
  };
  double end = std::numeric_limits<double>::infinity();  // the cost of joined_, once known
  Damping damping;
  double mismatch = 1;  // of the last fall and the promised one, as a fraction of that
  const auto stop = [&](StopReason reason) { report.stop_reason = reason; };
  while (true) {
    raise_scale();
    if (here_->cost <= options.negligible_cost || is_stationary(options.gradient_tolerance)) {
      stop(StopReason::converged);
      if (here_->exact || !again()) break;
      continue;
    }
    stop(StopReason::iteration_limit);
    if (report.iterations == options.max_iterations) break;
    ++report.iterations;
    const double before = here_->cost;
    const double small = options.cost_tolerance * before;
    const Plan plan = plan_step(damping.value, mismatch, small);
    if (plan.last) {
      ++report.evaluations;
      go();
      end = cost_at(*there_, problem, is_linear);
      const double fall = before - end;
      const double off = fall - plan.promised;
      stop(StopReason::converged);
      if (plan.promised <= small ? !(fall > small) : off * off <= small * plan.promised) {
        if (!(end <= before * (1 + kRounding))) end = std::numeric_limits<double>::infinity();
        break;
      }
      end = std::numeric_limits<double>::infinity();
      mismatch = 1;
      if (fall > 0) {
        std::swap(here_, there_);
        if (!again()) break;
        continue;
      }
    } else if (plan.solved) {
      ++report.evaluations;
      go();
      const bool finite = pass.project(*there_);
      const double fall = before - there_->cost;
      const double lost = there_->exact ? 0 : kLost * there_->cost_before;
      if (finite && fall > lost) {
        std::swap(here_, there_);
        const double gain = fall / plan.promised;
        damping.accept(gain);
        mismatch = std::clamp(std::fabs(gain - 1), kMismatch, 1.0);
        stop(StopReason::converged);
        if (std::max(fall, plan.promised) <= small) break;
        continue;
      }
    }
    stop(StopReason::no_progress);
    if (!here_->exact) {
      if (!again()) break;
      continue;
    }
    damping.refuse();
    if (damping.value > kLargestDamping) break;
  }
  if (!std::isfinite(end)) {
    ++report.evaluations;
    end = cost_at(*here_, problem, is_linear);
  }
  report.cost = end;
  if (!std::isfinite(end)) {
    report.stop_reason = StopReason::not_finite;
    return report;
  }
  if (!(end < start * (1 - kRounding))) {
    ++report.evaluations;
    report.cost = problem.cost(x);
    if (!std::isfinite(report.cost)) report.stop_reason = StopReason::not_finite;
    if (!(end < report.cost)) return report;
    report.cost = end;
  }
  std::ranges::copy(joined_, x.begin());
  return report;
}

void ProjectedFit::begin(const ProjectedModel& model, std::span<const std::uint8_t> is_linear,
                         std::span<const double> x) {
  model_ = &model;
  n_ = 0;
  std::size_t linear = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (is_linear[i] == 0) {
      here_->nonlinear[n_++] = x[i];
    } else {
      here_->linear[linear] = model.sign(linear) * x[i];
      ++linear;
    }
  }
  scale_ = {};
}

// Marquardt's scale, kept from shrinking.
void ProjectedFit::raise_scale() {
  for (std::size_t i = 0; i < n_; ++i) {
    scale_[i] = std::max(scale_[i], here_->size[i]);
    if (scale_[i] <= 0) scale_[i] = 1;  // no influence at all: any positive number
  }
}

bool ProjectedFit::is_stationary(double tolerance) const {
  for (std::size_t i = 0; i < n_; ++i) {
    const double slope = here_->gradient[i];
    const double size = std::max(here_->curvature[i][i], 0.0) * here_->cost;
    if (slope * slope > tolerance * tolerance * size) return false;
  }
  return true;
}

// A model that was off by the fraction m of the last fall, and is off by no more of the next,
// leaves m^2 of it: the step is off by m of its length, and the cost grows by the square. Damping
// would leave more.
ProjectedFit::Plan ProjectedFit::plan_step(double damping, double mismatch, double small) {
  Plan plan;
  plan.solved = solve_damped(*here_, n_, scale_, damping, step_);
  if (!plan.solved) return plan;
  plan.promised = predicted_fall(damping);
  const double most = small / (mismatch * mismatch);
  if (!here_->exact || !(plan.promised <= most)) return plan;
  const SmallVector damped = step_;
  const bool solved = solve_damped(*here_, n_, scale_, 0, step_);
  const double promised = predicted_fall(0);
  if (solved && promised <= most) {
    plan.promised = promised;
    plan.last = true;
  } else {
    step_ = damped;
    plan.last = plan.promised <= small;
  }
  return plan;
}

double ProjectedFit::predicted_fall(double damping) const {
  double fall = 0;
  for (std::size_t i = 0; i < n_; ++i)
    fall += step_[i] * (damping * scale_[i] * step_[i] - here_->gradient[i]);
  return fall;
}

// there_ = here_ + step_, the linear unknowns following.
void ProjectedFit::go() {
  there_->linear = here_->linear;
  for (std::size_t k = 0; k < n_; ++k) {
    there_->nonlinear[k] = here_->nonlinear[k] + step_[k];
    for (std::size_t j = 0; j < model_->linear(); ++j)
      there_->linear[j] += here_->follow[k][j] * step_[k];
  }
}

double ProjectedFit::cost_at(const ProjectedPoint& point, FormulaProblem& problem,
                             std::span<const std::uint8_t> is_linear) {
  joined_.clear();
  std::size_t linear = 0;
  std::size_t nonlinear = 0;
  for (const std::uint8_t is : is_linear) {
    if (is == 0) {
      joined_.push_back(point.nonlinear[nonlinear++]);
    } else {
      joined_.push_back(model_->sign(linear) * point.linear[linear]);
      ++linear;
    }
  }
  return problem.cost(joined_);
}

}  // namespace vieta
