// table: named columns of double, contiguous and safe to read in whole vectors.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/aligned.h"
#include "base/result.h"

namespace vieta {

/// Columns of equal length under different names. Nothing changes once it is made, except that
/// add_column appends. A column keeps its address when the table is moved or grows; moving is
/// cheap, copying copies every value. Constant members may be called from several threads.
///
/// A column of a file may hold what is no number (a remark, a date, a missing value). Such a column
/// has no values but an Error that says where and why, and only who asks for it meets the error:
///   numeric_column(i)   for a column that somebody named: its values, or that Error
///   column(i)           once it is known to be numeric; asking for another is a bug of ours
class Table {
 public:
  /// A column on its way into a table. With an error, the values are dropped.
  struct Column {
    std::string name;
    AlignedVector<double> values;
    std::optional<Error> error = std::nullopt;
  };

  Table() = default;

  /// columns[i] goes under names[i]. NaN and infinities are data here. Errors (data): as many names
  /// as columns are needed, names as check_names wants them, columns of one length.
  static Result<Table> from_columns(const std::vector<std::string>& names,
                                    const std::vector<std::vector<double>>& columns);

  /// The same without a copy; every column without an error is `rows` long. Same errors.
  static Result<Table> assemble(std::vector<Column> columns, std::size_t rows);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_.size(); }

  /// Elements that may be read from column(i).data(): rows, and zeros up to the end of a cache line
  /// and of one line more.
  std::size_t readable() const { return readable(rows_); }

  const std::string& name(std::size_t i) const;
  std::vector<std::string> names() const;
  /// The column of that name, byte for byte. Cost: one look at each name.
  std::optional<std::size_t> find(std::string_view name) const;

  /// `rows` values, 64-byte aligned. The column must have no error.
  std::span<const double> column(std::size_t i) const;
  /// Why the column has no values; empty if it has them.
  const std::optional<Error>& column_error(std::size_t i) const;
  /// The values, or the column's error.
  Result<std::span<const double>> numeric_column(std::size_t i) const;

  /// Appends a copy of the values; the first column of a table without any gives the rows.
  /// Errors (data): a name that is empty, not UTF-8 or taken; a wrong length. Then nothing changes.
  Result<void> add_column(std::string name, std::span<const double> values);

  /// The rows of these numbers (from 0, below rows()), in this order; repeats are allowed.
  Table select_rows(std::span<const std::size_t> rows) const;

 private:
  static std::size_t readable(std::size_t rows);
  const Column& at(std::size_t i) const;

  std::vector<Column> columns_;
  std::size_t rows_ = 0;
};

/// Names must be there, be UTF-8 and differ; anything else is allowed. Errors (data) name both
/// columns of a duplicate and bear `place` with its column set. Cost: linear.
Result<void> check_names(std::span<const std::string> names, const Place& place = {});

}  // namespace vieta
