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
  void raise_scale();
  bool is_stationary(double tolerance) const;
  double predicted_fall(double damping) const;
  void go();
  double cost_at(const ProjectedPoint& point, FormulaProblem& problem,
                 std::span<const std::uint8_t> is_linear);

  std::array<ProjectedPoint, 2> points_;
  ProjectedPoint* here_ = points_.data();
  ProjectedPoint* there_ = points_.data() + 1;
  std::vector<double> scale_;
  std::vector<double> step_;
  std::vector<double> joined_;
};

}  // namespace vieta
