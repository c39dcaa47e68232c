// characters: UTF-8 as formulas need it. Which characters make a name, and what to call the others.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vieta {

/// One character of a text; `bytes` is 0 where the text is not valid UTF-8.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;
};

/// The character that starts at byte `at` < text.size(). Overlong forms, surrogates and codes above
/// U+10FFFF are not valid.
Character character_at(std::string_view text, std::size_t at);

/// ASCII letters, '_', and every character outside ASCII but marks, operators, punctuation, blanks,
/// symbols and pictures.
bool starts_name(char32_t code);
/// The same, and digits, subscript digits and combining marks.
bool continues_name(char32_t code);

/// For messages: the character in quotes and, unless it is plain ASCII, its code ("U+2212").
std::string describe_character(char32_t code, std::string_view bytes);

/// At most some 40 bytes of a text, whole characters, "..." if some were left out; control
/// characters become '?'.
std::string clipped(std::string_view text);

}  // namespace vieta
