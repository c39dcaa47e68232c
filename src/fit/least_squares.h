// least_squares: Levenberg-Marquardt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/budget.h"
#include "fit/normal_equations.h"

namespace vieta {

/// A sum of squared residuals as a function of unknowns.
class LeastSquaresProblem {
 public:
  virtual ~LeastSquaresProblem() = default;
  virtual std::size_t unknowns() const = 0;
  /// The sum of squares at x; +inf where any residual that counts is not finite.
  virtual double cost(std::span<const double> x) = 0;
  /// The sum of squares with its gradient and Gauss-Newton matrix. False if any of them is not
  /// finite.
  virtual bool linearize(std::span<const double> x, NormalEquations& equations) = 0;
};

struct LeastSquaresOptions {
  int max_iterations = 200;
  /// Stop when a step lowers the cost by less than this fraction, as predicted and in fact.
  double cost_tolerance = 1e-14;
  /// Stop when no residual direction is seen by any unknown: largest cosine between r and a column
  /// of J.
  double gradient_tolerance = 1e-12;
};

struct LeastSquaresReport {
  double cost = std::numeric_limits<double>::infinity();
  StopReason stop_reason = StopReason::not_run;
  int iterations = 0;
  std::uint64_t evaluations = 0;  ///< costs and linearisations
};

/// Minimises by the method of Levenberg (1944) and Marquardt (1963) with the damping rule of
/// Nielsen (IMM-REP-1999-05, eq. 2.21) and Marquardt's scaling, kept from shrinking as Moré (1978)
/// does. Keeps its memory: no allocation once the largest problem was seen. Not shared between
/// threads.
class LevenbergMarquardt {
 public:
  /// Improves x in place. Never returns a worse point than the start; a step whose cost is not
  /// finite is refused and the damping raised. An unknown without influence stays where it is.
  LeastSquaresReport minimize(LeastSquaresProblem& problem, std::span<double> x,
                              const LeastSquaresOptions& options = {});

 private:
  bool is_stationary(double tolerance) const;
  void raise_scale();
  double predicted_fall(double damping) const;

  NormalEquations equations_;
  std::vector<double> scale_;
  std::vector<double> step_;
  std::vector<double> trial_;
};

}  // namespace vieta
