// csv: tables from text with a header row.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "data/table.h"

namespace vieta {

struct CsvOptions {
  /// Missing cells (cell_number.h lists the words) and NaN become NaN instead of an error.
  bool allow_missing = false;
  /// Infinities are taken as values instead of an error.
  bool allow_infinite = false;
  /// If not empty, the cells of all other columns are passed over; those columns have an error.
  std::vector<std::string> only = {};
};

/// Reads a CSV file, packed by gzip or not, or standard input for "-".
///
/// Text: UTF-8, with or without a byte order mark; lines end in LF, CRLF or CR; quotes as in
/// CellScanner. Blank lines at the end do not count; elsewhere one is an error, except in a table
/// of one column, where it is a missing cell. Header: its first line, a name for each column.
/// Unquoted names lose the blanks around them; any name is taken if it is UTF-8, not empty and not
/// there twice. Separator: comma, semicolon or tab, whichever cuts the header into most cells;
/// comma on a tie. A separator at the end of the header or of a row, with nothing after it, adds no
/// column. Numbers: see read_cell. Where the separator is no comma, "1,5" is 1.5, unless a number
/// anywhere in the file's numeric columns has a decimal point: then a comma may as well mark
/// thousands, and the columns with commas are refused.
///
/// Fails (code data, place: source, line, column) for what spoils the whole: the file cannot be
/// read or unpacked; NUL bytes; a bad header; no row; a row with too few or too many cells; broken
/// quotes. Fails (code usage) if `only` names no column. A cell that is no number spoils only its
/// column: Table::column_error(i) then tells the first such cell by line and column, and
/// Table::numeric_column(i) fails with it.
/// Cost: linear; the whole text and the table are in memory at once.
Result<Table> read_csv(const std::string& path_or_dash, const CsvOptions& options = {});

/// The same from text in memory (not packed); messages call it `source`.
Result<Table> read_csv_text(std::string_view text, const std::string& source,
                            const CsvOptions& options = {});

}  // namespace vieta
