#include "report/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <vector>

#include "base/check.h"
#include "base/number_text.h"
#include "expr/inline_operators.h"
#include "expr/print.h"
#include "ops/user_op.h"
#include "report/export_names.h"
#include "report/json_number.h"

namespace vieta {
namespace {

struct ExportForm {
  Op op;
  int latex_level;
  std::array<std::string_view, 5> forms;  ///< in the order of ExportLanguage
};

constexpr ExportForm kForms[] = {
#define VIETA_EXPORT(id, level, latex, sympy, numpy, c, julia) \
  {Op::id, level, {latex, sympy, numpy, c, julia}},
#include "ops/export_forms.def"
#undef VIETA_EXPORT
};
static_assert(std::size(kForms) == kOpCount, "every operator needs a row in ops/export_forms.def");

const ExportForm& form_of(Op op) {
  const auto* at = std::ranges::find(kForms, op, &ExportForm::op);
  VIETA_CHECK(at != std::end(kForms));
  return *at;
}

constexpr int kAtom = 10;
constexpr int kSum = 4;
constexpr int kProduct = 5;

// A piece of text and how strongly it holds together.
struct Piece {
  std::string text;
  int level = kAtom;
  /// It starts with a sign that binds like a difference, but may lead a product: -b*t is (-b)*t to
  /// the last bit.
  bool leading_sign = false;
  /// What holds or not, as x < y; no number.
  bool condition = false;
};

bool is_condition(Op op) {
  const int precedence = info(op).precedence;
  return op == Op::not_ || (precedence > 0 && precedence <= info(Op::lt).precedence);
}

std::string bracketed(const Piece& piece, ExportLanguage language) {
  if (language == ExportLanguage::latex) return "\\left(" + piece.text + "\\right)";
  return "(" + piece.text + ")";
}

// A condition as the number it stands for.
Piece as_value(Piece piece, ExportLanguage language) {
  if (!piece.condition) return piece;
  switch (language) {
    case ExportLanguage::latex:
      return {"\\left[" + piece.text + "\\right]"};
    case ExportLanguage::sympy:
      return {"Piecewise((1, " + piece.text + "), (0, True))"};
    case ExportLanguage::numpy:
      return {"numpy.where(" + piece.text + ", 1.0, 0.0)"};
    case ExportLanguage::c:
      return {"v_where(" + piece.text + ", 1, 0)"};
    case ExportLanguage::julia:
      return {"ifelse(" + piece.text + ", 1.0, 0.0)"};
  }
  return piece;
}

Piece as_condition(Piece piece, ExportLanguage language);

// Puts arguments in for @a, @5b, @?a and so on. The first one is moved where it can be, so that a
// long sum costs no more than its text.
std::string fill(std::string_view form, std::span<Piece> arguments, ExportLanguage language) {
  std::string text;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] != '@') {
      text += form[i];
      continue;
    }
    int needed = 0;
    ++i;
    const bool condition = form[i] == '?';
    if (condition) ++i;
    if (std::isdigit(static_cast<unsigned char>(form[i])) != 0) needed = form[i++] - '0';
    Piece& argument = arguments[static_cast<std::size_t>(form[i] - 'a')];
    if (condition != argument.condition) {
      argument = condition ? as_condition(std::move(argument), language)
                           : as_value(std::move(argument), language);
    }
    if (argument.level < needed) {
      text += bracketed(argument, language);
    } else if (text.empty() && form.find('a', i + 1) == std::string_view::npos) {
      text = std::move(argument.text);
    } else {
      text += argument.text;
    }
  }
  return text;
}

std::string non_finite(double value, ExportLanguage language) {
  const bool nan = std::isnan(value);
  const std::string sign = value < 0 ? "-" : "";
  switch (language) {
    case ExportLanguage::latex:
      return nan ? "\\mathrm{NaN}" : sign + "\\infty";
    case ExportLanguage::sympy:
      return nan ? "nan" : sign + "oo";
    case ExportLanguage::numpy:
      return nan ? "numpy.nan" : sign + "numpy.inf";
    case ExportLanguage::c:
      return nan ? "NAN" : sign + "INFINITY";
    case ExportLanguage::julia:
      return nan ? "NaN" : sign + "Inf";
  }
  return "";
}

Piece number(double value, ExportLanguage language, int digits) {
  const bool sign = std::signbit(value) && !std::isnan(value);
  const int level = sign ? kSum : kAtom;
  if (!std::isfinite(value)) return {non_finite(value, language), level, sign};
  std::string text = digits > 0 ? number_text_rounded(value, digits) : number_text(value);
  const std::size_t e = text.find('e');
  if (language == ExportLanguage::latex) {
    if (e == std::string::npos) return {text, level, sign};
    return {fmt::format("{} \\cdot 10^{{{}}}", text.substr(0, e), std::stoi(text.substr(e + 1))),
            std::min(level, kProduct), sign};
  }
  // C would divide integers; Julia and NumPy would keep them as such.
  if (language != ExportLanguage::sympy && e == std::string::npos &&
      text.find('.') == std::string::npos)
    text += ".0";
  return {text, level, sign};
}

int level_of(Op op, ExportLanguage language) {
  if (language == ExportLanguage::latex) return form_of(op).latex_level;
  // C has no operator for a power.
  if (language == ExportLanguage::c && op == Op::pow) return kAtom;
  const int precedence = info(op).precedence;
  return precedence >= kSum ? precedence : kAtom;
}

// Comparisons, and what is made of conditions. One that is a call (And, numpy.logical_and) never
// meets an operator that would need its level.
Piece condition(Op op, std::span<Piece> arguments, ExportLanguage language) {
  const std::string_view form = form_of(op).forms[static_cast<std::size_t>(language)];
  return {fill(form, arguments, language), info(op).precedence, false, true};
}

