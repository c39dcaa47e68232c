// fit: the constants and parameters of one formula, with their uncertainty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/result.h"
#include "expr/expr.h"
#include "fit/formula_problem.h"
#include "kernels/kernel_table.h"

namespace vieta {

/// What is tuned. `automatic`: the parameters if the formula has any (its numbers are then exact),
/// else the numbers.
enum class Tune { automatic, parameters, constants, all };

struct FitOptions {
  Tune tune = Tune::automatic;
  /// Start values by name: parameters, or c1, c2, ... for numbers. Parameters without one start
  /// from several places, numbers from where they stand.
  std::map<std::string, double> start = {};
  /// FitData::weights are 1/sigma^2 of known measurement errors: standard errors are then not
  /// scaled by the residuals.
  bool absolute_sigma = false;
  int max_iterations = 1000;
  std::uint64_t seed = 1;  ///< of the starts that are tried
  kernels::Target target = kernels::best_target();
};

/// One fitted number.
struct Estimate {
  std::string name;
  double value = 0;
  double std_error = 0;  ///< NaN if the data do not determine it
  double ci95_low = 0;   ///< Student's t with dof degrees of freedom
  double ci95_high = 0;
};

struct FitReport {
  std::vector<Estimate> estimates;
  std::vector<double> covariance;   ///< estimates x estimates, row by row
  std::vector<double> correlation;  ///< likewise
  double loss = 0;                  ///< weighted mean of squared residuals
  double rss = 0;                   ///< weighted sum of squared residuals
  std::size_t rows = 0;             ///< that count: weight above 0
  std::size_t dof = 0;  ///< rows that count less determined estimates, 0 if there are more of these
  double residual_sd = 0;  ///< sqrt(rss / dof); NaN for dof 0
  double aic = 0;          ///< Gaussian residuals, variance estimated
  double bic = 0;
  std::uint64_t n_evaluations = 0;
  int n_iterations = 0;      ///< of the start that won
  std::size_t n_starts = 0;  ///< starts tried
  StopReason stop_reason = StopReason::not_run;
  Expr formula;  ///< with the estimates put in for parameters and numbers
  std::vector<std::string> warnings;
};

/// Least squares. Errors: (usage) nothing to tune, a start for a name that is not tuned; (numeric)
/// no start has a finite loss, with what was tried; (data) no row counts, a target that is not
/// finite.
Result<FitReport> fit(const Expr& expr, const FitData& data, const FitOptions& options = {});

}  // namespace vieta
