// batch: many formulas fitted to one table in one call.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/result.h"
#include "base/task_pool.h"
#include "expr/expr.h"
#include "fit/row_loss.h"
#include "kernels/kernel_table.h"

namespace vieta {

struct BatchOptions {
  int max_iterations = 50;
  kernels::Target target = kernels::best_target();
};

/// One formula of a batch, fitted.
struct BatchFit {
  std::vector<double> constants;  ///< of the formula, from left to right
  double loss = 0;                ///< weighted mean; +inf where no row of it is finite
  std::uint64_t n_evaluations = 0;
  StopReason stop_reason = StopReason::not_run;
};

/// Fits the constants of every formula, each from where they stand, by Levenberg and Marquardt;
/// those that enter linearly by variable projection. Formulas are shared out over the pool; the
/// result does not depend on it, to the last bit. One fitter a thread keeps its memory from formula
/// to formula. Errors (usage): a formula with a parameter or over other columns than the data's,
/// with its number.
Result<std::vector<BatchFit>> fit_batch(std::span<const Expr> formulas, const FitData& data,
                                        TaskPool& pool, const BatchOptions& options = {});

}  // namespace vieta
