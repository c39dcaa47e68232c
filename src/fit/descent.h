// descent: from the starts of a fit down to its minimum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/budget.h"
#include "fit/fit_input.h"
#include "fit/formula_problem.h"
#include "fit/least_squares.h"
#include "fit/variable_projection.h"

namespace vieta {

struct Minimum {
  std::vector<double> x;  ///< empty: the loss was finite at no start
  double cost = std::numeric_limits<double>::infinity();
  StopReason stop_reason = StopReason::not_run;
  int iterations = 0;      ///< of the way down from the best start
  std::size_t starts = 0;  ///< that were tried
};

/// One search for the least cost, any loss.
class Descent {
 public:
  /// `problem` is set to the formula of `input`, and left there. All must outlive the use.
  Descent(const FitInput& input, FormulaProblem& problem, LevenbergMarquardt& minimizer);

  Minimum run();

 private:
  LeastSquaresOptions bounded(int max_iterations) const;
  LeastSquaresReport descend(std::span<double> x, int max_iterations);
  void scout_all();
  void scout(std::vector<double> x);
  void try_projected();
  void refine();
  std::vector<std::uint8_t> linear_unknowns() const;
  void project(std::vector<double>& x, std::span<const std::uint8_t> linear, int iterations);

  const FitInput& input_;
  FormulaProblem& problem_;
  LevenbergMarquardt& minimizer_;
  VariableProjection projection_;
  Minimum best_;
};

}  // namespace vieta
