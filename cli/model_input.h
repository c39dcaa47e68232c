// model_input: saved models as verbs take them.
#pragma once

#include <string>

#include "base/result.h"
#include "data/table.h"
#include "expr/expr.h"

namespace vieta::cli {

/// The model file that `argument` names: a file that ends in .json, or a folder with a model.json;
/// empty if it names none (it is a formula then).
std::string model_path(const std::string& argument);

/// The formula over the table's columns: the model's variables are found by name, wherever they
/// stand; parameters stay. Errors (data): a column that the formula uses and the table lacks.
Result<Expr> over_table(const Expr& expr, const Table& table);

}  // namespace vieta::cli
