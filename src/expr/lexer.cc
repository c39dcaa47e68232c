#include "expr/lexer.h"

#include <cmath>
#include <utility>

#include "base/number_text.h"
#include "expr/characters.h"

namespace vieta {
namespace {

struct Hint {
  char32_t code;
  std::string_view advice;
};

// Characters that people bring along from other languages and from typeset formulas.
constexpr Hint kHints[] = {
    {'%', "write mod(a, b) for the remainder"},
    {'&', "write && for 'and'"},
    {'|', "write || for 'or'"},
    {'~', "write ! for 'not'"},
    {'[', "write round brackets"},
    {']', "write round brackets"},
    {'{', "write round brackets"},
    {'}', "write round brackets"},
    {'\'', "write a name with odd characters in backquotes"},
    {'"', "write a name with odd characters in backquotes"},
    {';', "write one formula only"},
    {0x2018, "write a name with odd characters in backquotes"},
    {0x2019, "write a name with odd characters in backquotes"},
    {0x201C, "write a name with odd characters in backquotes"},
    {0x201D, "write a name with odd characters in backquotes"},
    {0xA0, "write an ordinary blank"},
    {0x2009, "write an ordinary blank"},
    {0x202F, "write an ordinary blank"},
    {0x3000, "write an ordinary blank"},
    {0x2010, "write -"},
    {0x2011, "write -"},
    {0x2012, "write -"},
    {0x2013, "write -"},
    {0x2014, "write -"},
    {0x2212, "write -"},
    {0xFF0B, "write +"},
    {0xFF0D, "write -"},
    {0xD7, "write *"},
    {0xB7, "write *"},
    {0x2022, "write *"},
    {0x2217, "write *"},
    {0x22C5, "write *"},
    {0xFF0A, "write *"},
    {0xF7, "write /"},
    {0x2044, "write /"},
    {0x2215, "write /"},
    {0xFF0F, "write /"},
    {0xB2, "write ^2"},
    {0xB3, "write ^3"},
    {0x221A, "write sqrt(...)"},
    {0x221E, "write inf"},
    {0x2264, "write <="},
    {0x2265, "write >="},
    {0x2260, "write !="},
    {0x2227, "write &&"},
    {0x2228, "write ||"},
    {0xAC, "write !"},
    {0xFF08, "write ("},
    {0xFF09, "write )"},
    {0xFF0C, "write ,"},
};

std::string_view advice_for(char32_t code) {
  for (const Hint& hint : kHints) {
    if (hint.code == code) return hint.advice;
  }
  return "remove it, or write a name that holds it in backquotes";
}

constexpr std::string_view kSymbols[] = {"**", "<=", ">=", "==", "!=", "&&", "||", "+",
                                         "-",  "*",  "/",  "^",  "<",  ">",  "!"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Tokens run() {
    while (next()) {
    }
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void add(TokenKind kind, std::size_t length) {
    tokens_.all.push_back({kind, at_, text_.substr(at_, length), 0.0});
    at_ += length;
  }

  bool fault(std::size_t at, std::string what) {
    tokens_.all.push_back({TokenKind::fault, at, text_.substr(at, 1), 0.0});
    tokens_.fault = std::move(what);
    return false;
  }

  // False after the last token.
  bool next() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    if (at_ == text_.size()) {
      add(TokenKind::end, 0);
      return false;
    }
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
    if (peek() == '`') return quoted();
    if (sign()) return true;
    return name();
  }

  bool sign() {
    for (const std::string_view symbol : kSymbols) {
      if (text_.substr(at_, symbol.size()) != symbol) continue;
      add(TokenKind::symbol, symbol.size());
      return true;
    }
    constexpr std::string_view marks = "(),?:=;";
    constexpr TokenKind kinds[] = {TokenKind::open,     TokenKind::close, TokenKind::comma,
                                   TokenKind::question, TokenKind::colon, TokenKind::assign,
                                   TokenKind::semicolon};
    const std::size_t mark = marks.find(peek());
    if (mark == std::string_view::npos) return false;
    add(kinds[mark], 1);
    return true;
  }

  void skip_digits(std::size_t& end) const {
    while (end < text_.size() && is_digit(text_[end])) ++end;
  }

  bool number() {
    std::size_t end = at_;
    skip_digits(end);
    if (end < text_.size() && text_[end] == '.') {
      ++end;
      skip_digits(end);
    }
    if (end < text_.size() && text_[end] == '.') {
      return fault(end, "a second decimal point in a number; write one, or an operator between");
    }
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      const std::size_t mark = end++;
      if (end < text_.size() && (text_[end] == '+' || text_[end] == '-')) ++end;
      const std::size_t digits = end;
      skip_digits(end);
      if (end == digits) {
        return fault(
            mark, "the exponent of a number has no digits; write 1e5, or 1*e for the constant e");
      }
    }
    const std::string_view digits = text_.substr(at_, end - at_);
    const double value = read_number(digits).value_or(HUGE_VAL);
    if (!std::isfinite(value)) {
      return fault(at_, "the number " + clipped(digits) +
                            " is too large for a double; the largest is about 1.8e308");
    }
    add(TokenKind::number, digits.size());
    tokens_.all.back().value = value;
    return true;
  }

  bool quoted() {
    std::size_t end = at_ + 1;
    for (;;) {
      end = text_.find('`', end);
      if (end == std::string_view::npos) {
        return fault(at_, "a backquote that is never closed; close the name with another one");
      }
      ++end;
      if (end == text_.size() || text_[end] != '`') break;
      ++end;
    }
    add(TokenKind::quoted_name, end - at_);
    return true;
  }

  bool name() {
    std::size_t end = at_;
    while (end < text_.size()) {
      const Character c = character_at(text_, end);
      const bool fits = end == at_ ? starts_name(c.code) : continues_name(c.code);
      if (c.bytes == 0 || !fits) break;
      end += c.bytes;
    }
    if (end == at_) return strange();
    add(TokenKind::name, end - at_);
    return true;
  }

  bool strange() {
    const Character c = character_at(text_, at_);
    if (c.bytes == 0) return fault(at_, "a byte that is no UTF-8 text; save the formula as UTF-8");
    if (c.code == '.') return fault(at_, "a point without digits; write a number such as 0.5");
    return fault(at_, describe_character(c.code, text_.substr(at_, c.bytes)) +
                          " means nothing in a formula: " + std::string(advice_for(c.code)));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Tokens tokens_;
};

}  // namespace

Tokens tokenize(std::string_view text) { return Lexer(text).run(); }

std::string token_name(const Token& token) {
  if (!token.is(TokenKind::quoted_name)) return std::string(token.text);
  std::string name;
  for (std::size_t i = 1; i + 1 < token.text.size(); ++i) {
    name += token.text[i];
    if (token.text[i] == '`') ++i;
  }
  return name;
}

std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

}  // namespace vieta
