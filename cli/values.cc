#include "cli/values.h"

#include "base/task_pool.h"
#include "cli/columns.h"
#include "cli/output.h"
#include "eval/evaluate.h"

namespace vieta::cli {
namespace {

template <class T>
int write(const Evaluation<T>& result, const CommonOptions& common, bool strict) {
  write_columns<T>({"value"}, {std::span<const T>(result.values)}, result.status, common.format);
  return report_status(result.status, strict);
}

}  // namespace

Result<int> write_values(const Expr& expr, const Table& table, std::span<const double> parameters,
                         const CommonOptions& common, bool strict) {
  TaskPool pool(common.threads);
  const EvalOptions options{.stable_composites = !common.as_written, .pool = &pool};
  if (common.single()) {
    const auto columns = used_float_columns(expr, table);
    if (!columns) return std::unexpected(columns.error());
    return write(evaluate<float>(expr, columns->view, parameters, {}, 0, options), common, strict);
  }
  const auto columns = used_columns(expr, table);
  if (!columns) return std::unexpected(columns.error());
  return write(evaluate<double>(expr, *columns, parameters, {}, 0, options), common, strict);
}

}  // namespace vieta::cli
