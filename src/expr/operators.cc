#include "expr/operators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "expr/characters.h"
#include "expr/machine.h"
#include "expr/parse_messages.h"
#include "expr/print.h"

namespace vieta {
namespace {

// Every @ in a form for LaTeX is followed by an argument's letter, a precedence perhaps before it.
bool is_form(std::string_view form, int arity) {
  for (std::size_t at = form.find('@'); at != std::string_view::npos; at = form.find('@', at + 1)) {
    std::string_view rest = form.substr(at + 1);
    if (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') rest.remove_prefix(1);
    if (rest.empty() || rest.front() < 'a' || rest.front() >= 'a' + arity) return false;
  }
  return true;
}

// Whether exchanging the first two arguments changes nothing, on some numbers and to rounding.
bool keeps_symmetry(Op op) {
  if (!info(op).commutative) return true;
  constexpr double kNumbers[] = {0.5, -1.25, 2, -0.03, 7.5, 1};
  const auto arity = static_cast<std::size_t>(info(op).arity);
  std::array<double, kMaxArity> x{};
  x.fill(0.75);
  for (const double a : kNumbers) {
    for (const double b : kNumbers) {
      x[0] = a;
      x[1] = b;
      const double one = value_once(op, std::span(x).first(arity));
      std::swap(x[0], x[1]);
      const double other = value_once(op, std::span(x).first(arity));
      const bool same = one == other || (std::isnan(one) && std::isnan(other)) ||
                        std::abs(one - other) <= 1e-12 * std::abs(one);
      if (!same) return false;
    }
  }
  return true;
}

}  // namespace

Result<void> Operators::check_name(std::string_view name) const {
  const bool plain = !name.empty() && is_identifier(name);
  if (plain && !is_op_name(name) && !find_loop(name) && find(name) == nullptr) return {};
  const std::string what =
      !plain ? " is no plain name; use letters, digits and _"
             : (find(name) != nullptr ? " is defined twice; choose another name"
                                      : " is a built-in operator; choose another name");
  return fail(ErrorCode::usage, quoted(name) + what, {.source = "operator"});
}

Error Operators::wrong_derivative(std::string_view name) {
  return {ErrorCode::usage,
          "the derivative given for " + quoted(name) +
              " is not that of its value; mend it, or leave it out: it is derived without",
          {.source = "operator"}};
}

Result<void> Operators::add_op(std::string_view name, Op op) {
  const int arity = info(op).arity;
  if (!is_form(user_op(op).traits.latex, arity)) {
    return fail(ErrorCode::usage,
                "the LaTeX form of " + quoted(name) + " has an @ without one of its " +
                    std::to_string(arity) + " arguments; write @a, @b, ... for them",
                {.source = "operator"});
  }
  if (!keeps_symmetry(op)) {
    return fail(ErrorCode::usage,
                quoted(name) +
                    " is declared commutative, but changes when its first two arguments "
                    "are exchanged; leave the declaration out",
                {.source = "operator"});
  }
  Entry entry{.name = std::string(name), .arguments = {}, .op = op, .body = {}, .text = {}};
  for (int k = 1; k <= arity; ++k) entry.arguments.push_back("x" + std::to_string(k));
  entries_.push_back(std::move(entry));
  return {};
}

Result<Operators> define_all(const std::vector<std::string>& texts) {
  Operators operators;
  for (const std::string& text : texts) {
    if (auto added = operators.define(text); !added) return std::unexpected(added.error());
  }
  return operators;
}

std::string unfinished_calls(const Expr& expr) {
  for (const Node& node : expr.nodes()) {
    if (node.kind != NodeKind::call || is_builtin(node.op)) continue;
    const UserOp& row = user_op(node.op);
    if (row.has_body() || row.function->calls_without_result() == 0) continue;
    return quoted(row.name) + " took more than " + std::to_string(kMaxMachineSteps) + " steps";
  }
  return {};
}

const Operators::Entry* Operators::find(std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, &Entry::name);
  return found == entries_.end() ? nullptr : &*found;
}

}  // namespace vieta
