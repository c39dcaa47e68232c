// vieta grad: exact derivatives of a formula on every row.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/columns.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/values.h"
#include "cli/verbs.h"

namespace vieta::cli {
namespace {

struct Options {
  std::string formula;
  std::string data;
  std::vector<std::string> wrt{"variables"};
  int order = 1;
  bool strict = false;
  CommonOptions common;
};

void add_variables(const Expr& expr, std::vector<Leaf>& leaves) {
  for (std::size_t v = 0; v < expr.symbols().variables.size(); ++v) {
    if (expr.uses_variable(v)) leaves.push_back({Leaf::Kind::variable, v});
  }
}

void add_all(Leaf::Kind kind, std::size_t count, std::vector<Leaf>& leaves) {
  for (std::size_t i = 0; i < count; ++i) leaves.push_back({kind, i});
}

// What one name of --wrt stands for: the leaf called so, else a set.
Result<std::vector<Leaf>> find_leaves(const Expr& expr, const std::string& name) {
  auto leaf = find_leaf(expr, name);
  if (leaf) return std::vector{*leaf};
  std::vector<Leaf> leaves;
  const bool all = name == "all";
  if (!all && name != "variables" && name != "constants" && name != "parameters") {
    leaf.error().place.source = "--wrt";
    return std::unexpected(leaf.error());
  }
  if (all || name == "variables") add_variables(expr, leaves);
  if (all || name == "constants") {
    add_all(Leaf::Kind::constant, expr.count_constants(), leaves);
  }
  if (all || name == "parameters") {
    add_all(Leaf::Kind::parameter, expr.symbols().parameters.size(), leaves);
  }
  return leaves;
}

Result<std::vector<Leaf>> read_leaves(const Expr& expr, const std::vector<std::string>& lists) {
  std::vector<Leaf> leaves;
  for (const std::string& list : lists) {
    for (const std::string& name : split_names(list)) {
      const auto found = find_leaves(expr, name);
      if (!found) return found;
      for (const Leaf& leaf : *found) {
        if (std::ranges::find(leaves, leaf) != leaves.end()) {
          return fail(ErrorCode::usage,
                      fmt::format("'{}' is named twice: name each once", leaf_name(expr, leaf)),
                      {.source = "--wrt"});
        }
        leaves.push_back(leaf);
      }
    }
  }
  return leaves;
}

template <class T>
Result<int> print_derivatives(const Expr& expr, const std::vector<Leaf>& leaves,
                              const Evaluation<T>& result, const Options& options) {
  std::vector<std::string> names{"value"};
  std::vector<std::span<const T>> columns{std::span<const T>(result.values)};
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    names.push_back("d/d" + leaf_name(expr, leaves[i]));
    columns.push_back(result.gradient_column(i));
  }
  for (std::size_t i = 0; options.order == 2 && i < leaves.size(); ++i) {
    for (std::size_t j = i; j < leaves.size(); ++j) {
      names.push_back(
          fmt::format("d2/d{}.d{}", leaf_name(expr, leaves[i]), leaf_name(expr, leaves[j])));
      columns.push_back(result.hessian_column(i, j));
    }
  }
  write_columns<T>(names, columns, result.status, options.common.format);
  if (auto ended = check_ended(expr, result.status); !ended) return std::unexpected(ended.error());
  return report_status(result.status, options.strict);
}

Result<int> run(const Options& options) {
  const auto table = read_table(options.data);
  if (!table) return std::unexpected(table.error());
  const auto expr = read_formula_over(options.formula, *table, options.common);
  if (!expr) return std::unexpected(expr.error());
  const auto parameters = parameter_values(*expr, options.common.parameters);
  if (!parameters) return std::unexpected(parameters.error());
  const auto leaves = read_leaves(*expr, options.wrt);
  if (!leaves) return std::unexpected(leaves.error());
  TaskPool pool(options.common.threads);
  if (options.common.single()) {
    const auto columns = used_float_columns(*expr, *table);
    if (!columns) return std::unexpected(columns.error());
    return print_derivatives(
        *expr, *leaves,
        evaluate<float>(*expr, columns->view, *parameters, *leaves, options.order,
                        {.stable_composites = !options.common.as_written, .pool = &pool}),
        options);
  }
  const auto columns = used_columns(*expr, *table);
  if (!columns) return std::unexpected(columns.error());
  return print_derivatives(
      *expr, *leaves,
      evaluate<double>(*expr, *columns, *parameters, *leaves, options.order,
                       {.stable_composites = !options.common.as_written, .pool = &pool}),
      options);
}

}  // namespace

void add_grad(CommandLine& line) {
  Verb verb = line.add_verb("grad", "exact derivatives of a formula on every row of a table");
  verb.footer(
      "Example:\n  vieta grad 'x1*exp(-k*x2)' data.csv --param k=0.5 --wrt x1,k --order 2\n");
  auto options = std::make_shared<Options>();
  verb.option("FORMULA", options->formula, "formula, or @file").required();
  verb.option("DATA", options->data, "CSV file with a header (also .gz), or - for standard input")
      .required();
  verb.option(
          "--wrt", options->wrt,
          "names as in a,b (constants are c1, c2, ...), or variables, constants, parameters, all")
      .repeatable()
      .show_default("variables");
  verb.option("--order", options->order, "1: first derivatives, 2: second ones too")
      .one_of_numbers({1, 2})
      .show_default();
  verb.flag("--strict", options->strict, "exit with 4 if any value is not finite");
  options->common.add_to(verb, "csv");
  verb.does([options] { return run(*options); });
}

}  // namespace vieta::cli
