// vieta predict: values of a saved model on new data.

#include <fmt/format.h>

#include <memory>

#include "cli/choose_entry.h"
#include "cli/columns.h"
#include "cli/input.h"
#include "cli/model_input.h"
#include "cli/output.h"
#include "cli/values.h"
#include "cli/verbs.h"
#include "report/model.h"

namespace vieta::cli {
namespace {

struct Options {
  std::string model;
  std::string data;
  ModelChoice choice;
  bool strict = false;
  CommonOptions common;
};

Result<int> run(const Options& options) {
  const std::string path = model_path(options.model);
  const auto model = read_model(path.empty() ? options.model : path, options.common.definitions);
  if (!model) return std::unexpected(model.error());
  const auto index = choose_entry(*model, options.choice.index, options.choice.complexity);
  if (!index) return std::unexpected(index.error());
  const auto table = read_table(options.data);
  if (!table) return std::unexpected(table.error());
  auto expr = over_table(model->report.front[*index].expr, *table);
  if (!expr) {
    expr.error().place.source = options.data;
    return std::unexpected(expr.error());
  }
  const auto parameters = parameter_values(*expr, options.common.parameters);
  if (!parameters) return std::unexpected(parameters.error());
  return write_values(*expr, *table, *parameters, options.common, options.strict);
}

}  // namespace

void add_predict(CommandLine& line) {
  Verb verb = line.add_verb("predict", "values of a saved model on every row of a table");
  verb.footer("Example:\n  vieta predict run1/model.json new.csv --complexity 6\n");
  auto options = std::make_shared<Options>();
  verb.option("MODEL", options->model,
              "model.json that search or fit wrote with --out, or its folder")
      .required();
  verb.option("DATA", options->data,
              "CSV file with the model's columns, in any order, or - for standard input")
      .required();
  options->choice.add_to(verb);
  verb.flag("--strict", options->strict, "exit with 4 if any value is not finite");
  options->common.add_to(verb, "csv");
  verb.does([options] { return run(*options); });
}

}  // namespace vieta::cli
