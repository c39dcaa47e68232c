// csv_header: the first row of CSV text: which separator it uses and what the columns are called.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "data/csv_cells.h"

namespace vieta {

struct CsvHeader {
  char separator = ',';
  std::vector<std::string> names;  ///< as check_names wants them
};

/// Finds the separator and the names as read_csv says. `text` has no byte order mark.
Result<CsvHeader> read_header(std::string_view text, const std::string& source);

/// The error for a cell that ends in broken quotes.
Error broken_quotes(CellEnd end, const Place& place);

}  // namespace vieta
