// cell_number: what the text of one cell says: a number, nothing, or something else.
#pragma once

#include <string_view>

namespace vieta {

enum class CellKind {
  number,    ///< a finite one
  missing,   ///< blank, or a word or sign that people write where there is no value
  nan,       ///< NaN, spelt out
  infinite,  ///< infinity, spelt out, or a number beyond the range of double
  text,      ///< anything else
};

struct CellNumber {
  CellKind kind = CellKind::text;
  double value = 0.0;          ///< NaN unless the kind is number or infinite
  bool decimal_comma = false;  ///< read with its comma as the decimal mark
};

/// Blanks around the text do not count. Numbers are what read_number takes and, if commas are
/// allowed, the same with one comma in place of the point ("1,5"). Missing, in any case: "", ".",
/// "-", "?", "NA", "<NA>", "N/A", "#N/A", "null", "none", "missing".
CellNumber read_cell(std::string_view text, bool allow_decimal_comma);

/// Without the spaces and tabs at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace vieta
