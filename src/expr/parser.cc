#include "expr/parser.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "expr/machine.h"
#include "expr/names.h"
#include "expr/operators.h"
#include "expr/parse_messages.h"
#include "expr/scope.h"
#include "expr/splice.h"

namespace vieta {
namespace {

// More open brackets than any formula people write or a search prints; a text that has them is a
// generator's accident, and other programs to which formulas are exported stop earlier still.
constexpr std::size_t kMaxOpenBrackets = 2000;

// What waits on the operator stack for its right side or its closing bracket.
struct Pending {
  enum class Kind : unsigned char { prefix, infix, question, colon, bracket, call };
  Kind kind = Kind::bracket;
  Op op = Op::add;             // prefix and infix
  std::size_t token = 0;       // where it stands; for a call, its name
  std::size_t first_node = 0;  // calls: where its arguments start
  int commas = 0;              // calls
  std::optional<Loop> loop = std::nullopt;
  Scope::Binding binding = {};  // the first argument of a loop
};

using Kind = Pending::Kind;

// Operator precedence with an explicit stack (Dijkstra's shunting yard): operands go straight to
// the postfix output, so that neither brackets nor chains of signs or powers use the machine's
// stack.
class Parser {
 public:
  Parser(const Tokens& tokens, std::size_t first, const ParseSource& source,
         const ParseOptions& options)
      : tokens_(tokens.all),
        lexical_fault_(tokens.fault),
        at_(first),
        first_(first),
        source_(source),
        options_(options),
        scope_(options.variables, options.parameters) {}

  Result<Expr> run() {
    while (!done_ && !error_) {
      if (token().is(TokenKind::fault)) {
        fail(at_, lexical_fault_);
      } else if (operand_wanted_) {
        read_operand();
      } else {
        read_operator();
      }
    }
    if (error_) return std::unexpected(*std::move(error_));
    return Expr(std::move(nodes_), scope_.symbols());
  }

 private:
  const Token& token() const { return tokens_[at_]; }
  const Token& token_after(std::size_t ahead = 1) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }

  void fail(std::size_t token, std::string message) {
    if (!error_) error_ = error_at(source_, tokens_[token].begin, std::move(message));
  }

  // --- output

  bool room_for(std::size_t more) {
    if (nodes_.size() + more <= kMaxNodes) return true;
    error_ = error_at(source_, token().begin, too_large("the formula").message);
    return false;
  }

  void emit_leaf(const Node& leaf) {
    if (room_for(1)) nodes_.push_back(leaf);
    operand_wanted_ = false;
  }

  void emit_call(Op op) {
    if (room_for(1)) append_call(nodes_, op);
  }

  static int precedence(const Pending& pending) {
    switch (pending.kind) {
      case Kind::prefix:
      case Kind::infix:
        return info(pending.op).precedence;
      case Kind::colon:
        return 0;
      default:
        return -1;  // brackets and a '?' without its ':' hold everything back
    }
  }

  // Emits what binds at least as tightly as `weakest`.
  void reduce(int weakest) {
    while (!pending_.empty() && precedence(pending_.back()) >= weakest) {
      emit_call(pending_.back().kind == Kind::colon ? Op::if_ : pending_.back().op);
      pending_.pop_back();
    }
  }

  // --- where an operand is wanted

  void read_operand() {
    switch (token().kind) {
      case TokenKind::number:
        emit_leaf(Node::constant(token().value));
        ++at_;
        break;
      case TokenKind::name:
      case TokenKind::quoted_name:
        read_name();
        break;
      case TokenKind::open:
        open({.kind = Kind::bracket, .token = at_});
        break;
      case TokenKind::symbol:
        read_sign();
        break;
      default:
        missing_operand();
    }
  }

  void open(Pending bracket) {
    if (++open_brackets_ > kMaxOpenBrackets) {
      fail(at_, "more than " + std::to_string(kMaxOpenBrackets) +
                    " open brackets; split the formula into smaller ones");
      return;
    }
    pending_.push_back(std::move(bracket));
    ++at_;
  }

  void read_sign() {
    if (token().text == "+") {
      ++at_;
    } else if (token().text == "!") {
      pending_.push_back({.kind = Kind::prefix, .op = Op::not_, .token = at_});
      ++at_;
    } else if (token().text == "-") {
      read_minus();
    } else {
      missing_operand();
    }
  }

  void read_minus() {
    const Token& next = token_after();
    const bool power = token_after(2).is_symbol("^") || token_after(2).is_symbol("**");
    const std::optional<double> number = number_at(next);
    if (number && !power && !token_after(2).is(TokenKind::open)) {
      emit_leaf(Node::constant(-*number));
      at_ += 2;
    } else {
      pending_.push_back({.kind = Kind::prefix, .op = Op::neg, .token = at_});
      ++at_;
    }
  }

  // The value of a number or of a name that stands for one.
  std::optional<double> number_at(const Token& number) const {
    if (number.is(TokenKind::number)) return number.value;
    if (!number.is(TokenKind::name) || scope_.find(std::string(number.text))) {
      return std::nullopt;
    }
    return named_constant(number.text);
  }

