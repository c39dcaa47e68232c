#include "search/grammar.h"

#include <algorithm>
#include <string>

namespace vieta {
namespace {

// Binary before unary: in a list of operators "-" is the difference.
std::optional<Op> find_by_name(std::string_view name, const Operators& defined) {
  if (const Operators::Entry* entry = defined.find(name)) return entry->op;
  for (const int arity : {2, 1, 3}) {
    if (const auto op = find_op(name, arity)) return op;
  }
  return std::nullopt;
}

Result<void> add_operator(std::string_view name, const Operators& defined, Grammar& grammar) {
  const auto op = find_by_name(name, defined);
  if (!op) {
    return fail(ErrorCode::usage, "unknown operator '" + std::string(name) + "' (see vieta ops)",
                {.source = "--ops"});
  }
  if (std::ranges::find(grammar.all, *op) != grammar.all.end()) {
    return fail(ErrorCode::usage,
                "operator '" + std::string(name) + "' is listed twice: name it once",
                {.source = "--ops"});
  }
  grammar.all.push_back(*op);
  grammar.operators[static_cast<std::size_t>(info(*op).arity)].push_back(*op);
  return {};
}

}  // namespace

Result<Grammar> make_grammar(std::string_view operators, std::size_t variables,
                             std::size_t max_size, const Operators& defined) {
  if (max_size < 1)
    return fail(ErrorCode::usage, "a formula has at least 1 node: give 1 or more",
                {.source = "--maxsize"});
  Grammar grammar;
  grammar.operators.resize(kMaxArity + 1);
  grammar.variables = variables;
  grammar.max_size = max_size;
  constexpr std::string_view kBlanks = " ,\t\n";
  for (std::size_t at = operators.find_first_not_of(kBlanks); at != std::string_view::npos;
       at = operators.find_first_not_of(kBlanks, at)) {
    const std::size_t end = std::min(operators.find_first_of(kBlanks, at), operators.size());
    if (auto added = add_operator(operators.substr(at, end - at), defined, grammar); !added)
      return std::unexpected(added.error());
    at = end;
  }
  if (grammar.all.empty()) {
    return fail(ErrorCode::usage, "no operator given: name some, as in \"+ - * / exp log\"",
                {.source = "--ops"});
  }
  return grammar;
}

Node random_leaf(const Grammar& grammar, Rng& rng) {
  if (grammar.variables > 0 && rng.chance(0.6)) return Node::variable(rng.below(grammar.variables));
  return Node::constant(rng.chance(0.5) ? 1.0 : rng.normal());
}

void append_random_tree(const Grammar& grammar, std::size_t size, Rng& rng, Tree& tree) {
  const auto fits = [&](std::size_t arity) {
    return !grammar.operators[arity].empty() && size > arity;
  };
  std::size_t choices = 0;
  for (std::size_t arity = 1; arity <= kMaxArity; ++arity) {
    if (fits(arity)) choices += grammar.operators[arity].size();
  }
  if (choices == 0) {
    tree.push_back(random_leaf(grammar, rng));
    return;
  }
  std::size_t pick = rng.below(choices);
  std::size_t arity = 1;
  while (!fits(arity) || pick >= grammar.operators[arity].size()) {
    if (fits(arity)) pick -= grammar.operators[arity].size();
    ++arity;
  }
  // The remaining nodes are shared out at random, at least one to each argument.
  std::size_t rest = size - 1;
  for (std::size_t k = 0; k < arity; ++k) {
    const std::size_t others = arity - 1 - k;
    const std::size_t share = others == 0 ? rest : 1 + rng.below(rest - others);
    append_random_tree(grammar, share, rng, tree);
    rest -= share;
  }
  append_call(tree, grammar.operators[arity][pick]);
}

}  // namespace vieta
