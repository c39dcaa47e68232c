// columns: what verbs take from a table. The columns of a formula, a named column, a target.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "data/columns.h"
#include "data/table.h"
#include "expr/expr.h"

namespace vieta::cli {

/// A CSV file, or - for standard input.
Result<Table> read_table(const std::string& path);

/// An error about a row of the data, told as the row of the file (the header is row 1).
std::unexpected<Error> in_table(Error error, const std::string& path);

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
/// `parameters` ("k=1.5") are for the names in a formula that are no columns.
Result<Target> read_target(const Table& table, const std::string& text,
                           const std::vector<std::string>& definitions,
                           const std::vector<std::string>& parameters);

}  // namespace vieta::cli
