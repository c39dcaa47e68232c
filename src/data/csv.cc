#include "data/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "data/csv_cells.h"
#include "data/csv_column.h"
#include "data/csv_header.h"
#include "data/file_text.h"
#include "data/utf8.h"

namespace vieta {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// By find, which looks at many bytes at once; lines are far apart.
std::size_t count(std::string_view text, char wanted) {
  std::size_t n = 0;
  for (std::size_t at = text.find(wanted); at != std::string_view::npos;
       at = text.find(wanted, at + 1)) {
    ++n;
  }
  return n;
}

// An upper bound in all but odd files, and never much memory: a row has a byte for each column.
std::size_t rows_at_most(std::string_view text, std::size_t columns) {
  const std::size_t lines = std::max(count(text, '\n'), count(text, '\r')) + 1;
  return std::min(lines, text.size() / columns + 1);
}

Result<void> check_bytes(std::string_view text, const std::string& source) {
  if (text.empty()) {
    return fail(ErrorCode::data, "met nothing at all, wanted a header and rows",
                {source, 0, 0, ""});
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return fail(ErrorCode::data, "this is UTF-16, wanted UTF-8; save it as UTF-8",
                {source, 0, 0, ""});
  }
  const std::size_t nul = text.find('\0');
  if (nul == std::string_view::npos) return {};
  return fail(ErrorCode::data, "met a NUL byte, wanted text; is this a CSV file in UTF-8?",
              {source, count(text.substr(0, nul), '\n') + 1, 0, ""});
}

class CsvReader {
 public:
  CsvReader(std::string_view text, const std::string& source, const CsvOptions& options)
      : text_(text), source_(source), options_(options), scanner_({}, ',') {}

  Result<Table> read() {
    if (auto fine = start(); !fine) return std::unexpected(std::move(fine.error()));
    while (!scanner_.at_end()) {
      if (auto fine = read_row(); !fine) return std::unexpected(std::move(fine.error()));
    }
    return finish();
  }

 private:
  // Takes the header and makes a reader for each column.
  Result<void> start() {
    auto header = read_header(text_, source_);
    if (!header) return std::unexpected(std::move(header.error()));
    watch_marks_ = header->separator != ',';
    scanner_ = CellScanner(text_, header->separator);
    Cell cell;
    while (!ends_row(scanner_.next(cell))) {
    }
    for (std::string& name : header->names) {
      columns_.emplace_back(std::move(name), source_, columns_.size() + 1);
    }
    if (auto fine = pass_over_unwanted(); !fine) return fine;
    const std::size_t rows = rows_at_most(text_.substr(scanner_.position()), columns_.size());
    for (CsvColumn& column : columns_) column.reserve(rows);
    return {};
  }

  Result<void> pass_over_unwanted() {
    if (options_.only.empty()) return {};
    for (const std::string& name : options_.only) {
      if (std::ranges::find(columns_, name, &CsvColumn::name) == columns_.end()) {
        return no_such_column(name);
      }
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& name = columns_[i].name();
      if (std::ranges::find(options_.only, name) != options_.only.end()) continue;
      columns_[i].refuse(
          {ErrorCode::usage,
           fmt::format("column {} was not read; ask for it as well", in_quotes(name)),
           {source_, 0, i + 1, ""}});
    }
    return {};
  }

  Result<void> no_such_column(const std::string& name) const {
    constexpr std::size_t kShown = 20;
    std::vector<std::string> names;
    for (const CsvColumn& column : columns_) names.push_back(in_quotes(column.name()));
    const bool many = names.size() > kShown;
    if (many) names.resize(kShown);
    return fail(ErrorCode::usage,
                fmt::format("there is no column {}, wanted one of {}{}", in_quotes(name),
                            fmt::join(names, ", "), many ? ", ..." : ""),
                {source_, 0, 0, ""});
  }

