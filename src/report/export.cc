#include "report/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <set>
#include <vector>

#include "base/check.h"
#include "base/number_text.h"

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

// A piece of text and how strongly it holds together.
struct Piece {
  std::string text;
  int level = kAtom;
};

std::string bracketed(const Piece& piece, ExportLanguage language) {
  if (language == ExportLanguage::latex) return "\\left(" + piece.text + "\\right)";
  return "(" + piece.text + ")";
}

// Puts arguments in for @a, @5b and so on.
std::string fill(std::string_view form, std::span<const Piece> arguments, ExportLanguage language) {
  std::string text;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] != '@') {
      text += form[i];
      continue;
    }
    int needed = 0;
    ++i;
    if (std::isdigit(static_cast<unsigned char>(form[i])) != 0) needed = form[i++] - '0';
    const Piece& argument = arguments[static_cast<std::size_t>(form[i] - 'a')];
    text += argument.level < needed ? bracketed(argument, language) : argument.text;
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
  // A sign binds like a difference.
  const int level = std::signbit(value) ? kSum : kAtom;
  if (!std::isfinite(value)) return {non_finite(value, language), level};
  std::string text = digits > 0 ? number_text_rounded(value, digits) : number_text(value);
  const std::size_t e = text.find('e');
  if (language == ExportLanguage::latex) {
    if (e == std::string::npos) return {text, level};
    return {fmt::format("{} \\cdot 10^{{{}}}", text.substr(0, e), std::stoi(text.substr(e + 1))),
            std::min(level, 5)};
  }
  // C would divide integers; Julia and NumPy would keep them as such.
  if (language != ExportLanguage::sympy && e == std::string::npos &&
      text.find('.') == std::string::npos)
    text += ".0";
  return {text, level};
}

bool is_plain(std::string_view name) {
  const auto letter = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  const auto word = [&](char c) {
    return letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
  };
  return !name.empty() && letter(name.front()) && std::ranges::all_of(name, word);
}

// Words a name may not be in some language: the keywords and functions people would meet.
bool is_taken(std::string_view name) {
  static constexpr std::string_view kTaken[] = {
      "and",      "as",       "assert", "auto",     "break",    "case",   "char",    "class",
      "const",    "continue", "def",    "default",  "del",      "do",     "double",  "elif",
      "else",     "end",      "enum",   "except",   "exec",     "extern", "float",   "for",
      "from",     "function", "global", "goto",     "if",       "import", "in",      "int",
      "is",       "lambda",   "let",    "local",    "long",     "module", "not",     "numpy",
      "or",       "pass",     "print",  "raise",    "register", "return", "scipy",   "short",
      "signed",   "sizeof",   "static", "struct",   "switch",   "try",    "typedef", "union",
      "unsigned", "using",    "void",   "volatile", "while",    "with",   "yield",   "E",
      "I",        "N",        "O",      "Q",        "S",        "oo",     "pi",      "zoo",
      "nan",      "beta",     "zeta",   "Max",      "Min",      "Abs",    "Mod",     "Piecewise",
      "Rational", "Eq",       "Ne",     "And",      "Or",       "True",   "False",   "ceiling",
      "y0",       "y1",       "j0",     "j1"};
  return std::ranges::find(kTaken, name) != std::end(kTaken) || is_op_name(name);
}

// Identifiers for all names, no two alike.
std::vector<std::string> identifiers(std::span<const std::string> names,
                                     std::set<std::string>& used) {
  std::vector<std::string> all;
  for (const std::string& name : names) {
    std::string id = name;
    for (char& c : id) {
      if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    }
    if (id.empty() || std::isdigit(static_cast<unsigned char>(id.front())) != 0) id = "_" + id;
    if (is_taken(id)) id += "_";
    const std::string base = id;
    for (int n = 2; !used.insert(id).second; ++n) id = fmt::format("{}_{}", base, n);
    all.push_back(id);
  }
  return all;
}

std::string latex_name(const std::string& name) {
  if (name.size() == 1 && is_plain(name)) return name;
  // x12 is x with an index; everything else stands upright.
  const std::size_t digits = name.find_first_of("0123456789");
  if (digits == 1 && is_plain(name) &&
      name.find_first_not_of("0123456789", 1) == std::string::npos) {
    return fmt::format("{}_{{{}}}", name.substr(0, 1), name.substr(1));
  }
  std::string escaped;
  for (const char c : name) {
    if (std::string_view("_%&#${}").find(c) != std::string_view::npos) escaped += '\\';
    if (c == '\\' || c == '^' || c == '~') {
      escaped += c == '\\' ? "\\textbackslash{}"
                           : (c == '^' ? "\\textasciicircum{}" : "\\textasciitilde{}");
    } else {
      escaped += c;
    }
  }
  return "\\text{" + escaped + "}";
}

struct Names {
  std::vector<std::string> variables;
  std::vector<std::string> parameters;
};

Names names_in(const Expr& expr, ExportLanguage language) {
  const Symbols& symbols = expr.symbols();
  Names names;
  if (language == ExportLanguage::latex) {
    for (const std::string& name : symbols.variables) names.variables.push_back(latex_name(name));
    for (const std::string& name : symbols.parameters) names.parameters.push_back(latex_name(name));
    return names;
  }
  std::set<std::string> used;
  names.variables = identifiers(symbols.variables, used);
  names.parameters = identifiers(symbols.parameters, used);
  return names;
}

