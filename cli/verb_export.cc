// vieta export: a formula for other systems.

#include <fmt/format.h>

#include <memory>

#include "cli/input.h"
#include "cli/model_input.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "report/export.h"

namespace vieta::cli {
namespace {

struct Options {
  std::string source;
  std::string language;
  std::string inputs;
  ModelChoice choice;
  CommonOptions common;
};

Result<int> run(const Options& options) {
  const auto chosen = read_model_or_formula(options.source, options.choice,
                                            split_names(options.inputs), options.common);
  if (!chosen) return std::unexpected(chosen.error());
  const Expr* const expr = &chosen->expr;
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
  verb.option("MODEL|FORMULA", options->source, "model.json or its folder, a formula, or @file")
      .required();
  verb.option("--to", options->language, "what to write")
      .required()
      .one_of({"latex", "sympy", "numpy", "c", "julia", "json"});
  options->choice.add_to(verb);
  verb.option("--inputs", options->inputs,
              "names of a formula that are columns; the others are parameters");
  options->common.add_to(verb, "text");
  verb.does([options] { return run(*options); });
}

}  // namespace vieta::cli
