#include <algorithm>
#include <utility>

#include "expr/lexer.h"
#include "expr/parse.h"
#include "expr/parse_messages.h"
#include "expr/parser.h"

namespace vieta {
namespace {

// The head of a definition and the number of its body's first token.
struct Head {
  std::string name;
  std::vector<std::string> arguments;
  std::size_t body = 0;
};

std::unexpected<Error> refuse(const ParseSource& source, const Token& token, std::string message) {
  return std::unexpected(error_at(source, token.begin, std::move(message)));
}

// name ( name , name ... ) =
Result<Head> read_head(const std::vector<Token>& tokens, const ParseSource& source) {
  const auto expected = [&](std::size_t at, std::string_view what) {
    const Token& met = tokens[std::min(at, tokens.size() - 1)];
    return refuse(source, met,
                  std::string(what) + " is wanted" +
                      (met.is(TokenKind::end) ? "" : " before " + quoted(met.text)) +
                      "; a definition is written name(a, b) = formula");
  };
  if (!tokens[0].is(TokenKind::name)) return expected(0, "a plain name");
  Head head{.name = std::string(tokens[0].text), .arguments = {}};
  if (!tokens[1].is(TokenKind::open)) return expected(1, "'('");
  std::size_t at = 1;
  do {
    ++at;
    const Token& argument = tokens[at];
    if (!argument.is(TokenKind::name) && !argument.is(TokenKind::quoted_name)) {
      return expected(at, "an argument's name");
    }
    std::string name = token_name(argument);
    if (std::ranges::find(head.arguments, name) != head.arguments.end()) {
      return refuse(source, argument,
                    "the argument " + quoted(name) + " is named twice; give each its own name");
    }
    head.arguments.push_back(std::move(name));
    ++at;
  } while (tokens[at].is(TokenKind::comma));
  if (!tokens[at].is(TokenKind::close)) return expected(at, "',' or ')'");
  if (!tokens[++at].is(TokenKind::assign)) return expected(at, "'='");
  head.body = at + 1;
  return head;
}

}  // namespace

Result<void> Definitions::add(std::string_view text) {
  text = without_byte_order_mark(text);
  ParseSource source{.text = text, .name = "definition"};
  const Tokens tokens = tokenize(text);
  if (tokens.all.back().is(TokenKind::fault)) {
    return refuse(source, tokens.all.back(), tokens.fault);
  }
  Result<Head> head = read_head(tokens.all, source);
  if (!head) return std::unexpected(std::move(head.error()));
  if (is_op_name(head->name)) {
    return refuse(source, tokens.all[0],
                  quoted(head->name) + " is a built-in operator; choose another name");
  }
  if (find(head->name) != nullptr) {
    return refuse(source, tokens.all[0],
                  quoted(head->name) + " is defined twice; choose another name");
  }
  source.defining = head->name;
  const ParseOptions options{.variables = head->arguments, .parameters = {}, .definitions = this};
  Result<Expr> body = parse_tokens(tokens, head->body, source, options);
  if (!body) return std::unexpected(std::move(body.error()));
  definitions_.push_back(
      {std::move(head->name), std::move(head->arguments), *std::move(body), std::string(text)});
  return {};
}

const Definitions::Definition* Definitions::find(std::string_view name) const {
  const auto found = std::ranges::find(definitions_, name, &Definition::name);
  return found == definitions_.end() ? nullptr : &*found;
}

}  // namespace vieta
