#include "report/text_width.h"

#include <algorithm>

#include "expr/characters.h"

namespace vieta {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

bool within(char32_t code, std::initializer_list<Range> ranges) {
  return std::ranges::any_of(ranges, [&](Range r) { return code >= r.first && code <= r.last; });
}

// The blocks of Unicode's East Asian Width W and F, in outline.
std::size_t character_width(char32_t code) {
  if (within(code, {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}}))
    return 0;
  if (within(code, {{0x1100, 0x115F},
                    {0x2E80, 0xA4CF},
                    {0xAC00, 0xD7A3},
                    {0xF900, 0xFAFF},
                    {0xFE30, 0xFE6F},
                    {0xFF00, 0xFF60},
                    {0xFFE0, 0xFFE6},
                    {0x1F300, 0x1FAFF},
                    {0x20000, 0x3FFFD}})) {
    return 2;
  }
  return 1;
}

// Bytes of the longest start that takes at most `width` columns, and its columns.
struct Start {
  std::size_t bytes = 0;
  std::size_t columns = 0;
};

Start longest_start(std::string_view text, std::size_t width) {
  Start start;
  while (start.bytes < text.size()) {
    const Character next = character_at(text, start.bytes);
    const std::size_t columns = next.bytes == 0 ? 1 : character_width(next.code);
    if (start.columns + columns > width) break;
    start.bytes += std::max<std::size_t>(1, next.bytes);
    start.columns += columns;
  }
  return start;
}

}  // namespace

std::size_t text_width(std::string_view text) {
  return longest_start(text, 2 * text.size()).columns;
}

std::string cut_to_width(std::string_view text, std::size_t width) {
  if (longest_start(text, width).bytes == text.size()) return std::string(text);
  return std::string(text.substr(0, longest_start(text, width - 3).bytes)) + "...";
}

std::string left_aligned(std::string_view text, std::size_t width) {
  const std::size_t own = text_width(text);
  return std::string(text) + std::string(own < width ? width - own : 0, ' ');
}

std::string right_aligned(std::string_view text, std::size_t width) {
  const std::size_t own = text_width(text);
  return std::string(own < width ? width - own : 0, ' ') + std::string(text);
}

}  // namespace vieta
