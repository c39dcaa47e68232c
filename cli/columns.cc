#include "cli/columns.h"

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/input.h"
#include "data/csv.h"
#include "eval/evaluate.h"
#include "expr/names.h"

namespace vieta::cli {
namespace {

std::vector<std::size_t> used_indices(const Expr& expr) {
  std::vector<std::size_t> used;
  for (std::size_t v = 0; v < expr.symbols().variables.size(); ++v) {
    if (expr.uses_variable(v)) used.push_back(v);
  }
  return used;
}

// Columns `used` of `count`, the others null.
template <class T>
ColumnsView<T> spread(const ColumnsView<T>& some, const std::vector<std::size_t>& used,
                      std::size_t count, std::size_t rows) {
  ColumnsView<T> all;
  all.rows = rows;
  all.readable = used.empty() ? rows : some.readable;
  all.pointers.assign(count, nullptr);
  for (std::size_t i = 0; i < used.size(); ++i) all.pointers[used[i]] = some.pointers[i];
  return all;
}

// A column's bare name needs no backquotes here, whatever it is.
Result<Expr> read_target_formula(const Table& table, const std::string& text,
                                 const std::vector<std::string>& definition_texts,
                                 bool new_parameters) {
  const auto symbols = std::make_shared<const Symbols>(Symbols{table.names(), {}});
  if (const auto column = table.find(text)) return Expr({Node::variable(*column)}, symbols);
  const auto definitions = read_definitions(definition_texts);
  if (!definitions) return std::unexpected(definitions.error());
  auto expr = parse(text, {.variables = table.names(),
                           .parameters = {},
                           .new_parameters = new_parameters,
                           .operators = &*definitions});
  if (!expr) expr.error().place.source = "--target";
  return expr;
}

}  // namespace

Result<Table> read_table(const std::string& path) { return read_csv(as_typed(path), {}); }

std::unexpected<Error> in_table(Error error, const std::string& path) {
  if (error.place.row > 0 && error.place.source.empty()) {
    error.place.source = path == "-" ? "standard input" : path;
    ++error.place.row;
  }
  return std::unexpected(std::move(error));
}

Result<ColumnsView<double>> used_columns(const Expr& expr, const Table& table) {
  const std::vector<std::size_t> used = used_indices(expr);
  const auto some = view(table, used);
  if (!some) return std::unexpected(some.error());
  return spread(*some, used, expr.symbols().variables.size(), table.rows());
}

Result<UsedFloatColumns> used_float_columns(const Expr& expr, const Table& table) {
  const std::vector<std::size_t> used = used_indices(expr);
  auto columns = FloatColumns::from(table, used);
  if (!columns) return std::unexpected(columns.error());
  UsedFloatColumns result;
  result.columns = std::make_unique<FloatColumns>(std::move(*columns));
  result.view = spread(result.columns->view(), used, expr.symbols().variables.size(), table.rows());
  return result;
}

Result<std::size_t> find_column(const Table& table, const std::string& name,
                                const std::string& option) {
  const auto index = table.find(name);
  if (!index) {
    return fail(
        ErrorCode::usage,
        fmt::format("the table has no column '{}'{}", name, suggestion(name, table.names())),
        {.source = option});
  }
  if (auto column = table.numeric_column(*index); !column) return std::unexpected(column.error());
  return *index;
}

Result<Target> read_target(const Table& table, const std::string& text,
                           const std::vector<std::string>& definitions,
                           const std::vector<std::string>& parameters) {
  const auto expr = read_target_formula(table, text, definitions, !parameters.empty());
  if (!expr) return std::unexpected(expr.error());
  const auto values = parameter_values(*expr, parameters);
  if (!values) return std::unexpected(values.error());
  const auto columns = used_columns(*expr, table);
  if (!columns) return std::unexpected(columns.error());
  auto result = evaluate<double>(*expr, *columns, *values, {}, 0);
  if (!result.status.ok) {
    return fail(ErrorCode::data,
                fmt::format("the target is not finite in data row {}: every row needs a number",
                            result.status.first_bad_row + 1),
                {.source = "--target"});
  }
  Target target;
  target.values = std::move(result.values);
  for (std::size_t c = 0; c < table.columns(); ++c) target.uses.push_back(expr->uses_variable(c));
  return target;
}

}  // namespace vieta::cli
