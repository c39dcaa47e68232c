// text_width: how many columns of a terminal a text takes. Bytes are no measure of names such as
// 温度.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vieta {

/// East Asian wide characters and pictures take two columns, combining marks none, others one; a
/// byte that is no UTF-8 takes one.
std::size_t text_width(std::string_view text);

/// The text, or as much of it as leaves room for "..." within `width` >= 3 columns.
std::string cut_to_width(std::string_view text, std::size_t width);

/// Filled up with blanks on the right.
std::string left_aligned(std::string_view text, std::size_t width);
/// Filled up with blanks on the left.
std::string right_aligned(std::string_view text, std::size_t width);

}  // namespace vieta
