// input: what verbs are given. Formulas, parameters, tables, targets.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/task_pool.h"
#include "data/columns.h"
#include "data/table.h"
#include "eval/evaluate.h"
#include "expr/expr.h"
#include "expr/parse.h"

namespace vieta::cli {

/// Options that every verb takes.
struct CommonOptions {
  std::vector<std::string> definitions;
  std::vector<std::string> parameters;  ///< "k=1.5"
  std::string dtype = "f64";
  std::size_t threads = 0;
  std::string format;

  void add_to(CLI::App& verb, const std::string& default_format,
              const std::vector<std::string>& formats);
  bool single() const { return dtype == "f32"; }
};

/// A formula's text: itself, or the content of a file for "@file".
Result<std::string> formula_text(const std::string& argument);

Result<Definitions> read_definitions(const std::vector<std::string>& texts);

/// Over the table's columns; other names become parameters.
Result<Expr> parse_over(const Table& table, const std::string& text,
                        const Definitions& definitions);

/// All free names of the text are variables; or, if `inputs` is not empty, those in it are and the
/// others are parameters.
Result<Expr> parse_alone(const std::string& text, const std::vector<std::string>& inputs,
                         const Definitions& definitions);

/// A value for every parameter of the formula. Errors (usage): one without a value, a value for
/// none, bad text.
Result<std::vector<double>> parameter_values(const Expr& expr,
                                             const std::vector<std::string>& texts);

/// "a=1,b=2" or repeated; names and numbers.
Result<std::vector<std::pair<std::string, double>>> read_assignments(
    const std::vector<std::string>& texts, const std::string& option);

/// Values of the columns that the formula uses; the others are not looked at (null). Valid as long
/// as the table.
Result<ColumnsView<double>> used_columns(const Expr& expr, const Table& table);

/// The same rounded to float.
struct UsedFloatColumns {
  std::unique_ptr<FloatColumns> columns;
  ColumnsView<float> view;
};
Result<UsedFloatColumns> used_float_columns(const Expr& expr, const Table& table);

/// A column of the table, by name. Errors: (usage) unknown, with what there is; (data) not numeric.
Result<std::size_t> find_column(const Table& table, const std::string& name,
                                const std::string& option);

/// Target of a fit or search: a column, or a formula of columns, on every row.
struct Target {
  std::vector<double> values;
  std::vector<bool> uses;  ///< per column of the table
};
Result<Target> read_target(const Table& table, const std::string& text,
                           const Definitions& definitions);

/// Splits "a,b" and drops blanks; names with commas are written in backquotes.
std::vector<std::string> split_names(const std::string& text);

}  // namespace vieta::cli
