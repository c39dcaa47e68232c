#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "expr/lexer.h"
#include "expr/parse_messages.h"
#include "expr/parser.h"
#include "expr/shared.h"
#include "expr/splice.h"

namespace vieta {
namespace {

bool is_name(const Token& token) {
  return token.is(TokenKind::name) || token.is(TokenKind::quoted_name);
}

// Statements one after the other. Each is parsed over the names it uses and no others: a table of
// all names for every statement would make a long text quadratic. Local names stay leaves until
// the result is known; then they are expanded in one pass.
class SharedReader {
 public:
  SharedReader(const Tokens& tokens, const ParseSource& source, const ParseOptions& options)
      : tokens_(tokens), source_(source), options_(options), parameters_(options.parameters) {
    // As in parse(): earlier entries stay, a column wins over a parameter of the same name.
    for (std::size_t i = 0; i < options.variables.size(); ++i) {
      meaning_.try_emplace(options.variables[i], Node::variable(i));
    }
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      meaning_.try_emplace(parameters_[i], Node::parameter(i));
    }
  }

  Result<Expr> read() {
    for (std::size_t at = 0;;) {
      const std::size_t end = end_of_statement(at);
      const bool local = is_name(tokens_.all[at]) && tokens_.all[at + 1].is(TokenKind::assign);
      if (auto wrong = statement_fault(at, end, local)) return std::unexpected(*std::move(wrong));
      auto nodes = read_formula(local ? at + 2 : at, end);
      if (!nodes) return std::unexpected(std::move(nodes.error()));
      if (!local) return result(*nodes, tokens_.all[at]);
      name_local(token_name(tokens_.all[at]), *std::move(nodes));
      at = end + 1;
    }
  }

 private:
  std::size_t end_of_statement(std::size_t at) const {
    const auto ends = [](const Token& token) {
      return token.is(TokenKind::semicolon) || token.is(TokenKind::end) ||
             token.is(TokenKind::fault);
    };
    while (!ends(tokens_.all[at])) ++at;
    return at;
  }

  std::optional<Error> statement_fault(std::size_t at, std::size_t end, bool local) const {
    const Token& first = tokens_.all[at];
    const Token& last = tokens_.all[end];
    if (local && last.is(TokenKind::end)) {
      return error_at(source_, last.begin,
                      "a formula of the result is wanted after the local name " +
                          quoted(token_name(first)) + "; write t = x^2; t + 1");
    }
    if (!local && last.is(TokenKind::semicolon)) {
      return error_at(source_, last.begin,
                      "';' follows a formula that no local name takes; write t = formula; in front "
                      "of the result");
    }
    if (local && meaning_.contains(token_name(first))) {
      return error_at(source_, first.begin,
                      "the local name " + quoted(token_name(first)) +
                          " is taken by a column, a parameter or a local name before; choose "
                          "another name");
    }
    return std::nullopt;
  }

  // The nodes of tokens [begin, end), locals as variables behind the columns.
  Result<std::vector<Node>> read_formula(std::size_t begin, std::size_t end) {
    const Tokens part = statement(begin, end);
    const ParseOptions own{.variables = used_names(part),
                           .parameters = {},
                           .new_parameters = options_.new_parameters,
                           .operators = options_.operators};
    const auto formula = parse_tokens(part, 0, source_, own);
    if (!formula) return std::unexpected(worded_with_all_names(part, formula.error()));
    const std::vector<std::string>& fresh = formula->symbols().parameters;
    for (const std::string& name : fresh) {
      meaning_.emplace(name, Node::parameter(parameters_.size()));
      parameters_.push_back(name);
    }
    std::vector<Node> nodes(formula->nodes().begin(), formula->nodes().end());
    for (Node& node : nodes) {
      if (node.kind == NodeKind::variable)
        node = meaning_.at(own.variables[node.index]);
      else if (node.kind == NodeKind::parameter)
        node = meaning_.at(fresh[node.index]);
    }
    return nodes;
  }

