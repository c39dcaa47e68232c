// vieta export: a formula for other systems.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/choose_entry.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "report/export.h"
#include "report/model.h"

namespace vieta::cli {
namespace {

struct Options {
  std::string source;
  std::string language;
  std::string inputs;
  std::optional<std::size_t> index;
  std::optional<std::size_t> complexity;
  CommonOptions common;
};

Result<Expr> read_source(const Options& options) {
  if (options.source.ends_with(".json")) {
    const auto model = read_model(options.source);
    if (!model) return std::unexpected(model.error());
    const auto index = choose_entry(*model, options.index, options.complexity);
    if (!index) return std::unexpected(index.error());
    return with_values_put_in(model->report.front[*index].expr, options.common.parameters);
  }
  if (options.index || options.complexity) {
    return fail(ErrorCode::usage, "a formula has no front to choose from: wanted a model.json",
                {.source = options.index ? "--index" : "--complexity"});
  }
  return read_formula(options.source, split_names(options.inputs), options.common);
}

Result<int> run(const Options& options) {
  const auto expr = read_source(options);
  if (!expr) return std::unexpected(expr.error());
  const std::string& format = options.common.format;
  if (options.language != "latex") {
    for (const std::string& name : functions_to_supply(*expr))
      write_note("note: '" + name +
                 "' is no formula: the text calls a function of that name, to be supplied");
  }
  if (options.language == "json") {
    write_named_text("json", export_json(*expr), format);
    return 0;
  }
  const ExportLanguage language = *export_language(options.language);
  if (language == ExportLanguage::c) {
    write_named_text("c", export_c_function(*expr), format);
    return 0;
  }
  write_named_text(options.language, export_expression(*expr, language), format);
  for (const std::string& change : changed_names(*expr, language)) write_note("name: " + change);
  return 0;
}

}  // namespace

void add_export(CommandLine& line) {
  Verb verb = line.add_verb("export", "write a formula for another system");
  verb.footer(
      "Example:\n  vieta export run1/model.json --to latex\n  vieta export 'a*exp(-b*t)' --to c "
      "--inputs t\n");
  auto options = std::make_shared<Options>();
  verb.option("MODEL|FORMULA", options->source, "model.json, a formula, or @file").required();
  verb.option("--to", options->language, "what to write")
      .required()
      .one_of({"latex", "sympy", "numpy", "c", "julia", "json"});
  verb.option("--index", options->index,
              "formula of the model's front, from 0 (default: the selected one)")
      .not_negative();
  verb.option("--complexity", options->complexity,
              "formula of the model's front with this complexity")
      .not_negative();
  verb.option("--inputs", options->inputs,
              "names of a formula that are columns; the others are parameters");
  options->common.add_to(verb, "text");
  verb.does([options] { return run(*options); });
}

}  // namespace vieta::cli
