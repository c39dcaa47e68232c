// lexer: formula text to tokens.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vieta {

enum class TokenKind : unsigned char {
  number,
  name,         ///< plain
  quoted_name,  ///< in backquotes; `text` includes them
  symbol,       ///< an operator: + - * / ^ ** < <= > >= == != && || !
  open,
  close,
  comma,
  question,
  colon,
  assign,     ///< a lone '=': no operator, but part of a definition
  semicolon,  ///< after a local name's formula in a definition
  end,        ///< the last token of a good text
  fault,      ///< the last token of a bad one; what is in front of it is good
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::size_t begin = 0;  ///< byte in the text
  std::string_view text;  ///< into the text given to tokenize
  double value = 0.0;     ///< numbers only

  bool is(TokenKind which) const { return kind == which; }
  bool is_symbol(std::string_view which) const {
    return kind == TokenKind::symbol && text == which;
  }
};

struct Tokens {
  std::vector<Token> all;  ///< never empty; ends with `end` or `fault`
  std::string fault;       ///< what is wrong at the `fault` token
};

/// Never fails as such: a parser reads up to the faulty place first, so that the leftmost mistake
/// is the one reported. `text` must outlive the tokens. O(length).
Tokens tokenize(std::string_view text);

/// The name a token stands for: backquotes removed, doubled ones inside made single.
std::string token_name(const Token& token);

/// `text` without a UTF-8 byte order mark in front.
std::string_view without_byte_order_mark(std::string_view text);

}  // namespace vieta