  Tokens statement(std::size_t begin, std::size_t end) const {
    Tokens part{.all = {}, .fault = tokens_.fault};
    for (std::size_t i = begin; i <= end; ++i) part.all.push_back(tokens_.all[i]);
    if (part.all.back().is(TokenKind::semicolon)) {
      part.all.back() = {.kind = TokenKind::end, .begin = tokens_.all[end].begin, .text = {}};
    }
    return part;
  }

  std::vector<std::string> used_names(const Tokens& part) const {
    std::vector<std::string> used;
    std::unordered_set<std::string> seen;
    for (const Token& token : part.all) {
      if (!is_name(token)) continue;
      std::string name = token_name(token);
      if (meaning_.contains(name) && seen.insert(name).second) used.push_back(std::move(name));
    }
    return used;
  }

  // The same refusal, with what a misspelt name may have meant.
  Error worded_with_all_names(const Tokens& part, Error error) const {
    ParseOptions all = options_;
    all.variables.insert(all.variables.end(), names_.begin(), names_.end());
    all.parameters = parameters_;
    auto again = parse_tokens(part, 0, source_, all);
    return again ? std::move(error) : std::move(again.error());
  }

  void name_local(std::string name, std::vector<Node> nodes) {
    names_.push_back(name);
    // What stands for a leaf is that leaf, so that no chain of names is walked for each use.
    if (nodes.size() == 1) {
      meaning_.emplace(std::move(name), nodes.front());
      return;
    }
    meaning_.emplace(std::move(name), Node::variable(options_.variables.size() + locals_.size()));
    sizes_.push_back(expanded_size(nodes));
    locals_.push_back(std::move(nodes));
  }

  bool is_local(const Node& node) const {
    return node.kind == NodeKind::variable && node.index >= options_.variables.size();
  }

  // Stops counting above kMaxNodes.
  std::size_t expanded_size(const std::vector<Node>& nodes) const {
    std::size_t size = 0;
    for (const Node& node : nodes) {
      size += is_local(node) ? sizes_[node.index - options_.variables.size()] : 1;
      if (size > kMaxNodes) break;
    }
    return size;
  }

  Result<Expr> result(const std::vector<Node>& nodes, const Token& first) const {
    const std::size_t size = expanded_size(nodes);
    if (size > kMaxNodes) {
      return std::unexpected(error_at(source_, first.begin, too_large("the formula").message));
    }
    auto symbols = std::make_shared<const Symbols>(Symbols{options_.variables, parameters_});
    return Expr(expanded(nodes, size), std::move(symbols));
  }

  // From the root backwards, formulas within formulas on a stack of their own.
  std::vector<Node> expanded(const std::vector<Node>& nodes, std::size_t size) const {
    struct Rest {
      const std::vector<Node>* nodes;
      std::size_t left;
    };
    std::vector<Node> out;
    out.reserve(size);
    std::vector<Rest> open{{&nodes, nodes.size()}};
    while (!open.empty()) {
      Rest& rest = open.back();
      if (rest.left == 0) {
        open.pop_back();
        continue;
      }
      const Node& node = (*rest.nodes)[--rest.left];
      if (!is_local(node)) {
        out.push_back(node);
        continue;
      }
      const std::vector<Node>& inner = locals_[node.index - options_.variables.size()];
      open.push_back({&inner, inner.size()});
    }
    std::ranges::reverse(out);
    restore_sizes(out);
    return out;
  }

  const Tokens& tokens_;
  const ParseSource& source_;
  const ParseOptions& options_;
  std::vector<std::string> parameters_;
  std::unordered_map<std::string, Node> meaning_;
  std::vector<std::string> names_;         // of all locals
  std::vector<std::vector<Node>> locals_;  // those of more than one node
  std::vector<std::size_t> sizes_;         // of each of them, expanded
};

}  // namespace

Result<Expr> parse_shared(std::string_view text, const ParseOptions& options) {
  text = without_byte_order_mark(text);
  const Tokens tokens = tokenize(text);
  const ParseSource source{.text = text};
  return SharedReader(tokens, source, options).read();
}

}  // namespace vieta
