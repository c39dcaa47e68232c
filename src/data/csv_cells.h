// csv_cells: cuts CSV text into cells; knows quotes and line ends, not numbers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vieta {

/// What stands after a cell.
enum class CellEnd {
  separator,
  line,              ///< LF, CRLF or CR
  text,              ///< the end of all text
  unclosed_quote,    ///< the cell's quote is still open at the end of all text
  text_after_quote,  ///< something else than a separator or a line end follows the closing quote
};

/// True if the scanner can go on or has come to the end in good order.
constexpr bool is_well_formed(CellEnd end) {
  return end == CellEnd::separator || end == CellEnd::line || end == CellEnd::text;
}

/// True if the row ends with this cell.
constexpr bool ends_row(CellEnd end) { return end != CellEnd::separator; }

struct Cell {
  std::string_view text;  ///< without its quotes; valid until the next call of next()
  bool quoted = false;
  std::size_t line = 0;  ///< where it starts, from 1
};

/// Quotes as in RFC 4180: a cell that starts with '"' (after blanks) reaches to its closing quote,
/// may hold separators and line ends, and "" in it stands for one quote; blanks may follow. A quote
/// later in a cell is a plain character. Cost: linear, no allocation except for doubled quotes.
class CellScanner {
 public:
  /// The text must outlive the scanner.
  CellScanner(std::string_view text, char separator) : text_(text), separator_(separator) {}

  /// Reads the next cell and what ends it. Must not be called after an end that is not well formed.
  CellEnd next(Cell& cell);

  /// No row is left.
  bool at_end() const { return position_ == text_.size(); }
  /// The line that the next cell starts on, from 1.
  std::size_t line() const { return line_; }
  /// Bytes read so far.
  std::size_t position() const { return position_; }

 private:
  CellEnd next_quoted(Cell& cell, std::size_t open);
  CellEnd take_end();
  void take_line_end();

  std::string_view text_;
  char separator_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
  std::string unescaped_;
};

}  // namespace vieta
