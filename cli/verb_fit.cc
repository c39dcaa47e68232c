// vieta fit: the parameters of a formula, with their uncertainty.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/columns.h"
#include "cli/fit_options.h"
#include "cli/input.h"
#include "cli/loss.h"
#include "cli/output.h"
#include "cli/run_folder.h"
#include "cli/verbs.h"
#include "fit/fit.h"
#include "report/fit_text.h"
#include "report/fitted_model.h"

namespace vieta::cli {
namespace {

struct Options {
  std::string formula;
  std::string data;
  std::string target;
  std::string inputs;
  std::vector<std::string> start;
  std::vector<std::string> fixed;
  std::vector<std::string> bounds;
  std::vector<std::string> ties;
  bool profile = false;
  std::string loss = "l2";
  std::string weights;
  std::string sigma;
  std::string tune = "automatic";
  std::uint64_t seed = 1;
  int max_iterations = FitOptions{}.max_iterations;
  std::string out;
  CommonOptions common;
};

Result<FitOptions> fit_options(const Options& options) {
  FitOptions fit;
  const auto start = read_assignments(options.start, "--start");
  if (!start) return std::unexpected(start.error());
  for (const auto& [name, value] : *start) fit.start[name] = value;
  const auto fixed = read_assignments(options.fixed, "--fix");
  if (!fixed) return std::unexpected(fixed.error());
  for (const auto& [name, value] : *fixed) fit.fixed[name] = value;
  auto bounds = read_bounds(options.bounds);
  if (!bounds) return std::unexpected(bounds.error());
  fit.bounds = std::move(*bounds);
  auto ties = read_ties(options.ties);
  if (!ties) return std::unexpected(ties.error());
  fit.tied = std::move(*ties);
  fit.profile = options.profile;
  fit.max_iterations = options.max_iterations;
  if (options.tune == "parameters") fit.tune = Tune::parameters;
  if (options.tune == "constants") fit.tune = Tune::constants;
  if (options.tune == "all") fit.tune = Tune::all;
  fit.absolute_sigma = !options.sigma.empty();
  fit.seed = options.seed;
  return fit;
}

// Weights, or 1/sigma^2; empty for neither.
Result<std::vector<double>> read_weights(const Options& options, const Table& table) {
  if (!options.weights.empty() && !options.sigma.empty()) {
    return fail(ErrorCode::usage,
                "--weights and --sigma say the same thing twice: give one of them");
  }
  std::vector<double> weights;
  const std::string& name = options.weights.empty() ? options.sigma : options.weights;
  if (name.empty()) return weights;
  const auto column = find_column(table, name, options.weights.empty() ? "--sigma" : "--weights");
  if (!column) return std::unexpected(column.error());
  const auto values = table.column(*column);
  weights.assign(values.begin(), values.end());
  if (options.sigma.empty()) return weights;
  for (std::size_t r = 0; r < weights.size(); ++r) {
    if (!(weights[r] > 0)) {
      return fail(
          ErrorCode::data,
          fmt::format("sigma is {} in column '{}': a measurement error is a positive number",
                      weights[r], name),
          {.source = options.data, .row = r + 2});
    }
    weights[r] = 1 / (weights[r] * weights[r]);
  }
  return weights;
}

// The target explained by itself is hardly meant.
Result<void> check_inputs(const Expr& expr, const Table& table, const Target& target,
                          const std::vector<std::string>& inputs) {
  for (std::size_t c = 0; c < table.columns(); ++c) {
    if (!target.uses[c] || !expr.uses_variable(c)) continue;
    if (std::ranges::find(inputs, table.name(c)) != inputs.end()) continue;
    return fail(ErrorCode::usage,
                fmt::format("the formula uses '{0}', which the target is made of: name it with "
                            "--inputs if that is meant",
                            table.name(c)),
                {.source = "formula"});
  }
  return {};
}

Result<FitReport> fit_table(const Options& options, const Table& table) {
  const auto parsed = read_formula_over(options.formula, table, options.common);
  if (!parsed) return std::unexpected(parsed.error());
  // Values given with --param are no unknowns.
  const auto expr = with_values_put_in(*parsed, options.common.parameters);
  if (!expr) return std::unexpected(expr.error());
  const auto target = read_target(table, options.target, options.common.definitions, {});
  if (!target) return std::unexpected(target.error());
  const auto inputs = check_inputs(*expr, table, *target, split_names(options.inputs));
  if (!inputs) return std::unexpected(inputs.error());
  const auto weights = read_weights(options, table);
  if (!weights) return std::unexpected(weights.error());
  const auto columns = used_columns(*expr, table);
  if (!columns) return std::unexpected(columns.error());
  const auto settings = fit_options(options);
  if (!settings) return std::unexpected(settings.error());
  const auto loss = read_loss(options.loss, options.common);
  if (!loss) return std::unexpected(loss.error());
  return fit(*expr, {*columns, target->values, *weights, *loss}, *settings);
}

Result<int> run(const Options& options) {
  if (options.common.single()) write_note("note: --dtype f32: fits are computed in f64");
  const auto table = read_table(options.data);
  if (!table) return std::unexpected(table.error());
  const RunFolder folder(options.out);
  if (auto created = folder.create(); !created) return std::unexpected(created.error());
  const auto report = fit_table(options, *table);
  if (!report) return in_table(report.error(), options.data);
  for (const std::string& warning : report->warnings) write_note("warning: " + warning);
  const std::string& format = options.common.format;
  write_out(format == "json"  ? fit_json(*report).dump(1) + "\n"
            : format == "csv" ? fit_csv(*report)
                              : fit_text(*report));
  if (!options.out.empty()) {
    const auto saved = write_fitted_model(options.out + "/model.json", *report, options.target,
                                          options.common.definitions);
    if (!saved) return std::unexpected(saved.error());
  }
  return 0;
}

}  // namespace

void add_fit(CommandLine& line) {
  Verb verb = line.add_verb("fit", "fit the parameters of a formula to a table");
  verb.footer(
      "Names that are no columns are the parameters.\nExample:\n  vieta fit 'a*exp(-b*t) + c' "
      "data.csv --target y --start a=1,b=0.5\n"
      "  vieta fit 'exp(a + b*x)' counts.csv --target n --loss poisson --profile\n");
  auto options = std::make_shared<Options>();
  verb.option("FORMULA", options->formula, "formula, or @file").required();
  verb.option("DATA", options->data, "CSV file with a header (also .gz), or - for standard input")
      .required();
  verb.option("--target", options->target, "column to fit, or a formula of columns").required();
  verb.option("--inputs", options->inputs,
              "columns of the target that the formula may use all the same, as in a,b");
  verb.option("--start", options->start, "start values, as in a=1,b=2 (default: found by trying)")
      .repeatable();
  const auto repeated = [&](const char* flag, std::vector<std::string>& values, const char* help) {
    verb.option(flag, values, help).repeatable();
  };
  repeated("--fix", options->fixed, "values of parameters that are not fitted, as in c=1");
  repeated("--bounds", options->bounds, "where parameters may be, as in a=0:1,b=0:");
  repeated("--tie", options->ties,
           "a parameter as a formula of others, as in 'b=2*a' (repeatable)");
  verb.option("--loss", options->loss, kLossHelp).show_default();
  verb.flag("--profile", options->profile,
            "95 % intervals from the likelihood too, each end by refitting all others");
  verb.option("--weights", options->weights, "column of relative weights");
  verb.option("--sigma", options->sigma,
              "column of measurement errors: standard errors are then not scaled by the residuals");
  verb.option("--tune", options->tune,
              "what is fitted; automatic: the parameters if there are any, else the numbers")
      .one_of({"automatic", "parameters", "constants", "all"})
      .show_default();
  verb.option("--seed", options->seed, "of the starts that are tried")
      .not_negative()
      .show_default();
  verb.option("--max-iterations", options->max_iterations, "steps from the best start")
      .positive()
      .show_default();
  verb.option("--out", options->out,
              "folder for model.json, which eval --bands, predict and export read");
  options->common.add_to(verb, "text");
  verb.does([options] { return run(*options); });
}

}  // namespace vieta::cli
