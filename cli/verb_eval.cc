// vieta eval: the value of a formula on every row.

#include <memory>

#include "cli/columns.h"
#include "cli/input.h"
#include "cli/values.h"
#include "cli/verbs.h"

namespace vieta::cli {
namespace {

struct Options {
  std::string formula;
  std::string data;
  bool strict = false;
  CommonOptions common;
};

Result<int> run(const Options& options) {
  const auto table = read_table(options.data);
  if (!table) return std::unexpected(table.error());
  const auto expr = read_formula_over(options.formula, *table, options.common);
  if (!expr) return std::unexpected(expr.error());
  const auto parameters = parameter_values(*expr, options.common.parameters);
  if (!parameters) return std::unexpected(parameters.error());
  return write_values(*expr, *table, *parameters, options.common, options.strict);
}

}  // namespace

void add_eval(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("eval", "evaluate a formula on every row of a table");
  verb->footer("Example:\n  vieta eval 'x1 + k*cos(x2)' data.csv --param k=1.5\n");
  auto options = std::make_shared<Options>();
  verb->add_option("FORMULA", options->formula, "formula, or @file")->required();
  verb->add_option("DATA", options->data,
                   "CSV file with a header (also .gz), or - for standard input")
      ->required();
  verb->add_flag("--strict", options->strict, "exit with 4 if any value is not finite");
  options->common.add_to(*verb, "csv");
  verb->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace vieta::cli
