#include "data/csv_header.h"

#include <utility>

#include "data/cell_number.h"
#include "data/table.h"

namespace vieta {
namespace {

struct HeaderShape {
  char separator = ',';
  std::size_t cells = 0;
  bool well_formed = false;
};

HeaderShape shape_with(std::string_view text, char separator) {
  CellScanner scanner(text, separator);
  Cell cell;
  CellEnd end = CellEnd::separator;
  std::size_t cells = 0;
  for (; end == CellEnd::separator; ++cells) end = scanner.next(cell);
  return {separator, cells, is_well_formed(end)};
}

// A wrong separator often leaves text after a closing quote: what is well formed wins a tie.
char find_separator(std::string_view text) {
  HeaderShape best;
  for (const char separator : {',', ';', '\t'}) {
    const HeaderShape shape = shape_with(text, separator);
    if (std::pair(shape.cells, shape.well_formed) > std::pair(best.cells, best.well_formed)) {
      best = shape;
    }
  }
  return best.separator;
}

}  // namespace

Error broken_quotes(CellEnd end, const Place& place) {
  if (end == CellEnd::unclosed_quote) {
    return {ErrorCode::data, "a quote opens here and never closes; close it", place};
  }
  return {ErrorCode::data,
          "text follows a closing quote, wanted a separator or the end of the line; "
          "write a quote inside a quoted cell twice",
          place};
}

Result<CsvHeader> read_header(std::string_view text, const std::string& source) {
  CsvHeader header{.separator = find_separator(text), .names = {}};
  CellScanner scanner(text, header.separator);
  Cell cell;
  CellEnd end = CellEnd::separator;
  while (end == CellEnd::separator) {
    end = scanner.next(cell);
    if (!is_well_formed(end)) {
      return std::unexpected(broken_quotes(end, {source, cell.line, header.names.size() + 1, ""}));
    }
    header.names.emplace_back(cell.quoted ? cell.text : trimmed(cell.text));
  }
  const bool bare_end = header.names.back().empty() && !cell.quoted;
  if (bare_end && header.names.size() == 1) {
    return fail(ErrorCode::data, "the first line is blank, wanted a header: a name for each column",
                {source, 1, 0, ""});
  }
  if (bare_end) header.names.pop_back();
  if (auto fine = check_names(header.names, {source, 1, 0, ""}); !fine) {
    return std::unexpected(std::move(fine.error()));
  }
  return header;
}

}  // namespace vieta
