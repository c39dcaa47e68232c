// constant_fitter: fits the constants of one formula after another, for a search. One a thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"
#include "expr/expr.h"
#include "fit/formula_problem.h"
#include "fit/least_squares.h"
#include "fit/projected_fit.h"
#include "fit/separable_pass.h"
#include "fit/structures.h"
#include "fit/variable_projection.h"
#include "kernels/kernel_table.h"

namespace vieta {

/// Keeps its memory from formula to formula: no allocation once the largest was seen. Formulas may
/// have no parameters (InternalError).
class ConstantFitter {
 public:
  /// Solves for constants that enter linearly instead of stepping towards them: fewer passes, and
  /// minima that steps do not reach. In a search of small tables these are often poles between two
  /// rows, so it is off unless asked for.
  void set_projection(bool on) {
    projects_ = on;
    problem_.set_chains(on);
  }

  /// `data` must outlive the fitter.
  ConstantFitter(const FitData& data, kernels::Target target)
      : data_(data),
        problem_(data, target),
        pass_(data, kernels::kernel_table<double>(target_of_steps(target))) {}

  /// Weighted mean of squared residuals; +inf where any that counts is not finite.
  double loss(std::span<const Node> nodes);

  struct Outcome {
    double loss = 0;
    std::uint64_t evaluations = 0;  ///< passes over the data: a value or a Jacobian counts 1
    StopReason stop = StopReason::not_run;
  };
  /// Tunes the constants in place by at most `max_iterations` steps of Levenberg-Marquardt; never
  /// worse than the start. Constants whose entry in `frozen` (one a constant, or empty) is not 0
  /// stay as they are.
  Outcome fit(std::span<Node> nodes, int max_iterations, std::span<const std::uint8_t> frozen = {});

 private:
  // A step need not be exact to the last bit: what is reported is computed with `target`.
  static kernels::Target target_of_steps(kernels::Target target) {
    return target == kernels::best_target() ? kernels::fast_target() : target;
  }
  void set(std::span<const Node> nodes, std::span<const std::uint8_t> frozen);

  bool minimize(double start, int max_iterations, Outcome& outcome);
  bool minimize_projected(int max_iterations, Outcome& outcome);
  LeastSquaresOptions options(int max_iterations) const;
  void split();

  const FitData& data_;
  FormulaProblem problem_;
  LevenbergMarquardt minimizer_;
  VariableProjection projection_;
  SeparablePass pass_;
  ProjectedFit projected_;
  bool projects_ = false;
  Structures structures_;
  Structure* structure_ = nullptr;
  SeparableCoder separable_coder_;
  std::vector<std::uint8_t> linear_;
  std::vector<int> degrees_;
  std::vector<double> uniforms_;
  std::vector<double> x_;
};

}  // namespace vieta
