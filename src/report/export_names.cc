#include "report/export_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <string_view>

#include "ops/op.h"

namespace vieta {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

bool is_identifier_in_code(std::string_view name) {
  return !name.empty() && !is_digit(name.front()) && std::ranges::all_of(name, is_word);
}

// What a name may not be in C, Python or Julia: keywords, and the functions and constants that an
// exported formula uses. One list for all three, so that a column has one name everywhere.
bool is_taken(std::string_view name) {
  static constexpr std::string_view kTaken[] = {
      "False",    "HUGE_VAL",    "INFINITY",   "Inf",      "Int",
      "NAN",      "NaN",         "None",       "True",     "abstract",
      "and",      "as",          "assert",     "async",    "auto",
      "await",    "begin",       "break",      "case",     "catch",
      "char",     "class",       "const",      "continue", "def",
      "default",  "del",         "do",         "double",   "elif",
      "else",     "elseif",      "end",        "enum",     "except",
      "export",   "extern",      "fabs",       "false",    "finally",
      "float",    "for",         "from",       "function", "global",
      "goto",     "if",          "ifelse",     "im",       "import",
      "in",       "inline",      "int",        "is",       "isa",
      "lambda",   "let",         "lgamma",     "local",    "long",
      "macro",    "module",      "mutable",    "nonlocal", "not",
      "numpy",    "or",          "pass",       "pi",       "primitive",
      "quote",    "raise",       "register",   "rem",      "restrict",
      "return",   "rint",        "scipy",      "short",    "signed",
      "sizeof",   "static",      "struct",     "switch",   "tgamma",
      "true",     "try",         "typedef",    "union",    "unsigned",
      "using",    "v_cube",      "v_logistic", "v_max",    "v_min",
      "v_mod",    "v_polygamma", "v_relu",     "v_sign",   "v_softplus",
      "v_square", "v_where",     "vieta_f",    "void",     "volatile",
      "where",    "while",       "with",       "yield",    "SpecialFunctions",
      "double_t", "float_t"};
  return std::ranges::find(kTaken, name) != std::end(kTaken) || name.starts_with("M_") ||
         is_op_name(name);
}

bool stands_as_it_is(std::string_view name) {
  return is_identifier_in_code(name) && !is_taken(name);
}

std::string as_identifier(std::string_view name) {
  std::string id(name);
  for (char& c : id) {
    if (!is_word(c)) c = '_';
  }
  if (id.empty() || is_digit(id.front())) id = "_" + id;
  if (is_taken(id)) id += "_";
  return id;
}

// Names that need no change come first, so that a changed one never takes the place of another.
void add_identifiers(std::span<const std::string> names, std::set<std::string>& used,
                     std::vector<std::string>& ids) {
  for (const std::string& name : names) {
    std::string id = name;
    if (!stands_as_it_is(name)) {
      const std::string base = id = as_identifier(name);
      for (int n = 2; !used.insert(id).second; ++n) id = fmt::format("{}_{}", base, n);
    }
    ids.push_back(std::move(id));
  }
}

std::string latex_name(const std::string& name) {
  if (name.size() == 1 && is_letter(name.front())) return name;
  // x12 is x with an index; everything else stands upright.
  if (name.size() > 1 && is_letter(name.front()) && std::ranges::all_of(name.substr(1), is_digit)) {
    return fmt::format("{}_{{{}}}", name.substr(0, 1), name.substr(1));
  }
  std::string escaped;
  for (const char c : name) {
    switch (c) {
      case '\\':
        escaped += "\\textbackslash{}";
        break;
      case '^':
        escaped += "\\textasciicircum{}";
        break;
      case '~':
        escaped += "\\textasciitilde{}";
        break;
      default:
        if (std::string_view("_%&#${}").find(c) != std::string_view::npos) escaped += '\\';
        escaped += c;
    }
  }
  return "\\text{" + escaped + "}";
}

// SymPy exports some 900 words. None is a letter with digits, apart from these.
std::string sympy_name(const std::string& name) {
  static constexpr std::string_view kWords[] = {"E", "E1", "I", "N", "O", "Q", "S"};
  const bool short_name =
      !name.empty() && is_letter(name.front()) && std::ranges::all_of(name.substr(1), is_digit);
  if (short_name && std::ranges::find(kWords, name) == std::end(kWords)) return name;
  std::string quoted;
  for (const char c : name) {
    if (c == '\\' || c == '\'') quoted += '\\';
    quoted += c;
  }
  return "Symbol('" + quoted + "')";
}

}  // namespace

ExportNames export_names(const Expr& expr, ExportLanguage language) {
  const Symbols& symbols = expr.symbols();
  ExportNames names;
  if (language == ExportLanguage::latex || language == ExportLanguage::sympy) {
    const auto rename = language == ExportLanguage::latex ? latex_name : sympy_name;
    for (const std::string& name : symbols.variables) names.variables.push_back(rename(name));
    for (const std::string& name : symbols.parameters) names.parameters.push_back(rename(name));
    return names;
  }
  std::set<std::string> used;
  for (const auto* group : {&symbols.variables, &symbols.parameters}) {
    std::ranges::copy_if(*group, std::inserter(used, used.end()), stands_as_it_is);
  }
  add_identifiers(symbols.variables, used, names.variables);
  add_identifiers(symbols.parameters, used, names.parameters);
  return names;
}

}  // namespace vieta
