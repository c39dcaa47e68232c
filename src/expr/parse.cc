#include "expr/parse.h"

#include <algorithm>
#include <set>
#include <utility>

#include "expr/lexer.h"
#include "expr/names.h"
#include "expr/parser.h"

namespace vieta {

Result<Expr> parse(std::string_view text, const ParseOptions& options) {
  text = without_byte_order_mark(text);
  return parse_tokens(tokenize(text), 0, {.text = text}, options);
}

Result<std::vector<std::string>> free_names(std::string_view text,
                                            std::span<const std::string> known) {
  text = without_byte_order_mark(text);
  const Tokens tokens = tokenize(text);
  if (tokens.all.back().is(TokenKind::fault)) {
    return std::unexpected(error_at({.text = text}, tokens.all.back().begin, tokens.fault));
  }
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (std::size_t i = 0; i + 1 < tokens.all.size(); ++i) {
    const Token& token = tokens.all[i];
    const bool plain = token.is(TokenKind::name);
    if (!plain && !token.is(TokenKind::quoted_name)) continue;
    if (plain && tokens.all[i + 1].is(TokenKind::open)) continue;
    std::string name = token_name(token);
    const bool constant = plain && named_constant(name).has_value();
    if (constant && std::ranges::find(known, name) == known.end()) continue;
    if (seen.insert(name).second) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace vieta
