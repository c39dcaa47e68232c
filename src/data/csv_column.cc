#include "data/csv_column.h"

#include <fmt/format.h>

#include <cctype>
#include <utility>

#include "base/aligned.h"
#include "data/utf8.h"

namespace vieta {
namespace {

std::string met(std::string_view text) { return text.empty() ? "an empty cell" : in_quotes(text); }

// "inf" says infinity, "1e999" only comes to it.
std::string infinite_note(std::string_view text) {
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0)
      return " (beyond the range of 64-bit numbers)";
  }
  return "";
}

std::string text_advice(std::string_view text) {
  if (text.find(',') != std::string_view::npos) {
    return "write a decimal point and no thousands separators, or do without the column";
  }
  return "correct the cell, or do without the column";
}

std::string complaint(CellKind kind, std::string_view text) {
  switch (kind) {
    case CellKind::missing:
      return fmt::format("met {}, wanted a number; fill it in, or take the row out",
                         text.empty() ? met(text) : met(text) + " (a missing value)");
    case CellKind::nan:
      return fmt::format("met {}, wanted a finite number; fill it in, or take the row out",
                         met(text));
    case CellKind::infinite:
      return fmt::format("met {}{}, wanted a finite number; correct the cell, or take the row out",
                         met(text), infinite_note(text));
    default:
      return fmt::format("met {}, wanted a number; {}", met(text), text_advice(text));
  }
}

bool is_allowed(CellKind kind, const CsvOptions& options) {
  switch (kind) {
    case CellKind::number:
      return true;
    case CellKind::missing:
    case CellKind::nan:
      return options.allow_missing;
    case CellKind::infinite:
      return options.allow_infinite;
    default:
      return false;
  }
}

}  // namespace

CsvColumn::CsvColumn(std::string name, const std::string& source, std::size_t number)
    : column_{std::move(name), {}}, place_{source, 0, number, ""} {}

void CsvColumn::refuse(Error error) {
  column_.error = std::move(error);
  column_.values = {};
}

void CsvColumn::reserve(std::size_t rows) {
  // Room for the table's padding too, so that the values never move again.
  if (is_numeric()) column_.values.reserve(padded<double>(rows) + kAlignment / sizeof(double));
}

Place CsvColumn::place_of(const Cell& cell) const {
  Place place = place_;
  place.row = cell.line;
  return place;
}

void CsvColumn::take(const Cell& cell, const CsvOptions& options, bool watch_marks) {
  if (!is_numeric()) return;
  const CellNumber number = read_cell(cell.text, watch_marks);
  if (is_allowed(number.kind, options)) {
    column_.values.push_back(number.value);
    if (watch_marks) watch(cell, number.decimal_comma);
    return;
  }
  refuse(
      {ErrorCode::data,
       fmt::format("column {}: {}", in_quotes(name()), complaint(number.kind, trimmed(cell.text))),
       place_of(cell)});
}

void CsvColumn::watch(const Cell& cell, bool decimal_comma) {
  if (decimal_comma) {
    if (!first_comma_) first_comma_ = Mark{place_of(cell), std::string(trimmed(cell.text))};
  } else if (!first_point_ && trimmed(cell.text).size() > 1 &&
             cell.text.find('.') != std::string_view::npos) {
    first_point_ = Mark{place_of(cell), std::string(trimmed(cell.text))};
  }
}

}  // namespace vieta
