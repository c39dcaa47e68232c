#include "expr/splice.h"

#include <string>
#include <utility>

#include "base/check.h"

namespace vieta {
namespace {

std::span<const Node> replacement_of(const Node& node,
                                     std::span<const std::span<const Node>> replacements) {
  if (node.kind != NodeKind::variable || node.index >= replacements.size()) return {};
  return replacements[node.index];
}

bool same_names(const Symbols& a, const Symbols& b) {
  return &a == &b || (a.variables == b.variables && a.parameters == b.parameters);
}

}  // namespace

std::size_t spliced_size(std::span<const Node> body,
                         std::span<const std::span<const Node>> replacements) {
  std::size_t size = 0;
  for (const Node& node : body) {
    const std::span<const Node> other = replacement_of(node, replacements);
    size += other.empty() ? 1 : other.size();
    if (size > kMaxNodes) break;
  }
  return size;
}

void append_spliced(std::vector<Node>& out, std::span<const Node> body,
                    std::span<const std::span<const Node>> replacements) {
  for (const Node& node : body) {
    const std::span<const Node> other = replacement_of(node, replacements);
    if (!other.empty()) {
      out.insert(out.end(), other.begin(), other.end());
    } else if (node.kind == NodeKind::call) {
      append_call(out, node.op);
    } else {
      out.push_back(node);
    }
  }
}

Error too_large(std::string_view what) {
  return {ErrorCode::usage, std::string(what) + " would have more than " +
                                std::to_string(kMaxNodes) +
                                " nodes; split it into smaller formulas"};
}

Result<Expr> substitute(const Expr& expr, std::span<const Expr* const> replacements,
                        std::shared_ptr<const Symbols> symbols) {
  VIETA_CHECK(symbols != nullptr);
  std::vector<std::span<const Node>> nodes_of(replacements.size());
  for (std::size_t i = 0; i < replacements.size(); ++i) {
    if (replacements[i] == nullptr) continue;
    VIETA_CHECK(same_names(replacements[i]->symbols(), *symbols));
    nodes_of[i] = replacements[i]->nodes();
  }
  const std::size_t size = spliced_size(expr.nodes(), nodes_of);
  if (size > kMaxNodes) return std::unexpected(too_large("the formula after substitution"));
  std::vector<Node> nodes;
  nodes.reserve(size);
  append_spliced(nodes, expr.nodes(), nodes_of);
  return Expr(std::move(nodes), std::move(symbols));
}

}  // namespace vieta
