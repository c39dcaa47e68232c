#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "expr/lexer.h"
#include "expr/parse.h"
#include "expr/parse_messages.h"
#include "expr/parser.h"
#include "expr/splice.h"

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

// What follows the head: `local = formula;` any number of times, then the formula of the result.
// While it is read, the local names are variables behind the arguments; each formula then has them
// replaced, so that what is kept is over the arguments alone.
class BodyReader {
 public:
  BodyReader(const Tokens& tokens, const ParseSource& source, const Definitions& earlier,
             std::vector<std::string> arguments)
      : tokens_(tokens), source_(source), locals_(arguments.size()) {
    symbols_ = std::make_shared<const Symbols>(Symbols{.variables = arguments, .parameters = {}});
    options_ = {.variables = std::move(arguments), .parameters = {}, .definitions = &earlier};
  }

  Result<Expr> read(std::size_t at) {
    while (true) {
      const std::size_t end = end_of_statement(at);
      const Token& name = tokens_.all[at];
      const bool local = is_local(at);
      if (Result<void> fine = check_statement(name, local, end); !fine) {
        return std::unexpected(std::move(fine.error()));
      }
      Result<Expr> formula = read_formula(local ? at + 2 : at, end);
      if (!formula || !local) return formula;
      options_.variables.push_back(token_name(name));
      locals_.emplace_back(formula->nodes().begin(), formula->nodes().end());
      at = end + 1;
    }
  }

 private:
  std::size_t end_of_statement(std::size_t at) const {
    while (!tokens_.all[at].is(TokenKind::semicolon) && !tokens_.all[at].is(TokenKind::end)) ++at;
    return at;
  }

  bool is_local(std::size_t at) const {
    const Token& name = tokens_.all[at];
    return (name.is(TokenKind::name) || name.is(TokenKind::quoted_name)) &&
           tokens_.all[at + 1].is(TokenKind::assign);
  }

  Result<void> check_statement(const Token& name, bool local, std::size_t end) const {
    const bool last = tokens_.all[end].is(TokenKind::end);
    if (local && last) {
      return refuse(source_, tokens_.all[end],
                    "a formula of the result is wanted after the local name " +
                        quoted(token_name(name)) + "; write name(a) = t = a^2; t + 1");
    }
    if (!local && !last) {
      return refuse(source_, tokens_.all[end],
                    "';' follows a formula that no local name takes; write t = formula; in front "
                    "of the result");
    }
    if (local && is_taken(token_name(name))) {
      return refuse(source_, name,
                    "the local name " + quoted(token_name(name)) +
                        " is taken by an argument or a local name before; choose another name");
    }
    return {};
  }

  bool is_taken(const std::string& name) const {
    return std::ranges::find(options_.variables, name) != options_.variables.end();
  }

  // The formula of tokens [begin, end), over the arguments alone.
  Result<Expr> read_formula(std::size_t begin, std::size_t end) const {
    Tokens part;
    part.all.assign(tokens_.all.begin(), tokens_.all.begin() + static_cast<std::ptrdiff_t>(end));
    part.all.push_back({.kind = TokenKind::end, .begin = tokens_.all[end].begin, .text = {}});
    Result<Expr> formula = parse_tokens(part, begin, source_, options_);
    if (!formula) return formula;
    const std::vector<std::span<const Node>> values(locals_.begin(), locals_.end());
    if (spliced_size(formula->nodes(), values) > kMaxNodes) {
      return refuse(source_, tokens_.all[begin], too_large("the definition").message);
    }
    std::vector<Node> nodes;
    append_spliced(nodes, formula->nodes(), values);
    return Expr(std::move(nodes), symbols_);
  }

  const Tokens& tokens_;
  const ParseSource& source_;
  ParseOptions options_;                   // variables: the arguments, then the local names
  std::vector<std::vector<Node>> locals_;  // a variable each; empty for an argument
  std::shared_ptr<const Symbols> symbols_;
};

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
  Result<Expr> body = BodyReader(tokens, source, *this, head->arguments).read(head->body);
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
