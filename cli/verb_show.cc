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
#include "report/csv_cell.h"
#include "report/json_number.h"

namespace vieta::cli {
namespace {

struct Options {
  std::string formula;
  std::string inputs;
  CommonOptions common;
};

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

std::string as_json(const Expr& expr, const Program& program) {
  nlohmann::ordered_json json;
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
  const auto expr = read_formula(options.formula, split_names(options.inputs), options.common);
  if (!expr) return std::unexpected(expr.error());
  const std::string& format = options.common.format;
  const Program program = lower(*expr, {.stable_composites = !options.common.as_written});
  write_out(format == "text" ? as_text(*expr, program)
                             : (format == "json" ? as_json(*expr, program) : as_csv(*expr)));
  return 0;
}

}  // namespace

void add_show(CommandLine& line) {
  Verb verb = line.add_verb("show", "show how a formula is read");
  verb.footer("Example:\n  vieta show 'a*exp(-b*t) + c' --inputs t\n");
  auto options = std::make_shared<Options>();
  verb.option("FORMULA", options->formula, "formula, or @file").required();
  verb.option(
      "--inputs", options->inputs,
      "names that are columns, as in a,b; the others are parameters (default: all are columns)");
  options->common.add_to(verb, "text");
  verb.does([options] { return run(*options); });
}

}  // namespace vieta::cli
