// csv_cell: text as a cell of a CSV file.
#pragma once

#include <string>

namespace vieta {

/// In quotes, quotes inside doubled.
inline std::string csv_quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

/// In quotes where a separator, quote, line end or blank at an end would be read as something else.
inline std::string csv_cell(const std::string& text) {
  const bool plain = text.find_first_of(",;\t\"\n\r") == std::string::npos &&
                     !text.starts_with(' ') && !text.ends_with(' ');
  return plain ? text : csv_quoted(text);
}

}  // namespace vieta
