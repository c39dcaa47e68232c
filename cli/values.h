// values: a formula's value on every row of a table, as eval and predict print it.
#pragma once

#include <span>

#include "base/result.h"
#include "cli/input.h"
#include "data/table.h"
#include "eval/tile_run.h"
#include "expr/expr.h"

namespace vieta::cli {

/// Computes in the type and on the threads asked for, and prints. The verb's exit code: 4 if
/// `strict` and a value is not finite.
Result<int> write_values(const Expr& expr, const Table& table, std::span<const double> parameters,
                         const CommonOptions& common, bool strict);

/// Error (numeric): an operator of the user's took more steps than it may, on a row that now has no
/// value.
Result<void> check_ended(const Expr& expr, const EvalStatus& status);

}  // namespace vieta::cli
