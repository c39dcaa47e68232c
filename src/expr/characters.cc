#include "expr/characters.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace vieta {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Blocks of the Unicode standard without letters of living languages. Names with such characters
// are possible in backquotes; bare they are mostly operators that came along from a document.
constexpr Range kNoLetters[] = {
    {0x80, 0xA9},        // controls, no-break space, punctuation, currency
    {0xAB, 0xB4},        // superscript 2 and 3, plus-minus, not, degree
    {0xB6, 0xB9},        // middle dot, superscript 1
    {0xBB, 0xBF},        // fractions
    {0xD7, 0xD7},        // multiplication sign
    {0xF7, 0xF7},        // division sign
    {0x1680, 0x1680},    // a blank
    {0x2000, 0x209F},    // blanks, dashes, quotes, superscripts, subscripts
    {0x20A0, 0x20FF},    // currency, marks
    {0x2150, 0x215F},    // fractions
    {0x2190, 0x2BFF},    // arrows, mathematical operators, technical and geometric symbols
    {0x2E00, 0x2E7F},    // punctuation
    {0x3000, 0x3004},    // blank and punctuation
    {0x3008, 0x3020},    // brackets
    {0xD800, 0xF8FF},    // surrogates, private use
    {0xFE00, 0xFE6F},    // variation selectors, small forms
    {0xFEFF, 0xFEFF},    // byte order mark
    {0xFF00, 0xFF20},    // full-width punctuation and digits
    {0xFF3B, 0xFF40},    //
    {0xFF5B, 0xFF65},    //
    {0xFFE0, 0xFFFF},    // full-width signs, specials
    {0x1F000, 0x1FAFF},  // pictures
    {0xE0000, 0x10FFFF},
};

// Marks and digits that may follow a letter.
constexpr Range kInsideOnly[] = {{0x300, 0x36F}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}};
constexpr Range kSubscripts = {0x2080, 0x209C};

bool within(char32_t code, Range range) { return code >= range.first && code <= range.last; }

bool in_any(char32_t code, const auto& ranges) {
  return std::ranges::any_of(ranges, [code](Range range) { return within(code, range); });
}

bool ascii_letter(char32_t code) {
  return within(code, {'a', 'z'}) || within(code, {'A', 'Z'}) || code == '_';
}

std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

}  // namespace

Character character_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = sequence_length(lead);
  if (length == 0 || length > text.size() - at) return {lead, 0};
  if (length == 1) return {lead, 1};
  char32_t code = lead & (0xFFU >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    const auto byte = static_cast<unsigned char>(text[at + k]);
    if ((byte & 0xC0U) != 0x80U) return {lead, 0};
    code = code << 6U | (byte & 0x3FU);
  }
  constexpr std::array<char32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool valid =
      code >= smallest[length] && code <= 0x10FFFF && !within(code, {0xD800, 0xDFFF});
  return {valid ? code : lead, valid ? length : 0};
}

bool starts_name(char32_t code) {
  if (code < 0x80) return ascii_letter(code);
  return !in_any(code, kNoLetters) && !in_any(code, kInsideOnly);
}

bool continues_name(char32_t code) {
  return starts_name(code) || within(code, {'0', '9'}) || within(code, kSubscripts) ||
         in_any(code, kInsideOnly);
}

std::string describe_character(char32_t code, std::string_view bytes) {
  const bool plain = code > 0x20 && code < 0x7F;
  if (plain) return "'" + std::string(bytes) + "'";
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string number;
  for (std::uint32_t rest = code; rest != 0 || number.size() < 4; rest /= 16) {
    number.insert(number.begin(), digits[rest % 16]);
  }
  const bool visible = code > 0xA0 && !within(code, {0x2000, 0x200F}) && code != 0xFEFF;
  return (visible ? "'" + std::string(bytes) + "' (U+" : "the character (U+") + number + ")";
}

std::string clipped(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string shown(text.substr(0, longest));
  if (text.size() > longest) {
    // The first byte left out must start a character.
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    shown = std::string(text.substr(0, end)) + "...";
  }
  std::ranges::replace_if(shown, [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; }, '?');
  return shown;
}

}  // namespace vieta
