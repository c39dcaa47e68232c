// vieta eval: the value of a formula on every row.

#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/columns.h"
#include "cli/input.h"
#include "cli/model_input.h"
#include "cli/output.h"
#include "cli/values.h"
#include "cli/verbs.h"
#include "fit/bands.h"
#include "report/fitted_model.h"
#include "report/model.h"

namespace vieta::cli {
namespace {

struct Options {
  std::string formula;
  std::string data;
  bool strict = false;
  bool bands = false;
  CommonOptions common;
};

EvalStatus status_of(const std::vector<double>& values) {
  EvalStatus status;
  const auto bad = std::ranges::find_if(values, [](double v) { return !std::isfinite(v); });
  if (bad == values.end()) return status;
  status.ok = false;
  status.first_bad_row = static_cast<std::size_t>(bad - values.begin());
  return status;
}

Result<Expr> formula_over(const Options& options, const Table& table) {
  const std::string path = model_path(options.formula);
  if (path.empty()) return read_formula_over(options.formula, table, options.common);
  const auto model = read_model(path, options.common.definitions);
  if (!model) return std::unexpected(model.error());
  return over_table(model->report.front[model->report.selected].expr, table);
}

Result<int> write_bands(const Options& options, const Table& table) {
  const std::string path = model_path(options.formula);
  if (path.empty()) {
    return fail(ErrorCode::usage,
                "bands need a fitted model: save one with vieta fit --out DIR and give DIR",
                {.source = "--bands"});
  }
  auto fitted = read_fitted_model(path, options.common.definitions);
  if (!fitted) return std::unexpected(fitted.error());
  auto model = over_table(fitted->model, table);
  if (!model) return std::unexpected(model.error());
  fitted->model = std::move(*model);
  const auto columns = used_columns(fitted->model, table);
  if (!columns) return std::unexpected(columns.error());
  const auto all = bands(*fitted, *columns);
  if (!all) return std::unexpected(all.error());
  const EvalStatus status = status_of(all->value);
  write_columns<double>(
      {"value", "confidence_low", "confidence_high", "prediction_low", "prediction_high"},
      {all->value, all->confidence_low, all->confidence_high, all->prediction_low,
       all->prediction_high},
      status, options.common.format);
  return report_status(status, options.strict);
}

Result<int> run(const Options& options) {
  const auto table = read_table(options.data);
  if (!table) return std::unexpected(table.error());
  if (options.bands) return write_bands(options, *table);
  const auto expr = formula_over(options, *table);
  if (!expr) return std::unexpected(expr.error());
  const auto parameters = parameter_values(*expr, options.common.parameters);
  if (!parameters) return std::unexpected(parameters.error());
  return write_values(*expr, *table, *parameters, options.common, options.strict);
}

}  // namespace

void add_eval(CommandLine& line) {
  Verb verb = line.add_verb("eval", "evaluate a formula on every row of a table");
  verb.footer(
      "Example:\n  vieta eval 'x1 + k*cos(x2)' data.csv --param k=1.5\n"
      "  vieta fit 'a*exp(-b*t)' data.csv --target y --out decay && vieta eval decay new.csv "
      "--bands\n");
  auto options = std::make_shared<Options>();
  verb.option("FORMULA", options->formula, "formula, @file, or a saved model: its folder or .json")
      .required();
  verb.option("DATA", options->data, "CSV file with a header (also .gz), or - for standard input")
      .required();
  verb.flag("--strict", options->strict, "exit with 4 if any value is not finite");
  verb.flag("--bands", options->bands,
            "95 % confidence and prediction bands of a model that vieta fit saved");
  options->common.add_to(verb, "csv");
  verb.does([options] { return run(*options); });
}

}  // namespace vieta::cli
