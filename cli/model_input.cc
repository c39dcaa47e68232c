#include "cli/model_input.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/choose_entry.h"
#include "expr/names.h"
#include "expr/walk.h"
#include "report/model.h"

namespace vieta::cli {

std::string model_path(const std::string& argument) {
  std::error_code ignored;
  const std::filesystem::path path(argument);
  if (path.extension() == ".json") return argument;
  const auto inside = path / "model.json";
  return std::filesystem::is_regular_file(inside, ignored) ? inside.string() : "";
}

void ModelChoice::add_to(Verb& verb) {
  verb.option("--index", index, "formula of the model's front, from 0 (default: the selected one)")
      .not_negative();
  verb.option("--complexity", complexity, "formula of the model's front with this complexity")
      .not_negative();
}

Result<ChosenFormula> read_model_or_formula(const std::string& argument, const ModelChoice& choice,
                                            const std::vector<std::string>& inputs,
                                            const CommonOptions& common) {
  const std::string path = model_path(argument);
  if (!path.empty()) {
    const auto model = read_model(path, common.definitions);
    if (!model) return std::unexpected(model.error());
    const auto index = choose_entry(*model, choice.index, choice.complexity);
    if (!index) return std::unexpected(index.error());
    auto expr = with_values_put_in(model->report.front[*index].expr, common.parameters);
    if (!expr) return std::unexpected(expr.error());
    return ChosenFormula{*std::move(expr), path, *index, model->report.front.size()};
  }
  if (choice.index || choice.complexity) {
    return fail(ErrorCode::usage, "a formula has no front to choose from: wanted a model.json",
                {.source = choice.index ? "--index" : "--complexity"});
  }
  auto expr = read_formula(argument, inputs, common);
  std::error_code ignored;
  if (!expr && std::filesystem::is_directory(argument, ignored)) {
    return fail(
        ErrorCode::usage,
        fmt::format("the folder '{}' holds no model.json: wanted a formula, or a folder that "
                    "vieta search --out or vieta fit --out wrote",
                    argument));
  }
  if (!expr) return std::unexpected(expr.error());
  return ChosenFormula{.expr = *std::move(expr), .model = {}};
}

Result<Expr> over_table(const Expr& expr, const Table& table) {
  std::vector<std::size_t> column(expr.symbols().variables.size());
  for (std::size_t v = 0; v < column.size(); ++v) {
    if (!expr.uses_variable(v)) continue;
    const auto at = table.find(expr.symbols().variables[v]);
    if (!at) {
      return fail(ErrorCode::data,
                  fmt::format("the table has no column '{}', which the formula uses{}",
                              expr.symbols().variables[v],
                              suggestion(expr.symbols().variables[v], table.names())));
    }
    column[v] = *at;
  }
  return renumbered(
      expr, column, {},
      std::make_shared<const Symbols>(Symbols{table.names(), expr.symbols().parameters}));
}

}  // namespace vieta::cli
