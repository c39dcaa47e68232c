// search: symbolic regression. Formulas evolve on islands, their constants are fitted by
// Levenberg-Marquardt, and the best of every complexity forms the front.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/result.h"
#include "base/task_pool.h"
#include "expr/expr.h"
#include "expr/operators.h"
#include "fit/constant_fitter.h"
#include "kernels/kernel_table.h"

namespace vieta {

struct SearchOptions {
#define VIETA_OPTION(type, name, default_value, flag, help) type name = default_value;
#include "search/options.def"
#undef VIETA_OPTION
  /// The user's operators that `operators` may name; each counts 1 in complexity. One that is a
  /// function (recursive, or not to be written as a formula) is called row by row.
  Operators defined = {};
  /// For the evolution. Whatever it is, the front is fitted and judged by the exact target.
  kernels::Target target = kernels::fast_target();
};

/// One formula of the front.
struct FrontEntry {
  Expr expr;
  std::size_t complexity = 0;
  double loss = 0;   ///< weighted mean of squared residuals
  double r2 = 0;     ///< 1 - loss / weighted variance of the target; NaN for a constant target
  double score = 0;  ///< -d log(loss) / d complexity against the entry before; 0 for the first
};

/// What a search found, and how it ended.
struct SearchReport {
  std::vector<FrontEntry> front;  ///< complexity rising, loss strictly falling
  /// The entry to report if only one is wanted: the one of least description length (see
  /// docs/decisions/0003).
  std::size_t selected = 0;
  std::uint64_t n_evaluations = 0;  ///< passes over the data: a value or a Jacobian counts 1
  double seconds = 0;
  StopReason stop_reason = StopReason::not_run;
  std::uint64_t seed = 0;
};

/// How far a running search is. `front` is unpolished.
struct SearchProgress {
  std::uint64_t n_evaluations = 0;
  double seconds = 0;
  double best_loss = 0;
  const std::vector<FrontEntry>* front = nullptr;
};

/// Searches for formulas of `data.target` over the columns `data.x`, which `variables` names in
/// order. `progress` (may be empty) is called from the calling thread between epochs. With a budget
/// in evaluations alone the report depends only on data, options and budget, to the last bit,
/// whatever `pool` is. Errors (usage): unknown operator, no operator, a size limit below 1; (data):
/// no rows, a target or column that is not finite.
Result<SearchReport> run_search(const FitData& data, const std::vector<std::string>& variables,
                                const SearchOptions& options, const Budget& budget, TaskPool& pool,
                                const std::function<void(const SearchProgress&)>& progress = {});

/// Evaluations a search may use when neither evaluations nor seconds are given.
inline constexpr std::uint64_t kDefaultEvaluations = 2'000'000;

}  // namespace vieta
