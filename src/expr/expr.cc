#include "expr/expr.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "base/check.h"
#include "expr/inline_stack.h"
#include "ops/user_op.h"

namespace vieta {
namespace {

const std::shared_ptr<const Symbols>& no_symbols() {
  static const std::shared_ptr<const Symbols> empty = std::make_shared<const Symbols>();
  return empty;
}

// Text and arithmetic give NaNs of several bit patterns (0/0 is negative on x86); a formula knows
// one, so that printing and reading back keeps every bit.
double one_nan(double value) {
  return value != value ? std::numeric_limits<double>::quiet_NaN() : value;
}

std::string at_node(std::size_t index, const std::string& what) {
  return "node " + std::to_string(index) + ": " + what;
}

// Nodes of the call at `index`, itself included; 0 if there are too few arguments in front of it.
// The nodes in front must have right sizes.
std::size_t call_size(std::span<const Node> nodes, std::size_t index, int arity) {
  std::size_t size = 1;
  for (int k = 0; k < arity; ++k) {
    if (size > index) return 0;
    size += nodes[index - size].size;
  }
  return size;
}

}  // namespace

Node Node::constant(double value) {
  Node node;
  node.value = one_nan(value);
  return node;
}

Node Node::variable(std::size_t index) {
  Node node;
  node.kind = NodeKind::variable;
  node.index = index;
  return node;
}

Node Node::parameter(std::size_t index) {
  Node node;
  node.kind = NodeKind::parameter;
  node.index = index;
  return node;
}

Node Node::call(Op op, std::size_t size) {
  Node node;
  node.kind = NodeKind::call;
  node.op = op;
  node.size = static_cast<std::uint32_t>(size);
  node.index = 0;
  return node;
}

bool same_node(const Node& a, const Node& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case NodeKind::constant:
      return std::bit_cast<std::uint64_t>(one_nan(a.value)) ==
             std::bit_cast<std::uint64_t>(one_nan(b.value));
    case NodeKind::call:
      return a.op == b.op;
    default:
      return a.index == b.index;
  }
}

Expr::Expr() : nodes_{Node::constant(0.0)}, symbols_(no_symbols()) {}

Expr::Expr(std::vector<Node> nodes, std::shared_ptr<const Symbols> symbols)
    : nodes_(std::move(nodes)), symbols_(std::move(symbols)) {
  VIETA_CHECK(symbols_ != nullptr);
  const std::string fault =
      postfix_fault(nodes_, symbols_->variables.size(), symbols_->parameters.size());
  if (!fault.empty()) internal_error(fault.c_str(), __FILE__, __LINE__);
}

std::size_t Expr::depth() const {
  InlineStack<std::size_t> depths;
  for (const Node& node : nodes_) {
    std::size_t deepest = 0;
    for (int k = node.arity(); k > 0; --k) deepest = std::max(deepest, depths.pop());
    depths.push(deepest + 1);
  }
  return depths.pop();
}

std::vector<double> Expr::constants() const {
  std::vector<double> values;
  for (const Node& node : nodes_) {
    if (node.is_constant()) values.push_back(node.value);
  }
  return values;
}

std::size_t Expr::count_constants() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(nodes_, [](const Node& node) { return node.is_constant(); }));
}

void Expr::set_constants(std::span<const double> values) {
  VIETA_CHECK(values.size() == count_constants());
  std::size_t next = 0;
  for (Node& node : nodes_) {
    if (node.is_constant()) node = Node::constant(values[next++]);
  }
}

bool Expr::uses_variable(std::size_t index) const {
  return std::ranges::any_of(nodes_, [index](const Node& node) {
    return node.kind == NodeKind::variable && node.index == index;
  });
}

bool Expr::uses_parameter(std::size_t index) const {
  return std::ranges::any_of(nodes_, [index](const Node& node) {
    return node.kind == NodeKind::parameter && node.index == index;
  });
}

bool operator==(const Expr& a, const Expr& b) {
  return std::ranges::equal(a.nodes_, b.nodes_, same_node);
}

std::array<std::size_t, kMaxArity> arguments(std::span<const Node> nodes, std::size_t root) {
  std::array<std::size_t, kMaxArity> roots{};
  std::size_t last = root;
  for (int k = nodes[root].arity() - 1; k >= 0; --k) {
    --last;
    roots[static_cast<std::size_t>(k)] = last;
    last -= nodes[last].size - 1;
  }
  return roots;
}

std::string postfix_fault(std::span<const Node> nodes, std::size_t variables,
                          std::size_t parameters) {
  if (nodes.empty()) return "no nodes";
  if (nodes.size() > kMaxNodes) return "more than " + std::to_string(kMaxNodes) + " nodes";
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    if (node.kind > NodeKind::call) return at_node(i, "no such kind");
    if (node.kind == NodeKind::call && !is_known(node.op)) {
      return at_node(i, "no such operator");
    }
    if (node.kind == NodeKind::variable && node.index >= variables) {
      return at_node(i, "no such variable");
    }
    if (node.kind == NodeKind::parameter && node.index >= parameters) {
      return at_node(i, "no such parameter");
    }
    const std::size_t size = call_size(nodes, i, node.arity());
    if (size == 0) return at_node(i, "too few arguments");
    if (node.size != size) return at_node(i, "wrong size");
  }
  if (nodes.back().size != nodes.size()) return "more than one formula";
  return {};
}

void restore_sizes(std::span<Node> nodes) {
  VIETA_CHECK(!nodes.empty());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::size_t size = call_size(nodes, i, nodes[i].arity());
    VIETA_CHECK(size > 0);
    nodes[i].size = static_cast<std::uint32_t>(size);
  }
  VIETA_CHECK(nodes.back().size == nodes.size());
}

void append_call(std::vector<Node>& nodes, Op op) {
  const std::size_t size = call_size(nodes, nodes.size(), info(op).arity);
  VIETA_CHECK(size > 0);
  nodes.push_back(Node::call(op, size));
}

}  // namespace vieta
