// vieta eval: the value of a formula on every row.

#include <memory>

#include "cli/input.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "data/csv.h"

namespace vieta::cli {
namespace {

struct Options {
  std::string formula;
  std::string data;
  bool strict = false;
  CommonOptions common;
};

template <class T>
int print_values(const Evaluation<T>& result, const Options& options) {
  if (!write_columns<T>({"value"}, {std::span<const T>(result.values)}, result.status,
                        options.common.format))
    return 0;
  return report_status(result.status, options.strict);
}

Result<int> run(const Options& options) {
  const auto text = formula_text(options.formula);
  if (!text) return std::unexpected(text.error());
  const auto definitions = read_definitions(options.common.definitions);
  if (!definitions) return std::unexpected(definitions.error());
  const auto table = read_csv(options.data, {});
  if (!table) return std::unexpected(table.error());
  const auto expr = parse_over(*table, *text, *definitions);
  if (!expr) return std::unexpected(expr.error());
  const auto parameters = parameter_values(*expr, options.common.parameters);
  if (!parameters) return std::unexpected(parameters.error());
  TaskPool pool(options.common.threads);
  if (options.common.single()) {
    const auto columns = used_float_columns(*expr, *table);
    if (!columns) return std::unexpected(columns.error());
    return print_values(evaluate<float>(*expr, columns->view, *parameters, {}, 0, {.pool = &pool}),
                        options);
  }
  const auto columns = used_columns(*expr, *table);
  if (!columns) return std::unexpected(columns.error());
  return print_values(evaluate<double>(*expr, *columns, *parameters, {}, 0, {.pool = &pool}),
                      options);
}

}  // namespace

void add_eval(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("eval", "evaluate a formula on every row of a table");
  verb->footer("Example:\n  vieta eval 'x1 + k*cos(x2)' data.csv --param k=1.5");
  auto options = std::make_shared<Options>();
  verb->add_option("FORMULA", options->formula, "formula, or @file")->required();
  verb->add_option("DATA", options->data,
                   "CSV file with a header (also .gz), or - for standard input")
      ->required();
  verb->add_flag("--strict", options->strict, "exit with 4 if any value is not finite");
  options->common.add_to(*verb, "csv", {"csv", "json", "text"});
  verb->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace vieta::cli
