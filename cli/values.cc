#include "cli/values.h"

#include "base/task_pool.h"
#include "cli/columns.h"
#include "cli/output.h"
#include "eval/evaluate.h"
#include "expr/operators.h"

namespace vieta::cli {
namespace {

template <class T>
Result<int> write(const Expr& expr, const Evaluation<T>& result, const CommonOptions& common,
                  bool strict) {
  write_columns<T>({"value"}, {std::span<const T>(result.values)}, result.status, common.format);
  if (auto ended = check_ended(expr, result.status); !ended) return std::unexpected(ended.error());
  return report_status(result.status, strict);
}

}  // namespace

Result<void> check_ended(const Expr& expr, const EvalStatus& status) {
  const std::string fault = status.ok ? "" : unfinished_calls(expr);
  if (fault.empty()) return {};
  return fail(ErrorCode::numeric,
              fault +
                  ": does it end for these arguments? The first row without a value is data row " +
                  std::to_string(status.first_bad_row + 1),
              {.source = "formula"});
}

Result<int> write_values(const Expr& expr, const Table& table, std::span<const double> parameters,
                         const CommonOptions& common, bool strict) {
  TaskPool pool(common.threads);
  const EvalOptions options{.stable_composites = !common.as_written, .pool = &pool};
  if (common.single()) {
    const auto columns = used_float_columns(expr, table);
    if (!columns) return std::unexpected(columns.error());
    return write(expr, evaluate<float>(expr, columns->view, parameters, {}, 0, options), common,
                 strict);
  }
  const auto columns = used_columns(expr, table);
  if (!columns) return std::unexpected(columns.error());
  return write(expr, evaluate<double>(expr, *columns, parameters, {}, 0, options), common, strict);
}

}  // namespace vieta::cli