  void read_name() {
    const Token& name = token();
    if (name.is(TokenKind::name) && token_after().is(TokenKind::open)) {
      read_function();
      return;
    }
    const std::string text = token_name(name);
    if (const auto leaf = scope_.find(text)) {
      emit_leaf(*leaf);
    } else if (const auto number = number_at(name)) {
      emit_leaf(Node::constant(*number));
    } else if (name.is(TokenKind::name) && is_function(text)) {
      fail(at_, quoted(text) + " is a function; write " + text + "(...), or `" + text +
                    "` in backquotes for a column or parameter of that name");
    } else if (options_.new_parameters) {
      emit_leaf(scope_.add_parameter(text));
    } else {
      unknown_name(text);
    }
    ++at_;
  }

  void read_function() {
    const std::optional<Loop> loop = loop_at(token().text);
    if (loop) return read_loop(*loop);
    if (!is_function(token().text)) {
      unknown_function(std::string(token().text));
      return;
    }
    const std::size_t name = at_++;
    open({.kind = Kind::call, .token = name, .first_node = nodes_.size()});
  }

  const Operators::Entry* definition(std::string_view name) const {
    return options_.operators == nullptr ? nullptr : options_.operators->find(name);
  }

  bool is_self(std::string_view name) const { return source_.self && source_.self->name == name; }

  bool is_function(std::string_view name) const {
    return definition(name) != nullptr || is_op_name(name) || is_self(name) || loop_at(name);
  }

  // --- loops: name(variable, a, b, formula), where only the formula knows the variable

  std::optional<Loop> loop_at(std::string_view name) const {
    return source_.in_definition && definition(name) == nullptr ? find_loop(name) : std::nullopt;
  }

  void read_loop(Loop loop) {
    const std::size_t name = at_++;
    const Token& variable = token_after();
    const bool named = variable.is(TokenKind::name) || variable.is(TokenKind::quoted_name);
    if (!named || !token_after(2).is(TokenKind::comma)) {
      const std::string text(tokens_[name].text);
      fail(at_ + 1,
           "the first argument of a loop is its name; write " + text +
               (loop == Loop::iterate ? "(s, start, count, formula)" : "(i, from, to, formula)"));
      return;
    }
    open({.kind = Kind::call,
          .token = name,
          .first_node = nodes_.size(),
          .loop = loop,
          .binding = {.name = token_name(variable)}});
    at_ += 2;
  }

  void close_loop(const Pending& loop, int count) {
    if (count != 3) return wrong_count(loop, "4", count + 1);
    emit_call(loop_op(*loop.loop));
    nodes_.back().index = loop.binding.variable;
    scope_.release(loop.binding);
  }

  // --- where an operator is wanted

  void read_operator() {
    switch (token().kind) {
      case TokenKind::symbol:
        read_infix();
        break;
      case TokenKind::question:
        reduce(1);
        pending_.push_back({.kind = Kind::question, .token = at_++});
        operand_wanted_ = true;
        break;
      case TokenKind::colon:
        read_colon();
        break;
      case TokenKind::comma:
        read_comma();
        break;
      case TokenKind::close:
        read_close();
        break;
      case TokenKind::end:
        finish();
        break;
      default:
        fail(at_, missing_operator_message(tokens_[at_ - 1], token()));
    }
  }

  void read_infix() {
    const std::optional<Op> op = find_op(token().text, 2);
    if (!op) {
      fail(at_,
           "'!' stands in front of what it negates; write gamma(n + 1) for a factorial, != for "
           "'not equal'");
      return;
    }
    const int own = info(*op).precedence;
    reduce(own + 1);
    const bool same = !pending_.empty() && precedence(pending_.back()) == own;
    if (same && own == info(Op::lt).precedence) {
      fail(at_, "comparisons do not chain; write a < b && b < c, or brackets");
      return;
    }
    // a - b - c is (a - b) - c, but a^b^c is a^(b^c).
    if (*op != Op::pow) reduce(own);
    pending_.push_back({.kind = Kind::infix, .op = *op, .token = at_++});
    operand_wanted_ = true;
  }

  void read_colon() {
    reduce(0);
    if (pending_.empty() || pending_.back().kind != Kind::question) {
      fail(at_, "a ':' without a '?' before it; a choice is written condition ? a : b");
      return;
    }
    pending_.back().kind = Kind::colon;
    ++at_;
    operand_wanted_ = true;
  }

  // Everything since the last open bracket becomes one formula; false if a '?' is in the way.
  bool reduce_to_bracket() {
    reduce(0);
    if (pending_.empty() || pending_.back().kind != Kind::question) return true;
    fail(pending_.back().token, "a '?' without its ':'; a choice is written condition ? a : b");
    return false;
  }

  void read_comma() {
    if (!reduce_to_bracket()) return;
    if (pending_.empty() || pending_.back().kind != Kind::call) {
      fail(at_,
           "a ',' outside the arguments of a function; write a decimal point as '.', or remove it");
      return;
    }
    ++pending_.back().commas;
    if (pending_.back().loop && pending_.back().commas == 2)
      pending_.back().binding = scope_.bind(pending_.back().binding.name);
    ++at_;
    operand_wanted_ = true;
  }