// A number holds where it is not 0.
Piece as_condition(Piece piece, ExportLanguage language) {
  std::array<Piece, 2> sides{std::move(piece), number(0, language, 0)};
  return condition(Op::ne, sides, language);
}

// A function of the user's: what it does is up to whoever reads the text.
Piece call_by_name(Op op, std::span<Piece> arguments, ExportLanguage language) {
  const bool latex = language == ExportLanguage::latex;
  const std::string& form = user_op(op).traits.latex;
  if (latex && !form.empty()) return {fill(form, arguments, language), kAtom};
  std::string name;
  for (const char c : info(op).name)
    name += latex && c == '_' ? std::string("\\_") : std::string(1, c);
  if (language == ExportLanguage::c) name = "vieta_" + name;
  std::string text = latex ? "\\operatorname{" + name + "}\\left(" : name + "(";
  for (std::size_t k = 0; k < arguments.size(); ++k)
    text += (k > 0 ? ", " : "") + as_value(arguments[k], language).text;
  return {text + (latex ? "\\right)" : ")"), kAtom};
}

Piece call(Op op, std::span<Piece> arguments, ExportLanguage language) {
  if (!is_builtin(op)) return call_by_name(op, arguments, language);
  if (op == Op::not_ && !arguments[0].condition) {
    std::array<Piece, 2> sides{std::move(arguments[0]), number(0, language, 0)};
    return condition(Op::eq, sides, language);
  }
  if (is_condition(op)) return condition(op, arguments, language);
  const std::string_view text = form_of(op).forms[static_cast<std::size_t>(language)];
  // A fraction in LaTeX is no product.
  const bool product = op == Op::mul || (op == Op::div && language != ExportLanguage::latex);
  if (product && arguments[0].leading_sign) {
    arguments[0].level = kProduct;
    return {fill(text, arguments, language), kSum, true};
  }
  if (op == Op::neg) return {fill(text, arguments, language), kSum, true};
  return {fill(text, arguments, language), level_of(op, language)};
}

// With the user's operators written out, where that is possible.
Expr exportable(const Expr& expr) {
  const Result<Expr> inlined = inline_operators(expr);
  return inlined ? *inlined : expr;
}

}  // namespace

std::optional<ExportLanguage> export_language(std::string_view name) {
  constexpr std::array<std::string_view, 5> kNames = {"latex", "sympy", "numpy", "c", "julia"};
  const auto* at = std::ranges::find(kNames, name);
  if (at == kNames.end()) return std::nullopt;
  return static_cast<ExportLanguage>(at - kNames.begin());
}

std::vector<std::string> functions_to_supply(const Expr& expr) {
  std::vector<std::string> names;
  const Expr written = exportable(expr);
  for (const Node& node : written.nodes()) {
    if (node.kind != NodeKind::call || is_builtin(node.op)) continue;
    std::string name(info(node.op).name);
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

std::string export_expression(const Expr& given, ExportLanguage language, int digits) {
  // People read LaTeX: a name says more to them than what it stands for.
  const Expr expr = language == ExportLanguage::latex ? given : exportable(given);
  const ExportNames names = export_names(expr, language);
  std::vector<Piece> stack;
  for (const Node& node : expr.nodes()) {
    switch (node.kind) {
      case NodeKind::variable:
        stack.push_back({names.variables[node.index], kAtom});
        break;
      case NodeKind::parameter:
        stack.push_back({names.parameters[node.index], kAtom});
        break;
      case NodeKind::constant:
        stack.push_back(number(node.value, language, digits));
        break;
      case NodeKind::call: {
        const auto arity = static_cast<std::size_t>(node.arity());
        Piece piece = call(node.op, {stack.end() - node.arity(), arity}, language);
        stack.resize(stack.size() - arity);
        stack.push_back(std::move(piece));
        break;
      }
    }
  }
  return as_value(std::move(stack.back()), language).text;
}

std::vector<std::string> changed_names(const Expr& expr, ExportLanguage language) {
  const ExportNames names = export_names(expr, language);
  std::vector<std::string> changes;
  if (language == ExportLanguage::latex || language == ExportLanguage::sympy) return changes;
  const auto compare = [&](std::span<const std::string> ids,
                           std::span<const std::string> originals) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] != originals[i]) changes.push_back(fmt::format("{} is {}", ids[i], originals[i]));
    }
  };
  compare(names.variables, expr.symbols().variables);
  compare(names.parameters, expr.symbols().parameters);
  return changes;
}

std::string export_json(const Expr& given) {
  const Expr expr = exportable(given);
  const Symbols& symbols = expr.symbols();
  nlohmann::ordered_json postfix = nlohmann::ordered_json::array();
  for (const Node& node : expr.nodes()) {
    switch (node.kind) {
      case NodeKind::variable:
        postfix.push_back({{"variable", symbols.variables[node.index]}});
        break;
      case NodeKind::parameter:
        postfix.push_back({{"parameter", symbols.parameters[node.index]}});
        break;
      case NodeKind::constant:
        postfix.push_back({{"constant", number_or_text(node.value)}});
        break;
      case NodeKind::call:
        postfix.push_back({{"call", info(node.op).name}, {"arity", node.arity()}});
        break;
    }
  }
  const nlohmann::ordered_json json{
      {"format", "vieta formula"},      {"version", 1},
      {"formula", print(expr)},         {"complexity", given.complexity()},
      {"variables", symbols.variables}, {"parameters", symbols.parameters},
      {"postfix", std::move(postfix)}};
  return json.dump(1) + "\n";
}

}  // namespace vieta
