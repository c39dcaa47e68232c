// vieta show: how Vieta reads a formula.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "cli/input.h"
#include "cli/model_input.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "expr/print.h"
#include "expr/rewrite.h"
#include "program/lower.h"
#include "report/csv_cell.h"
#include "report/json_number.h"

namespace vieta::cli {
namespace {

struct Options {
  std::string formula;
  std::string inputs;
  ModelChoice choice;
  bool simplified = false;
  CommonOptions common;
};

std::string model_line(const ChosenFormula& chosen) {
  if (chosen.model.empty()) return {};
  return fmt::format("model       {}, formula {} of 0 to {} (--index chooses)\n", chosen.model,
                     chosen.index, chosen.entries - 1);
}

std::string as_text(const Expr& expr, const Program& program) {
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
  return text + "program\n" + disassemble(program, symbols.variables, symbols.parameters);
}

std::string as_json(const Expr& expr, const Program& program, const ChosenFormula& chosen) {
  nlohmann::ordered_json json;
  if (!chosen.model.empty()) {
    json["model"] = chosen.model;
    json["index"] = chosen.index;
  }
  json["formula"] = print(expr);
  json["complexity"] = expr.complexity();
  json["depth"] = expr.depth();
  json["variables"] = expr.symbols().variables;
  json["parameters"] = expr.symbols().parameters;
  json["constants"] = nlohmann::ordered_json::array();
  for (const double c : expr.constants()) json["constants"].push_back(number_or_text(c));
  json["program"] = disassemble(program, expr.symbols().variables, expr.symbols().parameters);
  return json.dump(1) + "\n";
}

std::string as_csv(const Expr& expr) {
  std::string constants;
  for (const double c : expr.constants())
    constants += (constants.empty() ? "" : " ") + number_text(c);
  return fmt::format("formula,complexity,depth,variables,parameters,constants\n{},{},{},{},{},{}\n",
                     csv_cell(print(expr)), expr.complexity(), expr.depth(),
                     csv_cell(fmt::format("{}", fmt::join(expr.symbols().variables, " "))),
                     csv_cell(fmt::format("{}", fmt::join(expr.symbols().parameters, " "))),
                     csv_cell(constants));
}

Result<int> run(const Options& options) {
  const auto chosen = read_model_or_formula(options.formula, options.choice,
                                            split_names(options.inputs), options.common);
  if (!chosen) return std::unexpected(chosen.error());
  const Expr expr = options.simplified ? simplify(chosen->expr) : chosen->expr;
  const std::string& format = options.common.format;
  const Program program = lower(expr, {.stable_composites = !options.common.as_written});
  if (format == "json") {
    write_out(as_json(expr, program, *chosen));
  } else if (format == "csv") {
    write_out(as_csv(expr));
  } else {
    write_out(model_line(*chosen) + as_text(expr, program));
  }
  return 0;
}

}  // namespace

void add_show(CommandLine& line) {
  Verb verb = line.add_verb("show", "show how a formula is read, or what a model holds");
  verb.footer(
      "Example:\n  vieta show 'a*exp(-b*t) + c' --inputs t\n  vieta show run1 --complexity 6\n");
  auto options = std::make_shared<Options>();
  verb.option("MODEL|FORMULA", options->formula, "model.json or its folder, a formula, or @file")
      .required();
  verb.option(
      "--inputs", options->inputs,
      "names that are columns, as in a,b; the others are parameters (default: all are columns)");
  options->choice.add_to(verb);
  verb.flag(
      "--simplify", options->simplified,
      "show a simpler formula of the same values and derivatives, its numbers taken as exact");
  options->common.add_to(verb, "text");
  verb.does([options] { return run(*options); });
}

}  // namespace vieta::cli
