#include "base/result.h"

namespace vieta {
namespace {

// The caret counts characters, not bytes: continuation bytes of UTF-8 take no column of their own.
std::size_t characters_before(const std::string& text, std::size_t byte_column) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < byte_column && i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) ++count;
  }
  return count;
}

// A long formula is shown through a window around the place.
constexpr std::size_t kWindow = 100;

std::string with_caret(const Place& place) {
  std::string text = place.text;
  std::size_t column = place.column;
  if (text.size() > kWindow) {
    std::size_t start = column > kWindow / 2 ? column - kWindow / 2 : 0;
    start = start + kWindow > text.size() ? text.size() - kWindow : start;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0U) == 0x80U) --start;
    text = text.substr(start, kWindow);
    column -= start;
  }
  for (char& c : text) {
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
  }
  return "\n  " + text + "\n  " + std::string(characters_before(text, column), ' ') + "^";
}

}  // namespace

std::string describe(const Error& error) {
  std::string line;
  const Place& place = error.place;
  if (!place.source.empty()) {
    line += place.source;
    if (place.row > 0) line += ", row " + std::to_string(place.row);
    if (place.column > 0) line += ", column " + std::to_string(place.column);
    line += ": ";
  }
  line += error.message;
  if (!place.text.empty() && place.column > 0) line += with_caret(place);
  return line;
}

}  // namespace vieta