Piece call(Op op, std::span<const Piece> arguments, ExportLanguage language) {
  const ExportForm& form = form_of(op);
  const std::string_view text = form.forms[static_cast<std::size_t>(language)];
  int level = form.latex_level;
  if (language != ExportLanguage::latex) {
    const int precedence = info(op).precedence;
    const bool infix = precedence >= kSum;
    level = infix ? precedence : kAtom;
    // C has no operator for a power.
    if (language == ExportLanguage::c && op == Op::pow) level = kAtom;
  }
  return {fill(text, arguments, language), level};
}

struct CHelper {
  std::string_view name;
  std::string_view text;
};

// In an order in which each uses only those before it.
constexpr CHelper kCHelpers[] = {
    {"v_where",
     "static double v_where(int condition, double a, double b) { return condition ? a : b; }\n"},
    {"v_square", "static double v_square(double a) { return a * a; }\n"},
    {"v_cube", "static double v_cube(double a) { return a * a * a; }\n"},
    {"v_sign", "static double v_sign(double a) { return a > 0 ? 1 : (a < 0 ? -1 : a); }\n"},
    {"v_relu", "static double v_relu(double a) { return a <= 0 ? 0 : a; }\n"},
    {"v_logistic",
     "static double v_logistic(double a) {\n  const double t = exp(-fabs(a));\n  return (a < 0 ? t "
     ": 1) / (1 + t);\n}\n"},
    {"v_softplus",
     "static double v_softplus(double a) { return (a <= 0 ? 0 : a) + log1p(exp(-fabs(a))); }\n"},
    {"v_min",
     "static double v_min(double a, double b) { return a <= b ? a : (b < a ? b : a + b); }\n"},
    {"v_max",
     "static double v_max(double a, double b) { return a >= b ? a : (b > a ? b : a + b); }\n"},
    {"v_mod",
     "static double v_mod(double a, double b) {\n  const double r = fmod(a, b);\n"
     "  return (r < 0 && b > 0) || (r > 0 && b < 0) ? r + b : r;\n}\n"},
    {"v_polygamma",
     "/* Recurrence to a large argument, then the asymptotic series (Abramowitz and Stegun 6.3.18, "
     "6.4.11). b > 0. */\n"
     "static double v_polygamma(double order, double b) {\n"
     "  static const double bernoulli[] = {1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66, "
     "-691.0 / 2730, 7.0 / 6, -3617.0 / 510};\n"
     "  const int n = (int)order;\n"
     "  const double sign = n % 2 == 0 ? -1 : 1;\n"
     "  double factorial = 1, shift = 0, x = b, sum, term;\n"
     "  int k;\n"
     "  for (k = 2; k <= n; ++k) factorial *= k;\n"
     "  for (; x < 20 + 2 * n; x += 1) shift += 1 / pow(x, n + 1);\n"
     "  if (n == 0) {\n"
     "    sum = log(x) - 0.5 / x;\n"
     "    for (k = 0; k < 8; ++k) sum -= bernoulli[k] / (2 * (k + 1)) / pow(x, 2 * (k + 1));\n"
     "    return sum - shift;\n"
     "  }\n"
     "  term = factorial / n / pow(x, n);\n"
     "  sum = term + factorial / (2 * pow(x, n + 1));\n"
     "  for (k = 1; k <= 8; ++k) {\n"
     "    term *= (2.0 * k + n - 1) * (2.0 * k + n - 2) / (2.0 * k * (2.0 * k - 1)) / (x * x);\n"
     "    sum += bernoulli[k - 1] * term;\n"
     "  }\n"
     "  return sign * (sum + factorial * shift);\n"
     "}\n"},
};

}  // namespace

std::optional<ExportLanguage> export_language(std::string_view name) {
  constexpr std::array<std::string_view, 5> kNames = {"latex", "sympy", "numpy", "c", "julia"};
  const auto* at = std::ranges::find(kNames, name);
  if (at == kNames.end()) return std::nullopt;
  return static_cast<ExportLanguage>(at - kNames.begin());
}

std::string export_expression(const Expr& expr, ExportLanguage language, int digits) {
  const Names names = names_in(expr, language);
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
  return stack.back().text;
}

std::string export_c_function(const Expr& expr) {
  const Names names = names_in(expr, ExportLanguage::c);
  const std::string body = export_expression(expr, ExportLanguage::c);
  std::string text = "#include <math.h>\n\n";
  for (const CHelper& helper : kCHelpers) {
    if (body.find(fmt::format("{}(", helper.name)) != std::string::npos) text += helper.text;
  }
  std::vector<std::string> arguments;
  const auto add = [&](std::span<const std::string> ids, std::span<const std::string> originals) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] != originals[i]) text += fmt::format("/* {} is {} */\n", ids[i], originals[i]);
      arguments.push_back("double " + ids[i]);
    }
  };
  add(names.variables, expr.symbols().variables);
  add(names.parameters, expr.symbols().parameters);
  std::string unused;
  for (std::size_t i = 0; i < names.variables.size(); ++i) {
    if (!expr.uses_variable(i)) unused += fmt::format("  (void){};\n", names.variables[i]);
  }
  for (std::size_t i = 0; i < names.parameters.size(); ++i) {
    if (!expr.uses_parameter(i)) unused += fmt::format("  (void){};\n", names.parameters[i]);
  }
  return text +
         fmt::format("double vieta_f({}) {{\n{}  return {};\n}}\n",
                     arguments.empty() ? "void" : fmt::format("{}", fmt::join(arguments, ", ")),
                     unused, body);
}

}  // namespace vieta
