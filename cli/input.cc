#include "cli/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/number_text.h"
#include "report/files.h"

namespace vieta::cli {
namespace {

std::vector<std::size_t> used_indices(const Expr& expr) {
  std::vector<std::size_t> used;
  for (std::size_t v = 0; v < expr.symbols().variables.size(); ++v) {
    if (expr.uses_variable(v)) used.push_back(v);
  }
  return used;
}

}  // namespace

void CommonOptions::add_to(CLI::App& verb, const std::string& default_format,
                           const std::vector<std::string>& formats) {
  format = default_format;
  verb.add_option("--define", definitions,
                  "add an operator, as in 'name(a, b) = formula' (repeatable)")
      ->expected(1)
      ->take_all();
  verb.add_option("--param", parameters, "value of a parameter, as in k=1.5 (repeatable)")
      ->expected(1)
      ->take_all();
  verb.add_option("--dtype", dtype, "type of number to compute with")
      ->check(CLI::IsMember({"f64", "f32"}))
      ->capture_default_str();
  verb.add_option("--threads", threads, "threads; 0 is one for every core")->capture_default_str();
  verb.add_option("--format", format, "what to print")
      ->check(CLI::IsMember(formats))
      ->capture_default_str();
}

Result<std::string> formula_text(const std::string& argument) {
  if (!argument.starts_with('@')) return argument;
  return read_file(argument.substr(1));
}

Result<Definitions> read_definitions(const std::vector<std::string>& texts) {
  Definitions definitions;
  for (const std::string& text : texts) {
    if (auto added = definitions.add(text); !added) return std::unexpected(added.error());
  }
  return definitions;
}

Result<Expr> parse_over(const Table& table, const std::string& text,
                        const Definitions& definitions) {
  return parse(text, {.variables = table.names(),
                      .parameters = {},
                      .new_parameters = true,
                      .definitions = &definitions});
}

Result<Expr> parse_alone(const std::string& text, const std::vector<std::string>& inputs,
                         const Definitions& definitions) {
  if (!inputs.empty()) {
    return parse(text, {.variables = inputs,
                        .parameters = {},
                        .new_parameters = true,
                        .definitions = &definitions});
  }
  const auto names = free_names(text);
  if (!names) return std::unexpected(names.error());
  return parse(text, {.variables = *names,
                      .parameters = {},
                      .new_parameters = false,
                      .definitions = &definitions});
}

Result<std::vector<std::pair<std::string, double>>> read_assignments(
    const std::vector<std::string>& texts, const std::string& option) {
  std::vector<std::pair<std::string, double>> assignments;
  for (const std::string& text : texts) {
    for (const std::string& part : split_names(text)) {
      const std::size_t equals = part.find('=');
      const auto value =
          equals == std::string::npos ? std::nullopt : read_number(part.substr(equals + 1));
      if (!value || equals == 0) {
        return fail(
            ErrorCode::usage,
            fmt::format("'{}' is no assignment: wanted a name and a number, as in k=1.5", part),
            {.source = option});
      }
      assignments.emplace_back(part.substr(0, equals), *value);
    }
  }
  return assignments;
}

Result<std::vector<double>> parameter_values(const Expr& expr,
                                             const std::vector<std::string>& texts) {
  const auto assignments = read_assignments(texts, "--param");
  if (!assignments) return std::unexpected(assignments.error());
  const auto& names = expr.symbols().parameters;
  for (const auto& [name, value] : *assignments) {
    if (std::ranges::find(names, name) != names.end()) continue;
    return fail(
        ErrorCode::usage,
        names.empty()
            ? fmt::format("the formula has no parameter '{}': all its names are columns", name)
            : fmt::format("the formula has no parameter '{}': it has {}", name,
                          fmt::join(names, ", ")),
        {.source = "--param"});
  }
  std::vector<double> values;
  for (const std::string& name : names) {
    const auto at = std::ranges::find(*assignments, name, &std::pair<std::string, double>::first);
    if (at == assignments->end()) {
      return fail(
          ErrorCode::usage,
          fmt::format("'{0}' is neither a column nor a number: give its value with --param {0}=1.5",
                      name));
    }
    values.push_back(at->second);
  }
  return values;
}

Result<ColumnsView<double>> used_columns(const Expr& expr, const Table& table) {
  const std::vector<std::size_t> used = used_indices(expr);
  auto some = view(table, used);
  if (!some) return std::unexpected(some.error());
  ColumnsView<double> all;
  all.rows = table.rows();
  all.readable = used.empty() ? table.rows() : some->readable;
  all.pointers.assign(expr.symbols().variables.size(), nullptr);
  for (std::size_t i = 0; i < used.size(); ++i) all.pointers[used[i]] = some->pointers[i];
  return all;
}

Result<UsedFloatColumns> used_float_columns(const Expr& expr, const Table& table) {
  const std::vector<std::size_t> used = used_indices(expr);
  auto columns = FloatColumns::from(table, used);
  if (!columns) return std::unexpected(columns.error());
  UsedFloatColumns result;
  result.columns = std::make_unique<FloatColumns>(std::move(*columns));
  const ColumnsView<float> some = result.columns->view();
  result.view.rows = table.rows();
  result.view.readable = used.empty() ? table.rows() : some.readable;
  result.view.pointers.assign(expr.symbols().variables.size(), nullptr);
  for (std::size_t i = 0; i < used.size(); ++i) result.view.pointers[used[i]] = some.pointers[i];
  return result;
}

Result<std::size_t> find_column(const Table& table, const std::string& name,
                                const std::string& option) {
  const auto index = table.find(name);
  if (!index) {
    return fail(ErrorCode::usage,
                fmt::format("the table has no column '{}': it has {}", name,
                            fmt::join(table.names(), ", ")),
                {.source = option});
  }
  if (auto column = table.numeric_column(*index); !column) return std::unexpected(column.error());
  return *index;
}

Result<Target> read_target(const Table& table, const std::string& text,
                           const Definitions& definitions) {
  Target target;
  target.uses.assign(table.columns(), false);
  if (const auto column = table.find(text)) {
    const auto values = table.numeric_column(*column);
    if (!values) return std::unexpected(values.error());
    target.values.assign(values->begin(), values->end());
    target.uses[*column] = true;
    return target;
  }
  auto expr = parse(text, {.variables = table.names(), .definitions = &definitions});
  if (!expr) {
    expr.error().place.source = "--target";
    return std::unexpected(expr.error());
  }
  const auto columns = used_columns(*expr, table);
  if (!columns) return std::unexpected(columns.error());
  auto result = evaluate<double>(*expr, *columns, {}, {}, 0);
  if (!result.status.ok) {
    return fail(ErrorCode::data, "the target is not finite: every row needs a number",
                {.source = "--target " + text, .row = result.status.first_bad_row + 1});
  }
  target.values = std::move(result.values);
  for (std::size_t c = 0; c < table.columns(); ++c) target.uses[c] = expr->uses_variable(c);
  return target;
}

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> parts;
  std::string part;
  bool quoted = false;
  const auto finish = [&] {
    const std::size_t first = part.find_first_not_of(" \t");
    const std::size_t last = part.find_last_not_of(" \t");
    if (first != std::string::npos) parts.push_back(part.substr(first, last - first + 1));
    part.clear();
  };
  for (const char c : text) {
    if (c == '`') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      finish();
    } else {
      part += c;
    }
  }
  finish();
  return parts;
}

}  // namespace vieta::cli