  void read_close() {
    if (!reduce_to_bracket()) return;
    if (pending_.empty()) {
      fail(at_, "a ')' that closes nothing; remove it or open a bracket before");
      return;
    }
    const Pending bracket = std::move(pending_.back());
    pending_.pop_back();
    --open_brackets_;
    if (bracket.kind == Kind::call) call(bracket, bracket.commas + 1);
    ++at_;
    operand_wanted_ = false;
  }

  void call(const Pending& bracket, int count) {
    const std::string_view name = tokens_[bracket.token].text;
    const Operators::Entry* known = definition(name);
    if (bracket.loop) {
      close_loop(bracket, count);
    } else if (is_self(name) && count == info(source_.self->op).arity) {
      emit_call(source_.self->op);
    } else if (known != nullptr && static_cast<std::size_t>(count) == known->arguments.size()) {
      if (known->op) {
        emit_call(*known->op);
      } else {
        inline_body(*known->body, known->arguments.size(), bracket.first_node);
      }
    } else if (known != nullptr || is_self(name)) {
      wrong_count(bracket, wanted_count(name), count);
    } else if (const std::optional<Op> op = find_op(name, count)) {
      emit_call(*op);
    } else {
      wrong_count(bracket, wanted_count(name), count);
    }
  }

  void inline_body(const Expr& body, std::size_t arity, std::size_t first_node) {
    const std::vector<Node> given(nodes_.begin() + static_cast<std::ptrdiff_t>(first_node),
                                  nodes_.end());
    std::vector<std::span<const Node>> arguments_of(arity);
    std::size_t end = given.size();
    for (std::size_t k = arguments_of.size(); k > 0; --k) {
      arguments_of[k - 1] = subtree(given, end - 1);
      end -= arguments_of[k - 1].size();
    }
    nodes_.resize(first_node);
    if (!room_for(spliced_size(body.nodes(), arguments_of))) return;
    append_spliced(nodes_, body.nodes(), arguments_of);
  }

  void finish() {
    if (!reduce_to_bracket()) return;
    if (!pending_.empty()) {
      const Pending& bracket = pending_.back();
      fail(bracket.kind == Kind::call ? bracket.token + 1 : bracket.token,
           "a '(' that is never closed; write a ')'");
      return;
    }
    done_ = true;
  }

  // --- what went wrong

  void missing_operand() {
    const bool after_open = at_ > first_ && tokens_[at_ - 1].is(TokenKind::open);
    const bool call = !pending_.empty() && pending_.back().kind == Kind::call;
    if (token().is(TokenKind::close) && after_open && call) {
      wrong_count(pending_.back(), wanted_count(tokens_[pending_.back().token].text), 0);
    } else {
      fail(at_, missing_operand_message(at_ > first_ ? &tokens_[at_ - 1] : nullptr, token(),
                                        pending_.empty()));
    }
  }

  void unknown_name(const std::string& text) {
    std::vector<std::string> known = options_.variables;
    known.insert(known.end(), scope_.parameters().begin(), scope_.parameters().end());
    fail(at_, unknown_name_message(text, known));
  }

  void unknown_function(const std::string& text) {
    if (find_loop(text)) {
      fail(at_, quoted(text) + " is a loop; loops belong to definitions, as in f(n) = " + text +
                    (text == "iterate" ? "(s, 1, n, s/2 + 1/s)" : "(i, 1, n, 1/i)"));
    } else if (scope_.find(text) || number_at(token())) {
      fail(at_, quoted(text) + " is no function; write " + text + "*(...) to multiply");
    } else {
      fail(at_, unknown_function_message(text, options_.operators));
    }
  }

  std::string wanted_count(std::string_view name) const {
    if (is_self(name)) return std::to_string(info(source_.self->op).arity);
    const Operators::Entry* known = definition(name);
    return known != nullptr ? std::to_string(known->arguments.size()) : arities_text(name);
  }

  void wrong_count(const Pending& bracket, const std::string& wanted, int count) {
    fail(bracket.token, wrong_count_message(tokens_[bracket.token].text, wanted, count));
  }

  const std::vector<Token>& tokens_;
  const std::string& lexical_fault_;
  std::size_t at_;
  std::size_t first_;
  const ParseSource& source_;
  const ParseOptions& options_;
  Scope scope_;
  std::vector<Node> nodes_;
  std::vector<Pending> pending_;
  std::size_t open_brackets_ = 0;
  bool operand_wanted_ = true;
  bool done_ = false;
  std::optional<Error> error_;
};

}  // namespace

Error error_at(const ParseSource& source, std::size_t byte, std::string message) {
  return {
      ErrorCode::usage,
      std::move(message),
      {.source = std::string(source.name), .column = byte + 1, .text = std::string(source.text)}};
}

Result<Expr> parse_tokens(const Tokens& tokens, std::size_t first, const ParseSource& source,
                          const ParseOptions& options) {
  return Parser(tokens, first, source, options).run();
}

}  // namespace vieta
