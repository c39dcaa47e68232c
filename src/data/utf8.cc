#include "data/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace vieta {
namespace {

constexpr std::size_t kShownBytes = 60;

std::uint32_t byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

bool is_continuation(std::uint32_t byte) { return (byte & 0xC0U) == 0x80U; }

// Bytes of a character by its first one; 0 for a byte that starts none.
std::size_t length_from(std::uint32_t first) {
  if (first < 0x80U) return 1;
  if (first >= 0xC2U && first < 0xE0U) return 2;
  if (first >= 0xE0U && first < 0xF0U) return 3;
  if (first >= 0xF0U && first < 0xF5U) return 4;
  return 0;
}

// What the second byte must not be: overlong forms, surrogates, beyond U+10FFFF.
bool second_fits(std::uint32_t first, std::uint32_t second) {
  switch (first) {
    case 0xE0U:
      return second >= 0xA0U;
    case 0xEDU:
      return second < 0xA0U;
    case 0xF0U:
      return second >= 0x90U;
    case 0xF4U:
      return second < 0x90U;
    default:
      return true;
  }
}

// Bytes of the well-formed character at i; 0 if there is none.
std::size_t character_at(std::string_view text, std::size_t i) {
  const std::uint32_t first = byte_at(text, i);
  const std::size_t length = length_from(first);
  if (length == 0 || length > text.size() - i) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if (!is_continuation(byte_at(text, i + k))) return 0;
  }
  return length == 1 || second_fits(first, byte_at(text, i + 1)) ? length : 0;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_at(text, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

std::string in_quotes(std::string_view text) {
  std::size_t size = std::min(text.size(), kShownBytes);
  while (size > 0 && size < text.size() && is_continuation(byte_at(text, size))) --size;
  std::string shown(text.substr(0, size));
  const bool readable = is_utf8(shown);
  for (char& c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20U || byte == 0x7FU || (!readable && byte >= 0x80U)) c = '?';
  }
  return "'" + shown + (size < text.size() ? "...'" : "'");
}

}  // namespace vieta
