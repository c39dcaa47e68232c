// fit: the constants and parameters of one formula, with their uncertainty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "base/result.h"
#include "expr/diff.h"
#include "expr/expr.h"
#include "fit/formula_problem.h"
#include "kernels/kernel_table.h"

namespace vieta {

/// What is tuned. `automatic`: the parameters if the formula has any (its numbers are then exact),
/// else the numbers.
enum class Tune { automatic, parameters, constants, all };

/// Where an unknown may be.
struct Bounds {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

/// Names are those of parameters, or c1, c2, ... for the numbers of the formula from the left.
struct FitOptions {
  Tune tune = Tune::automatic;
  /// Start values. Parameters without one start from several places that the data suggest, numbers
  /// from where they stand.
  std::map<std::string, double> start = {};
  /// Not fitted: they have these values.
  std::map<std::string, double> fixed = {};
  std::map<std::string, Bounds> bounds = {};
  /// Parameters that are a formula of the others, as in b = "2*a"; names that are new in it are
  /// parameters too.
  std::map<std::string, std::string> tied = {};
  /// FitData::weights are 1/sigma^2 of known measurement errors: standard errors are then not
  /// scaled by the residuals.
  bool absolute_sigma = false;
  /// Intervals from the likelihood itself besides those from the standard errors; l2 and deviances.
  bool profile = false;
  int max_iterations = 1000;
  std::uint64_t seed = 1;  ///< of the starts that are tried
  kernels::Target target = kernels::best_target();
};

/// One fitted number.
struct Estimate {
  std::string name;
  double value = 0;
  double std_error = 0;  ///< NaN if the data do not determine it, or it is at a bound
  double ci95_low = 0;   ///< Student's t with dof degrees of freedom; deviances: normal
  double ci95_high = 0;
  /// Where the likelihood falls to that of a 95 % interval, all others refitted (Venzon,
  /// Moolgavkar, Appl. Stat. 37, 1988); infinite where it never does; NaN unless asked for.
  double profile95_low = std::numeric_limits<double>::quiet_NaN();
  double profile95_high = std::numeric_limits<double>::quiet_NaN();
};

struct FitReport {
  std::vector<Estimate> estimates;
  std::vector<Estimate> tied;  ///< errors by propagation
  std::vector<std::pair<std::string, double>> fixed;
  std::vector<double> covariance;   ///< estimates x estimates, row by row
  std::vector<double> correlation;  ///< likewise
  std::string loss_name;            ///< as parse_loss reads it
  LossFamily family = LossFamily::squares;
  double loss = 0;       ///< weighted mean of the loss
  double rss = 0;        ///< weighted sum of squared residuals, whatever the loss
  std::size_t rows = 0;  ///< that count: weight above 0
  std::size_t dof = 0;  ///< rows that count less determined estimates, 0 if there are more of these
  double r2 = 0;  ///< 1 - rss / weighted sum of squares about the mean; NaN for a constant target
  double residual_sd = 0;  ///< sqrt(rss / dof); NaN for dof 0
  /// From the log-likelihood without terms that are the same for every formula: n ln(rss/n) for l2,
  /// the deviance, 2n ln(loss) for l1 and quantiles; NaN for losses that are no likelihood.
  double aic = 0;
  double bic = 0;
  double description_length = 0;  ///< nats, see description_length(); comparable for one table
  bool absolute_sigma = false;
  std::uint64_t n_evaluations = 0;  ///< passes over the data: a value or a linearisation counts 1
  int n_iterations = 0;             ///< of the start that won
  std::size_t n_starts = 0;         ///< starts tried
  StopReason stop_reason = StopReason::not_run;
  Expr formula;              ///< with the estimates put in for parameters and numbers
  Expr model;                ///< the formula fitted: its parameters are the estimates and `fixed`
  std::vector<Leaf> leaves;  ///< of `model`: the estimates
  std::vector<double> parameters;  ///< values of the model's parameters
  std::vector<std::string> warnings;
};

/// The unknowns of `expr` that make the loss of `data` least. Covariances are, for l2, the inverse
/// of J^T J times the residual variance; for deviances the inverse of the observed information; for
/// other losses the sandwich estimate (Huber 1967), with the kernel estimate of Powell (1991) for
/// l1 and quantiles.
///
/// Errors: (usage) nothing to tune, a name that is not fitted, bounds that cross, ties that do not
/// parse or run in a circle; (numeric) no start has a finite loss, with what was tried; (data) no
/// row counts, a target that is not finite or outside what the loss takes.
Result<FitReport> fit(const Expr& expr, const FitData& data, const FitOptions& options = {});

}  // namespace vieta
