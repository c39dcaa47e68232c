#include "expr/partials.h"

#include <cmath>
#include <string>
#include <string_view>

#include "base/check.h"
#include "expr/parse.h"

namespace vieta {
namespace {

using Kind = Partial::Kind;
using Row = std::array<Partial, kMaxArity>;
using Table = std::array<Row, kOpCount>;

// The names of the table's texts: arguments, value, then its constants.
ParseOptions table_names() {
  ParseOptions options{.variables = {"a", "b", "c", "v"}};
  for (const TableConstant& constant : table_constants()) {
    options.variables.emplace_back(constant.name);
  }
  return options;
}

Kind kind_of(const std::vector<Node>& nodes) {
  if (nodes.size() != 1 || !nodes[0].is_constant()) return Kind::general;
  if (nodes[0].value == 0) return Kind::zero;
  if (nodes[0].value == 1) return Kind::one;
  if (nodes[0].value == -1) return Kind::minus_one;
  return std::isnan(nodes[0].value) ? Kind::undefined : Kind::general;
}

Partial read_partial(std::string_view text, const ParseOptions& names) {
  const Result<Expr> parsed = parse(text, names);
  if (!parsed) internal_error(std::string(text).c_str(), __FILE__, __LINE__);
  Partial partial;
  for (const Node& node : parsed->nodes()) {
    const bool constant = node.kind == NodeKind::variable && node.index > Partial::kValueOf;
    partial.nodes.push_back(
        constant ? Node::constant(table_constants()[node.index - Partial::kValueOf - 1].value)
                 : node);
  }
  partial.kind = kind_of(partial.nodes);
  return partial;
}

Table read_table() {
  const ParseOptions names = table_names();
  Table table;
  for (std::size_t i = 0; i < kOpCount; ++i) {
    const OpInfo& row = info(op_at(i));
    for (std::size_t k = 0; k < static_cast<std::size_t>(row.arity); ++k) {
      table[i][k] = read_partial(row.d[k], names);
    }
  }
  return table;
}

}  // namespace

const std::array<Partial, kMaxArity>& partials(Op op) {
  static const Table table = read_table();
  static const Row unknown = [] {
    Row row;
    for (Partial& partial : row) partial.kind = Kind::undefined;
    return row;
  }();
  if (!is_builtin(op)) return unknown;
  return table[static_cast<std::size_t>(op)];
}

}  // namespace vieta
