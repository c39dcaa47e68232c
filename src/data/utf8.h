// utf8: is it text, and how to show what a file held on one line of a message.
#pragma once

#include <string>
#include <string_view>

namespace vieta {

/// True for well-formed UTF-8: no overlong form, no surrogate, nothing above U+10FFFF (RFC 3629).
bool is_utf8(std::string_view text);

/// The text between single quotes, fit for one line: control characters (and, in what is not UTF-8,
/// all bytes above 127) become '?', and what is longer than some 60 bytes is cut at a character.
std::string in_quotes(std::string_view text);

}  // namespace vieta
