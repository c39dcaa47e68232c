// The C form of a formula: a translation unit with the helpers it needs.

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/export.h"
#include "report/export_names.h"

namespace vieta {
namespace {

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
     "6.4.11). NaN below -1e6, where\n"
     "   the recurrence would not end. */\n"
     "static double v_polygamma(double order, double b) {\n"
     "  static const double bernoulli[] = {1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66, "
     "-691.0 / 2730, 7.0 / 6, -3617.0 / 510};\n"
     "  const int n = (int)order;\n"
     "  const double sign = n % 2 == 0 ? -1 : 1;\n"
     "  double factorial = 1, shift = 0, x = b, sum, term;\n"
     "  int k;\n"
     "  if (!(b > -1e6)) return NAN;\n"
     "  if (b <= 0 && b == floor(b)) return n % 2 == 0 ? NAN : INFINITY;\n"
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

// A name must neither end the comment it stands in nor open another.
std::string in_comment(std::string text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool after_star = i > 0 && text[i - 1] == '*';
    const bool after_slash = i > 0 && text[i - 1] == '/';
    if ((text[i] == '/' && after_star) || (text[i] == '*' && after_slash)) text[i] = '_';
    if (text[i] == '\n' || text[i] == '\r' || text[i] == '\\') text[i] = ' ';
  }
  return text;
}

}  // namespace

std::string export_c_function(const Expr& expr) {
  const ExportNames names = export_names(expr, ExportLanguage::c);
  const std::string body = export_expression(expr, ExportLanguage::c);
  std::string text = "#include <math.h>\n\n";
  for (const CHelper& helper : kCHelpers) {
    if (body.find(fmt::format("{}(", helper.name)) != std::string::npos) text += helper.text;
  }
  for (const Node& node : expr.nodes()) {
    const bool call = node.kind == NodeKind::call && !is_builtin(node.op);
    const std::string name = call ? fmt::format("vieta_{}", info(node.op).name) : "";
    // Declared once, and only if it is not written out.
    if (!call || body.find(name + "(") == std::string::npos) continue;
    const std::string declared = fmt::format("double {}(double", name);
    if (text.find(declared) != std::string::npos) continue;
    text += declared;
    for (int k = 1; k < node.arity(); ++k) text += ", double";
    text += ");\n";
  }
  std::vector<std::string> arguments;
  const auto add = [&](std::span<const std::string> ids, std::span<const std::string> originals) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] != originals[i])
        text += fmt::format("/* {} is {} */\n", ids[i], in_comment(originals[i]));
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
