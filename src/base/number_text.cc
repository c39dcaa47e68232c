#include "base/number_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace vieta {
namespace {

template <class T>
std::string shortest(T value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  // The digits are the fewest that read back; people read them without an exponent where that is
  // short.
  const T size = std::fabs(value);
  const bool plain = value == 0 || (size >= static_cast<T>(1e-4) && size < static_cast<T>(1e16));
  std::array<char, 64> buffer{};
  const auto [end, status] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                    plain ? std::chars_format::fixed : std::chars_format::scientific);
  return {buffer.data(), end};
}

bool same_word(std::string_view text, std::string_view word) {
  return std::ranges::equal(
      text, word, [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
}

std::optional<double> read_word(std::string_view text) {
  if (same_word(text, "nan")) return std::numeric_limits<double>::quiet_NaN();
  if (same_word(text, "inf") || same_word(text, "infinity")) {
    return std::numeric_limits<double>::infinity();
  }
  return std::nullopt;
}

}  // namespace

std::string number_text(double value) { return shortest(value); }
std::string number_text(float value) { return shortest(value); }

std::string number_text_rounded(double value, int digits) {
  if (!std::isfinite(value)) return shortest(value);
  std::array<char, 64> buffer{};
  const auto [end, status] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                           std::chars_format::general, digits);
  return {buffer.data(), end};
}

std::optional<double> read_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  if (std::isalpha(static_cast<unsigned char>(text.front())) != 0) {
    const std::optional<double> word = read_word(text);
    return word && negative ? -*word : word;
  }
  if (text.front() == '-' || text.front() == '+') return std::nullopt;
  double value = 0.0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return std::nullopt;
  if (status == std::errc::result_out_of_range) {
    // from_chars leaves the value alone; strtod rounds to infinity or to the nearest subnormal.
    value = std::strtod(std::string(text).c_str(), nullptr);
  } else if (status != std::errc{}) {
    return std::nullopt;
  }
  return negative ? -value : value;
}

}  // namespace vieta
