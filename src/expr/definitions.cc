#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "expr/characters.h"
#include "expr/inline_operators.h"
#include "expr/lexer.h"
#include "expr/machine.h"
#include "expr/operators.h"
#include "expr/parse.h"
#include "expr/parse_messages.h"
#include "expr/parser.h"
#include "expr/print.h"
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
// While it is read, the local names are variables behind the arguments.
class BodyReader {
 public:
  BodyReader(const Tokens& tokens, const ParseSource& source, const Operators& earlier,
             std::vector<std::string> arguments)
      : tokens_(tokens), source_(source) {
    options_ = {.variables = std::move(arguments), .parameters = {}, .operators = &earlier};
  }

  Result<std::vector<Expr>> read(std::size_t at) {
    std::vector<Expr> statements;
    while (true) {
      const std::size_t end = end_of_statement(at);
      const Token& name = tokens_.all[at];
      const bool local = is_local(at);
      if (Result<void> fine = check_statement(name, local, end); !fine) {
        return std::unexpected(std::move(fine.error()));
      }
      Result<Expr> formula = read_formula(local ? at + 2 : at, end);
      if (!formula) return std::unexpected(std::move(formula.error()));
      statements.push_back(*std::move(formula));
      if (!local) return statements;
      options_.variables.push_back(token_name(name));
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

  Result<Expr> read_formula(std::size_t begin, std::size_t end) const {
    Tokens part;
    part.all.assign(tokens_.all.begin() + static_cast<std::ptrdiff_t>(begin),
                    tokens_.all.begin() + static_cast<std::ptrdiff_t>(end));
    part.all.push_back({.kind = TokenKind::end, .begin = tokens_.all[end].begin, .text = {}});
    return parse_tokens(part, 0, source_, options_);
  }

  const Tokens& tokens_;
  const ParseSource& source_;
  ParseOptions options_;  // variables: the arguments, then the local names
};

// Where the body first calls itself or loops; beyond the end if it does neither.
std::size_t first_to_run(const std::vector<Token>& tokens, const Head& head) {
  std::size_t at = head.body;
  for (; at + 1 < tokens.size(); ++at) {
    const bool call = tokens[at].is(TokenKind::name) && tokens[at + 1].is(TokenKind::open);
    if (call && (tokens[at].text == head.name || find_loop(tokens[at].text))) return at;
  }
  return tokens.size();
}

// The result's formula over the arguments alone: every local name replaced by its formula.
Result<Expr> without_locals(const std::vector<Expr>& statements,
                            const std::vector<std::string>& arguments) {
  const auto symbols =
      std::make_shared<const Symbols>(Symbols{.variables = arguments, .parameters = {}});
  std::vector<std::vector<Node>> values(arguments.size());
  for (const Expr& statement : statements) {
    const std::vector<std::span<const Node>> known(values.begin(), values.end());
    if (spliced_size(statement.nodes(), known) > kMaxNodes)
      return std::unexpected(too_large("the definition"));
    std::vector<Node> nodes;
    append_spliced(nodes, statement.nodes(), known);
    values.push_back(std::move(nodes));
  }
  return Expr(std::move(values.back()), symbols);
}

// What the machine could not run, or would run for ever.
std::string machine_fault(const MachineBody& body, const std::string& name, Op self) {
  if (body.statements.size() > kMaxMachineLocals + 1) {
    return "more than " + std::to_string(kMaxMachineLocals) +
           " local names in a definition that calls itself or loops; split it";
  }
  for (const Expr& statement : body.statements) {
    if (statement.depth() > kMaxMachineDepth) {
      return "a formula more than " + std::to_string(kMaxMachineDepth) +
             " operators deep in a definition that calls itself or loops; split it";
    }
  }
  if (!never_ends(body, self)) return {};
  return quoted(name) +
         " calls itself whatever its arguments are, so it never ends; give it a way "
         "out, as in n <= 1 ? 1 : n*" +
         name + "(n - 1)";
}

}  // namespace

Result<void> Operators::define(std::string_view text) {
  text = without_byte_order_mark(text);
  ParseSource source{.text = text, .name = "definition", .in_definition = true};
  const Tokens tokens = tokenize(text);
  if (tokens.all.back().is(TokenKind::fault)) {
    return refuse(source, tokens.all.back(), tokens.fault);
  }
  Result<Head> head = read_head(tokens.all, source);
  if (!head) return std::unexpected(std::move(head.error()));
  if (Result<void> fine = check_name(head->name); !fine)
    return refuse(source, tokens.all[0], fine.error().message);
  const std::size_t first_run = first_to_run(tokens.all, *head);
  const bool runs = first_run < tokens.all.size();
  const int arity = static_cast<int>(head->arguments.size());
  if (runs && arity > kMaxArity) {
    return refuse(source, tokens.all[0],
                  "a definition that calls itself or loops has at most " +
                      std::to_string(kMaxArity) + " arguments");
  }
  Entry entry{head->name, head->arguments, std::nullopt, std::nullopt, std::string(text)};
  if (runs) {
    entry.op = reserve_user_op(head->name, arity, {.meaning = std::string(text)});
    source.self = ParseSource::Self{head->name, *entry.op};
  }
  auto statements = BodyReader(tokens, source, *this, head->arguments).read(head->body);
  if (!statements) return std::unexpected(std::move(statements.error()));
  if (runs) {
    MachineBody body{arity, *std::move(statements)};
    const std::string fault = machine_fault(body, head->name, *entry.op);
    if (!fault.empty()) return refuse(source, tokens.all[first_run], fault);
    complete_user_op(*entry.op, make_machine(body, *entry.op));
  } else {
    if (arity <= kMaxArity) {
      OpBody steps = body_of(*statements, head->arguments.size());
      if (count_steps(steps) > kMaxBodySteps) {
        return refuse(source, tokens.all[head->body],
                      "the definition, those it calls written out, has more than " +
                          std::to_string(kMaxBodySteps) + " nodes; split it");
      }
      entry.op = add_user_op(head->name, arity, {.meaning = std::string(text)}, std::move(steps));
    } else {
      Result<Expr> body = without_locals(*statements, head->arguments);
      if (!body) return refuse(source, tokens.all[head->body], body.error().message);
      entry.body = *std::move(body);
    }
  }
  entries_.push_back(std::move(entry));
  return {};
}

}  // namespace vieta
