// model_input: saved models as verbs take them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/input.h"
#include "data/table.h"
#include "expr/expr.h"

namespace vieta::cli {

/// The model file that `argument` names: a file that ends in .json, or a folder with a model.json;
/// empty if it names none (it is a formula then).
std::string model_path(const std::string& argument);

/// Which formula of a model's front: --index, --complexity, or the selected one.
struct ModelChoice {
  std::optional<std::size_t> index;
  std::optional<std::size_t> complexity;

  void add_to(Verb& verb);
};

/// A formula, and where it came from if a model holds it.
struct ChosenFormula {
  Expr expr;
  std::string model;      ///< the file; empty: given as a formula
  std::size_t index = 0;  ///< of the model's `entries` formulas
  std::size_t entries = 0;
};

/// The chosen formula of the model that `argument` names, or the formula that it is, read as
/// read_formula does. --define and --param count for both. Errors: of reading either; (usage) a
/// choice, where there is no model; a folder without one.
Result<ChosenFormula> read_model_or_formula(const std::string& argument, const ModelChoice& choice,
                                            const std::vector<std::string>& inputs,
                                            const CommonOptions& common);

/// The formula over the table's columns: the model's variables are found by name, wherever they
/// stand; parameters stay. Errors (data): a column that the formula uses and the table lacks.
Result<Expr> over_table(const Expr& expr, const Table& table);

}  // namespace vieta::cli
