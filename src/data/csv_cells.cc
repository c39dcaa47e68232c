#include "data/csv_cells.h"

namespace vieta {

// At '\n' or '\r'. CRLF counts once.
void CellScanner::take_line_end() {
  const bool pair = text_.substr(position_).starts_with("\r\n");
  position_ += pair ? 2 : 1;
  ++line_;
}

// At a separator, a line end or the end of the text.
CellEnd CellScanner::take_end() {
  if (at_end()) return CellEnd::text;
  if (text_[position_] == separator_) {
    ++position_;
    return CellEnd::separator;
  }
  take_line_end();
  return CellEnd::line;
}

CellEnd CellScanner::next(Cell& cell) {
  cell.quoted = false;
  cell.line = line_;
  const char* const begin = text_.data() + position_;
  const char* const end = text_.data() + text_.size();
  const char* p = begin;
  while (p != end && (*p == ' ' || *p == '\t') && *p != separator_) ++p;
  if (p != end && *p == '"') {
    return next_quoted(cell, position_ + static_cast<std::size_t>(p - begin));
  }
  while (p != end && *p != separator_ && *p != '\n' && *p != '\r') ++p;
  cell.text = {begin, static_cast<std::size_t>(p - begin)};
  position_ += cell.text.size();
  return take_end();
}

CellEnd CellScanner::next_quoted(Cell& cell, std::size_t open) {
  cell.quoted = true;
  unescaped_.clear();
  bool doubled = false;
  std::size_t start = open + 1;  // of what is not in unescaped_ yet
  position_ = start;
  while (true) {
    position_ = text_.find_first_of("\"\r\n", position_);
    if (position_ == std::string_view::npos) {
      position_ = text_.size();
      return CellEnd::unclosed_quote;
    }
    if (text_[position_] != '"') {
      take_line_end();
      continue;
    }
    if (!text_.substr(position_ + 1).starts_with('"')) break;
    doubled = true;
    unescaped_.append(text_, start, position_ + 1 - start);
    position_ += 2;
    start = position_;
  }
  const std::string_view last = text_.substr(start, position_ - start);
  if (doubled) unescaped_.append(last);
  cell.text = doubled ? std::string_view(unescaped_) : last;
  ++position_;
  while (!at_end() && (text_[position_] == ' ' || text_[position_] == '\t') &&
         text_[position_] != separator_) {
    ++position_;
  }
  const bool ended = at_end() || text_[position_] == separator_ || text_[position_] == '\n' ||
                     text_[position_] == '\r';
  return ended ? take_end() : CellEnd::text_after_quote;
}

}  // namespace vieta
