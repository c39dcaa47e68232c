// kinked_fit: losses with a kink where prediction and target meet (l1, quantile).
#pragma once

#include <functional>
#include <span>

#include "fit/formula_problem.h"
#include "fit/least_squares.h"
#include "fit/uncertainty.h"

namespace vieta {

/// Minimises a loss with a kink: the kink rounded, less and less, each time from where the last one
/// ended (the steps are those of the majorisation of Hunter and Lange, J. Comput. Graph. Stat. 9,
/// 2000). The least value usually lies where as many rows as there are unknowns are met exactly;
/// they are then solved for, and the point is kept if its loss, not rounded, is less. `end_at`
/// gives values and Jacobian at a point. The cost in the report is that of the loss as it is.
LeastSquaresReport minimize_kinked(LevenbergMarquardt& minimizer, FormulaProblem& problem,
                                   const FitData& data, std::span<double> x,
                                   const LeastSquaresOptions& options,
                                   const std::function<FitEnd(std::span<const double>)>& end_at);

}  // namespace vieta
