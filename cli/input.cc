#include "cli/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/number_text.h"
#include "cli/arguments.h"
#include "expr/names.h"
#include "report/files.h"

namespace vieta::cli {
namespace {

constexpr std::size_t kMostThreads = 1024;

Result<std::string> formula_text(const std::string& argument) {
  if (argument.starts_with('@')) return read_file(argument.substr(1));
  return as_typed(argument);
}

std::optional<double> find(const Assignments& assignments, const std::string& name) {
  const auto at = std::ranges::find(assignments, name, &Assignments::value_type::first);
  if (at == assignments.end()) return std::nullopt;
  return at->second;
}

// Of --param: every name must be a parameter.
Result<Assignments> read_values(const Expr& expr, const std::vector<std::string>& texts) {
  auto values = read_assignments(texts, "--param");
  if (!values) return values;
  const auto& names = expr.symbols().parameters;
  for (const auto& [name, value] : *values) {
    if (std::ranges::find(names, name) != names.end()) continue;
    if (names.empty()) {
      return fail(ErrorCode::usage,
                  fmt::format("the formula has no parameter '{}': all its names are columns", name),
                  {.source = "--param"});
    }
    return fail(ErrorCode::usage,
                fmt::format("the formula has no parameter '{}'{}", name, suggestion(name, names)),
                {.source = "--param"});
  }
  return values;
}

}  // namespace

void CommonOptions::add_to(Verb& verb, const std::string& default_format) {
  format = default_format;
  verb.option("--define", definitions,
              "add an operator, as in 'name(a, b) = formula', 'name(a) = t = a^2; t + 1' or "
              "'fact(n) = n <= 1 ? 1 : n*fact(n - 1)' (repeatable; docs/operators.md)")
      .repeatable();
  verb.option("--param", parameters, "value of a parameter, as in k=1.5 (repeatable)").repeatable();
  verb.option("--dtype", dtype, "type of number to compute with")
      .one_of({"f64", "f32"})
      .show_default();
  verb.option("--threads", threads, "threads; 0 is one for every core")
      .at_most(kMostThreads)
      .show_default();
  verb.flag("--as-written", as_written,
            "compute exp(x) - 1, log(1 + x) and their like step by step, as written");
  verb.option("--format", format, "what to print").one_of({"csv", "json", "text"}).show_default();
}

Result<Operators> read_definitions(const std::vector<std::string>& texts) {
  return define_all(texts);
}

Result<Assignments> read_assignments(const std::vector<std::string>& texts,
                                     const std::string& option) {
  Assignments assignments;
  for (const std::string& text : texts) {
    for (const std::string& part : split_names(text)) {
      const std::size_t equals = part.rfind('=');
      const auto value =
          equals == std::string::npos ? std::nullopt : read_number(part.substr(equals + 1));
      if (!value || equals == 0) {
        return fail(
            ErrorCode::usage,
            fmt::format("'{}' is no assignment: wanted a name and a number, as in k=1.5", part),
            {.source = option});
      }
      const std::string name = part.substr(0, equals);
      if (find(assignments, name)) {
        return fail(ErrorCode::usage, fmt::format("'{}' is given two values: give it one", name),
                    {.source = option});
      }
      assignments.emplace_back(name, *value);
    }
  }
  return assignments;
}

Result<Expr> read_formula_over(const std::string& argument, const Table& table,
                               const CommonOptions& common) {
  const auto text = formula_text(argument);
  if (!text) return std::unexpected(text.error());
  const auto definitions = read_definitions(common.definitions);
  if (!definitions) return std::unexpected(definitions.error());
  return parse(*text, {.variables = table.names(),
                       .parameters = {},
                       .new_parameters = true,
                       .operators = &*definitions});
}

Result<Expr> read_formula(const std::string& argument, const std::vector<std::string>& inputs,
                          const CommonOptions& common) {
  const auto text = formula_text(argument);
  if (!text) return std::unexpected(text.error());
  const auto definitions = read_definitions(common.definitions);
  if (!definitions) return std::unexpected(definitions.error());
  const auto values = read_assignments(common.parameters, "--param");
  if (!values) return std::unexpected(values.error());
  auto variables = inputs;
  if (inputs.empty()) {
    const auto names = free_names(*text);
    if (!names) return std::unexpected(names.error());
    std::ranges::copy_if(*names, std::back_inserter(variables),
                         [&](const std::string& name) { return !find(*values, name); });
  }
  const auto expr = parse(*text, {.variables = std::move(variables),
                                  .parameters = {},
                                  .new_parameters = true,
                                  .operators = &*definitions});
  if (!expr) return expr;
  return with_values_put_in(*expr, common.parameters);
}

Result<std::vector<double>> parameter_values(const Expr& expr,
                                             const std::vector<std::string>& texts) {
  const auto given = read_values(expr, texts);
  if (!given) return std::unexpected(given.error());
  std::vector<double> values;
  for (const std::string& name : expr.symbols().parameters) {
    const auto value = find(*given, name);
    if (!value) {
      const auto nearest = nearest_name(name, expr.symbols().variables);
      return fail(
          ErrorCode::usage,
          fmt::format("'{0}' is neither a column nor a number: give its value with "
                      "--param {0}=1.5{1}",
                      name, nearest ? fmt::format(", or did you mean '{}'?", *nearest) : ""),
          {.source = "formula"});
    }
    values.push_back(*value);
  }
  return values;
}

Result<Expr> with_values_put_in(const Expr& expr, const std::vector<std::string>& texts) {
  const auto values = read_values(expr, texts);
  if (!values) return std::unexpected(values.error());
  if (values->empty()) return expr;
  auto symbols = std::make_shared<Symbols>();
  symbols->variables = expr.symbols().variables;
  std::vector<Node> replacements;
  for (const std::string& name : expr.symbols().parameters) {
    const auto value = find(*values, name);
    replacements.push_back(value ? Node::constant(*value)
                                 : Node::parameter(symbols->parameters.size()));
    if (!value) symbols->parameters.push_back(name);
  }
  std::vector<Node> nodes(expr.nodes().begin(), expr.nodes().end());
  for (Node& node : nodes) {
    if (node.kind == NodeKind::parameter) node = replacements[node.index];
  }
  return Expr(std::move(nodes), symbols);
}

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> parts;
  std::string part;
  bool quoted = false;
  bool was_quoted = false;
  const auto finish = [&] {
    const std::size_t first = was_quoted ? 0 : part.find_first_not_of(" \t");
    const std::size_t last = was_quoted ? part.size() - 1 : part.find_last_not_of(" \t");
    if (!part.empty() && first != std::string::npos) {
      parts.push_back(part.substr(first, last - first + 1));
    }
    part.clear();
    was_quoted = false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`' && quoted && i + 1 < text.size() && text[i + 1] == '`') {
      part += text[i++];
    } else if (text[i] == '`') {
      if (!quoted) part.erase(0, part.find_first_not_of(" \t"));
      quoted = !quoted;
      was_quoted = true;
    } else if (text[i] == ',' && !quoted) {
      finish();
    } else if (quoted || !was_quoted || (text[i] != ' ' && text[i] != '\t')) {
      part += text[i];
    }
  }
  finish();
  return parts;
}

}  // namespace vieta::cli
