// vieta show: how Vieta reads a formula.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "expr/print.h"
#include "program/lower.h"

namespace vieta::cli {
namespace {

struct Options {
  std::string formula;
  std::string inputs;
  CommonOptions common;
};

std::string as_text(const Expr& expr) {
  const Symbols& symbols = expr.symbols();
  std::string text = fmt::format("formula     {}\ncomplexity  {}\ndepth       {}\n", print(expr),
                                 expr.complexity(), expr.depth());
  if (!symbols.variables.empty())
    text += fmt::format("variables   {}\n", fmt::join(symbols.variables, ", "));
  if (!symbols.parameters.empty())
    text += fmt::format("parameters  {}\n", fmt::join(symbols.parameters, ", "));
  std::size_t number = 0;
  for (const double c : expr.constants()) {
    text +=
        fmt::format("{}c{} = {}", number == 0 ? "constants   " : ", ", number + 1, number_text(c));
    ++number;
  }
  if (number > 0) text += "\n";
  return text + "program\n" + disassemble(lower(expr), symbols.variables, symbols.parameters);
}

std::string as_json(const Expr& expr) {
  nlohmann::ordered_json json;
  json["formula"] = print(expr);
  json["complexity"] = expr.complexity();
  json["depth"] = expr.depth();
  json["variables"] = expr.symbols().variables;
  json["parameters"] = expr.symbols().parameters;
  json["constants"] = expr.constants();
  json["program"] = disassemble(lower(expr), expr.symbols().variables, expr.symbols().parameters);
  return json.dump(1) + "\n";
}

Result<int> run(const Options& options) {
  const auto text = formula_text(options.formula);
  if (!text) return std::unexpected(text.error());
  const auto definitions = read_definitions(options.common.definitions);
  if (!definitions) return std::unexpected(definitions.error());
  const auto expr = parse_alone(*text, split_names(options.inputs), *definitions);
  if (!expr) return std::unexpected(expr.error());
  write_out(options.common.format == "json" ? as_json(*expr) : as_text(*expr));
  return 0;
}

}  // namespace

void add_show(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("show", "show how a formula is read");
  verb->footer("Example:\n  vieta show 'a*exp(-b*t) + c' --inputs t");
  auto options = std::make_shared<Options>();
  verb->add_option("FORMULA", options->formula, "formula, or @file")->required();
  verb->add_option(
      "--inputs", options->inputs,
      "names that are columns, as in a,b; the others are parameters (default: all are columns)");
  options->common.add_to(*verb, "text", {"text", "json"});
  verb->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace vieta::cli
