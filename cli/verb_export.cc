// vieta export: a formula for other systems.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/choose_entry.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "expr/print.h"
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
    return model->report.front[*index].expr;
  }
  const auto text = formula_text(options.source);
  if (!text) return std::unexpected(text.error());
  const auto definitions = read_definitions(options.common.definitions);
  if (!definitions) return std::unexpected(definitions.error());
  return parse_alone(*text, split_names(options.inputs), *definitions);
}

std::string as_json(const Expr& expr) {
  nlohmann::ordered_json json;
  json["format"] = "vieta formula";
  json["version"] = 1;
  json["formula"] = print(expr);
  json["complexity"] = expr.complexity();
  json["variables"] = expr.symbols().variables;
  json["parameters"] = expr.symbols().parameters;
  json["postfix"] = nlohmann::ordered_json::array();
  for (const Node& node : expr.nodes()) {
    switch (node.kind) {
      case NodeKind::variable:
        json["postfix"].push_back({{"variable", expr.symbols().variables[node.index]}});
        break;
      case NodeKind::parameter:
        json["postfix"].push_back({{"parameter", expr.symbols().parameters[node.index]}});
        break;
      case NodeKind::constant:
        json["postfix"].push_back({{"constant", node.value}});
        break;
      case NodeKind::call:
        json["postfix"].push_back({{"call", info(node.op).name}, {"arity", node.arity()}});
        break;
    }
  }
  return json.dump(1) + "\n";
}

Result<int> run(const Options& options) {
  const auto expr = read_source(options);
  if (!expr) return std::unexpected(expr.error());
  if (options.language == "json") {
    write_out(as_json(*expr));
  } else if (options.language == "c") {
    write_out(export_c_function(*expr));
  } else {
    write_out(export_expression(*expr, *export_language(options.language)) + "\n");
  }
  return 0;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("export", "write a formula for another system");
  verb->footer(
      "Example:\n  vieta export run1/model.json --to latex\n  vieta export 'a*exp(-b*t)' --to c "
      "--inputs t");
  auto options = std::make_shared<Options>();
  verb->add_option("MODEL|FORMULA", options->source, "model.json, a formula, or @file")->required();
  verb->add_option("--to", options->language, "what to write")
      ->required()
      ->check(CLI::IsMember({"latex", "sympy", "numpy", "c", "julia", "json"}));
  verb->add_option("--index", options->index,
                   "formula of the model's front, from 0 (default: the selected one)");
  verb->add_option("--complexity", options->complexity,
                   "formula of the model's front with this complexity");
  verb->add_option("--inputs", options->inputs,
                   "names of a formula that are columns; the others are parameters");
  options->common.add_to(*verb, "text", {"text"});
  verb->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace vieta::cli
