// input: what verbs are given besides tables. Common options, formulas, parameters, lists of names.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/command_line.h"
#include "data/table.h"
#include "expr/expr.h"
#include "expr/operators.h"
#include "expr/parse.h"

namespace vieta::cli {

/// Options that every verb takes.
struct CommonOptions {
  std::vector<std::string> definitions;
  std::vector<std::string> parameters;  ///< "k=1.5"
  std::string dtype = "f64";
  std::size_t threads = 0;
  std::string format;  ///< "csv", "json" or "text"

  void add_to(Verb& verb, const std::string& default_format);
  bool as_written = false;  ///< no stable composites
  bool single() const { return dtype == "f32"; }
};

Result<Operators> read_definitions(const std::vector<std::string>& texts);

/// "a=1,b=2" or repeated; names and numbers. Errors (usage): bad text, a name given twice.
using Assignments = std::vector<std::pair<std::string, double>>;
Result<Assignments> read_assignments(const std::vector<std::string>& texts,
                                     const std::string& option);

/// A formula over the table's columns; other names become parameters. `argument` is a formula, or
/// "@file". Nothing is done with --param.
Result<Expr> read_formula_over(const std::string& argument, const Table& table,
                               const CommonOptions& common);

/// A formula without a table: its names are variables, or, if `inputs` is not empty, those in it
/// are and the others are parameters. The values of --param are put in.
Result<Expr> read_formula(const std::string& argument, const std::vector<std::string>& inputs,
                          const CommonOptions& common);

/// A value for every parameter of the formula, in order. Errors (usage): one without a value, a
/// value for none, bad text.
Result<std::vector<double>> parameter_values(const Expr& expr,
                                             const std::vector<std::string>& texts);

/// The formula with numbers in place of the parameters that have a value. Errors (usage): a value
/// for none, bad text.
Result<Expr> with_values_put_in(const Expr& expr, const std::vector<std::string>& texts);

/// Splits "a,b" and drops blanks; names with commas are written in backquotes.
std::vector<std::string> split_names(const std::string& text);

}  // namespace vieta::cli
