// projected_fit: the way down in the constants that do not enter linearly.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fit/formula_problem.h"
#include "fit/least_squares.h"
#include "fit/separable_pass.h"

namespace vieta {

/// Minimises a sum of squares by damped steps in the nonlinear unknowns, the linear ones always
/// where the sum is least: Levenberg and Marquardt's method with Nielsen's damping on the projected
/// functional, one pass over the data a step. Keeps its memory. Not shared between threads.
class ProjectedFit {
 public:
  ProjectedFit() = default;
  ProjectedFit(const ProjectedFit&) = delete;
  ProjectedFit& operator=(const ProjectedFit&) = delete;

  /// `x`: the unknowns of `problem`, in its order; `is_linear` tells which are those of
  /// `pass.code().linear`. Improves x in place, never to a point worse than the start, and
  /// leaves it alone where stop_reason is not_finite: where the start or the end could not be
  /// computed. The cost reported is the problem's at x.
  LeastSquaresReport minimize(SeparablePass& pass, FormulaProblem& problem,
                              std::span<const std::uint8_t> is_linear, std::span<double> x,
                              const LeastSquaresOptions& options);

 private:
  void begin(const ProjectedModel& model, std::span<const std::uint8_t> is_linear,
             std::span<const double> x);
  void raise_scale();
  bool is_stationary(double tolerance) const;
  /// How a step is taken, and what it promises.
  struct Plan {
    bool solved = false;
    bool last = false;    ///< it is expected to leave less than matters
    double promised = 0;  ///< fall of the cost
  };
  Plan plan_step(double damping, double mismatch, double small);
  double predicted_fall(double damping) const;
  void go();
  double cost_at(const ProjectedPoint& point, FormulaProblem& problem,
                 std::span<const std::uint8_t> is_linear);

  const ProjectedModel* model_ = nullptr;
  std::array<ProjectedPoint, 2> points_;
  ProjectedPoint* here_ = points_.data();
  ProjectedPoint* there_ = points_.data() + 1;
  std::size_t n_ = 0;  ///< nonlinear unknowns
  SmallVector scale_{};
  SmallVector step_{};
  std::vector<double> joined_;
};

}  // namespace vieta