  Result<void> read_row() {
    const std::size_t line = scanner_.line();
    Cell cell;
    std::size_t cells = 0;
    while (true) {
      const CellEnd end = scanner_.next(cell);
      if (!is_well_formed(end)) {
        return std::unexpected(broken_quotes(end, {source_, cell.line, cells + 1, ""}));
      }
      const bool bare = !cell.quoted && trimmed(cell.text).empty();
      if (cells == 0 && bare && ends_row(end)) return note_blank(line);
      if (cells == 0 && blank_lines_ > 0) {
        if (auto fine = take_blanks(); !fine) return fine;
      }
      if (cells < columns_.size()) columns_[cells].take(cell, options_, watch_marks_);
      ++cells;
      if (!ends_row(end)) continue;
      // A separator at the end of the row adds no cell.
      const std::size_t met = bare && cells == columns_.size() + 1 ? cells - 1 : cells;
      ++rows_;
      return met == columns_.size() ? Result<void>{} : ragged(line, met);
    }
  }

  Result<void> ragged(std::size_t line, std::size_t met) const {
    return fail(ErrorCode::data,
                fmt::format("met {} {}, wanted {} as the header has; {}", met,
                            met == 1 ? "cell" : "cells", columns_.size(),
                            met > columns_.size() ? "quote cells that hold the separator"
                                                  : "fill the row up, or take it out"),
                {source_, line, 0, ""});
  }

  // Whether blank lines matter shows only when another row follows.
  Result<void> note_blank(std::size_t line) {
    if (blank_lines_++ == 0) first_blank_ = line;
    return {};
  }

  Result<void> take_blanks() {
    if (columns_.size() > 1) {
      return fail(ErrorCode::data, "met a blank line between rows, wanted a row; take the line out",
                  {source_, first_blank_, 0, ""});
    }
    for (std::size_t i = 0; i < blank_lines_; ++i) {
      columns_.front().take({"", false, first_blank_ + i}, options_, watch_marks_);
    }
    rows_ += blank_lines_;
    blank_lines_ = 0;
    return {};
  }

  Result<Table> finish() {
    if (rows_ == 0) {
      return fail(ErrorCode::data, "met a header and no rows, wanted at least one row",
                  {source_, 0, 0, ""});
    }
    if (watch_marks_) refuse_mixed_marks();
    std::vector<Table::Column> columns;
    columns.reserve(columns_.size());
    for (CsvColumn& column : columns_) columns.push_back(std::move(column).release());
    return Table::assemble(std::move(columns), rows_);
  }

  // A comma beside points may mark thousands: reading "1,234" as 1.234 could be wrong by 1000.
  void refuse_mixed_marks() {
    const auto with_point = std::ranges::find_if(
        columns_, [](const CsvColumn& c) { return c.is_numeric() && c.first_point(); });
    if (with_point == columns_.end()) return;
    const CsvColumn::Mark point = *with_point->first_point();
    for (CsvColumn& column : columns_) {
      if (!column.is_numeric() || !column.first_comma()) continue;
      const CsvColumn::Mark comma = *column.first_comma();
      column.refuse({ErrorCode::data,
                     fmt::format("column {}: met {} and, in row {}, column {}, {}, wanted one "
                                 "decimal mark in all of the file; write points only",
                                 in_quotes(column.name()), in_quotes(comma.text), point.place.row,
                                 point.place.column, in_quotes(point.text)),
                     comma.place});
    }
  }

  std::string_view text_;
  const std::string& source_;
  const CsvOptions& options_;
  CellScanner scanner_;
  bool watch_marks_ = false;
  std::vector<CsvColumn> columns_;
  std::size_t rows_ = 0;
  std::size_t blank_lines_ = 0;
  std::size_t first_blank_ = 0;
};

}  // namespace

Result<Table> read_csv(const std::string& path_or_dash, const CsvOptions& options) {
  const auto text = read_file_text(path_or_dash);
  if (!text) return std::unexpected(text.error());
  return read_csv_text(*text, source_name(path_or_dash), options);
}

Result<Table> read_csv_text(std::string_view text, const std::string& source,
                            const CsvOptions& options) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  if (auto fine = check_bytes(text, source); !fine) {
    return std::unexpected(std::move(fine.error()));
  }
  return CsvReader(text, source, options).read();
}

}  // namespace vieta
