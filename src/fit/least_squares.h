// least_squares: Levenberg-Marquardt, with bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/budget.h"
#include "fit/normal_equations.h"

namespace vieta {

/// A sum over rows as a function of unknowns: of squared residuals, or of another loss.
class LeastSquaresProblem {
 public:
  virtual ~LeastSquaresProblem() = default;
  virtual std::size_t unknowns() const = 0;
  /// The sum at x; +inf where any term that counts is not finite.
  virtual double cost(std::span<const double> x) = 0;
  /// The sum with half its gradient and half its (approximate) second derivatives: J^T r and J^T J
  /// for squared residuals. False if any of them is not finite.
  virtual bool linearize(std::span<const double> x, NormalEquations& equations) = 0;
};

struct LeastSquaresOptions {
  int max_iterations = 200;
  /// Stop when a step lowers the cost by less than this fraction, as predicted and in fact.
  double cost_tolerance = 1e-14;
  /// Stop when no residual direction is seen by any unknown: largest cosine between r and a column
  /// of J.
  double gradient_tolerance = 1e-12;
  /// Stop at a cost that is rounding and nothing else.
  double negligible_cost = 0;
  /// One of each for every unknown, or empty: none. lower <= upper.
  std::span<const double> lower = {};
  std::span<const double> upper = {};
};

struct LeastSquaresReport {
  double cost = std::numeric_limits<double>::infinity();
  StopReason stop_reason = StopReason::not_run;
  int iterations = 0;
  std::uint64_t evaluations = 0;  ///< costs and linearisations
};

/// Minimises by the method of Levenberg (1944) and Marquardt (1963) with the damping rule of
/// Nielsen (IMM-REP-1999-05, eq. 2.21) and Marquardt's scaling, kept from shrinking as Moré (1978)
/// does. With bounds, unknowns that are pushed against theirs are held and steps are cut at the box
/// (projection in the metric of the damping: the cost falls for a damping large enough). Keeps its
/// memory: no allocation once the largest problem was seen. Not shared between threads.
class LevenbergMarquardt {
 public:
  /// Improves x in place. Never returns a worse point than the start (moved into the bounds); a
  /// step whose cost is not finite is refused and the damping raised. An unknown without influence
  /// stays where it is.
  LeastSquaresReport minimize(LeastSquaresProblem& problem, std::span<double> x,
                              const LeastSquaresOptions& options = {});

 private:
  bool linearize(LeastSquaresProblem& problem, std::span<const double> x,
                 const LeastSquaresOptions& options);
  bool is_stationary(double tolerance) const;
  void raise_scale();
  void hold_at_bounds(std::span<const double> x, const LeastSquaresOptions& options);
  bool take_step(std::span<const double> x, const LeastSquaresOptions& options);
  double predicted_fall(double damping) const;
  double predicted_fall() const;

  NormalEquations equations_;
  std::vector<double> scale_;
  std::vector<double> step_;
  std::vector<double> trial_;
};

}  // namespace vieta
