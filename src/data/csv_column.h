// csv_column: one column of a CSV file while its cells come in.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "data/cell_number.h"
#include "data/csv.h"
#include "data/csv_cells.h"
#include "data/table.h"

namespace vieta {

/// Collects the numbers of a column up to the first cell that is none; from there on it keeps only
/// the Error that tells of that cell.
class CsvColumn {
 public:
  /// A cell, remembered to be shown in a message.
  struct Mark {
    Place place;
    std::string text;
  };

  /// Column `number` (from 1) of `source`.
  CsvColumn(std::string name, const std::string& source, std::size_t number);

  /// From now on the column takes no cells and has this error.
  void refuse(Error error);
  /// Makes room for as many rows.
  void reserve(std::size_t rows);
  /// Adds the next row's cell. In a file whose separator is no comma, watch_marks allows decimal
  /// commas and remembers the first number with each of the two decimal marks.
  void take(const Cell& cell, const CsvOptions& options, bool watch_marks);

  const std::string& name() const { return column_.name; }
  bool is_numeric() const { return !column_.error; }
  const std::optional<Mark>& first_comma() const { return first_comma_; }
  const std::optional<Mark>& first_point() const { return first_point_; }
  /// Hands the column over.
  Table::Column release() && { return std::move(column_); }

 private:
  void watch(const Cell& cell, bool decimal_comma);
  Place place_of(const Cell& cell) const;

  Table::Column column_;
  Place place_;
  std::optional<Mark> first_comma_;
  std::optional<Mark> first_point_;
};

}  // namespace vieta
