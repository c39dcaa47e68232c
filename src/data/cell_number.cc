#include "data/cell_number.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>

#include "base/number_text.h"

namespace vieta {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Longer numbers are refused when they have a decimal comma: a double needs at most 767 digits.
constexpr std::size_t kLongestNumber = 1024;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool is_missing(std::string_view text) {
  constexpr std::array<std::string_view, 11> kWords = {
      "", ".", "-", "?", "na", "<na>", "n/a", "#n/a", "null", "none", "missing"};
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::ranges::any_of(
      kWords, [&](std::string_view word) { return std::ranges::equal(text, word, same); });
}

std::optional<double> read_with_comma(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || text.size() > kLongestNumber) return std::nullopt;
  if (text.find_first_of(",.", comma + 1) != std::string_view::npos) return std::nullopt;
  if (text.substr(0, comma).find('.') != std::string_view::npos) return std::nullopt;
  std::array<char, kLongestNumber> copy;  // on the stack: this runs for every cell of such files
  std::ranges::copy(text, copy.begin());
  copy[comma] = '.';
  return read_number({copy.data(), text.size()});
}

CellNumber classified(double value, bool decimal_comma) {
  if (std::isnan(value)) return {CellKind::nan, kNaN, false};
  return {std::isinf(value) ? CellKind::infinite : CellKind::number, value, decimal_comma};
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  // By hand: it runs for every cell, and find_first_not_of is a call for each character.
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

CellNumber read_cell(std::string_view text, bool allow_decimal_comma) {
  text = trimmed(text);
  if (const auto value = read_number(text)) return classified(*value, false);
  if (is_missing(text)) return {CellKind::missing, kNaN, false};
  if (allow_decimal_comma) {
    if (const auto value = read_with_comma(text)) return classified(*value, true);
  }
  return {CellKind::text, kNaN, false};
}

}  // namespace vieta
