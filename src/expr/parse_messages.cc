#include "expr/parse_messages.h"

#include <vector>

#include "expr/characters.h"
#include "expr/names.h"
#include "expr/operators.h"
#include "ops/op.h"

namespace vieta {
namespace {

constexpr std::string_view kAssignment = "'=' is no operator; write == to compare";
constexpr std::string_view kSemicolon =
    "';' belongs to definitions, after the formula of a local name: f(x) = t = x^2; t + 1";

}  // namespace

std::string quoted(std::string_view text) { return "'" + clipped(text) + "'"; }

std::string missing_operand_message(const Token* before, const Token& here, bool nothing_open) {
  if (here.is(TokenKind::end)) {
    if (before == nullptr) return "the formula is empty; write one, such as 2*x + 1";
    return "the formula ends after " + quoted(before->text) +
           ", where a number, a name or a bracket must follow";
  }
  if (here.is(TokenKind::close) && nothing_open) {
    return "a ')' that closes nothing; remove it or open a bracket before";
  }
  if (here.is(TokenKind::assign)) return std::string(kAssignment);
  if (here.is(TokenKind::semicolon)) return std::string(kSemicolon);
  return "a number, a name or a bracket is missing before " + quoted(here.text);
}

std::string missing_operator_message(const Token& before, const Token& here) {
  if (here.is(TokenKind::assign)) return std::string(kAssignment);
  if (here.is(TokenKind::semicolon)) return std::string(kSemicolon);
  if (here.text == "and" || here.text == "or") {
    return "no operator is called " + quoted(here.text) + "; write && for 'and', || for 'or'";
  }
  return "an operator is missing between " + quoted(before.text) + " and " + quoted(here.text) +
         "; write * to multiply";
}

std::string unknown_name_message(std::string_view name, std::span<const std::string> known) {
  return "nothing is called " + quoted(name) + suggestion(name, known);
}

std::string unknown_function_message(std::string_view name, const Operators* operators) {
  std::vector<std::string> known;
  if (operators != nullptr) {
    for (const Operators::Entry& one : operators->all()) known.push_back(one.name);
  }
  known.insert(known.end(), function_names().begin(), function_names().end());
  const auto nearest = nearest_name(name, known);
  return "no function is called " + quoted(name) +
         (nearest ? "; did you mean " + quoted(*nearest) + "?"
                  : "; use a built-in operator, or define it first");
}

std::string wrong_count_message(std::string_view name, const std::string& wanted, int count) {
  return quoted(name) + " takes " + wanted + (wanted == "1" ? " argument" : " arguments") +
         ", but is given " + std::to_string(count);
}

std::string arities_text(std::string_view name) {
  std::string all;
  for (int arity = 1; arity <= kMaxBuiltinArity; ++arity) {
    if (find_op(name, arity)) all += (all.empty() ? "" : " or ") + std::to_string(arity);
  }
  return all;
}

}  // namespace vieta
