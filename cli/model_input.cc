#include "cli/model_input.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "expr/names.h"

namespace vieta::cli {

std::string model_path(const std::string& argument) {
  std::error_code ignored;
  const std::filesystem::path path(argument);
  if (path.extension() == ".json") return argument;
  const auto inside = path / "model.json";
  return std::filesystem::is_regular_file(inside, ignored) ? inside.string() : "";
}

Result<Expr> over_table(const Expr& expr, const Table& table) {
  std::vector<std::size_t> column(expr.symbols().variables.size());
  for (std::size_t v = 0; v < column.size(); ++v) {
    if (!expr.uses_variable(v)) continue;
    const auto at = table.find(expr.symbols().variables[v]);
    if (!at) {
      return fail(ErrorCode::data,
                  fmt::format("the table has no column '{}', which the formula uses{}",
                              expr.symbols().variables[v],
                              suggestion(expr.symbols().variables[v], table.names())));
    }
    column[v] = *at;
  }
  std::vector<Node> nodes(expr.nodes().begin(), expr.nodes().end());
  for (Node& node : nodes) {
    if (node.kind == NodeKind::variable) node = Node::variable(column[node.index]);
  }
  return Expr(std::move(nodes),
              std::make_shared<const Symbols>(Symbols{table.names(), expr.symbols().parameters}));
}

}  // namespace vieta::cli
