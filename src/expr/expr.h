// expr: a formula as a value. Flat postfix nodes (arguments before their operator), no pointers
// between them: copying, hashing, comparing, splicing and destroying are loops over an array at any
// depth.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "ops/op.h"

namespace vieta {

/// No formula is larger; the parser and every rewriting refuse more with a clear error.
inline constexpr std::size_t kMaxNodes = 1U << 22U;

enum class NodeKind : std::uint8_t {
  variable,   ///< an input column: `index` into Symbols::variables
  constant,   ///< a number: `value`
  parameter,  ///< a named constant: `index` into Symbols::parameters
  call,       ///< an operator: `op`, with its arguments in front of it
};

/// One node, 16 bytes.
struct Node {
  NodeKind kind = NodeKind::constant;
  Op op = Op::add;         ///< calls only
  std::uint32_t size = 1;  ///< nodes of the subtree that ends here, this one included
  union {
    double value = 0.0;   ///< constants
    std::uint64_t index;  ///< variables and parameters
  };

  static Node constant(double value);
  static Node variable(std::size_t index);
  static Node parameter(std::size_t index);
  /// `size` is 1 + the sizes of the arguments.
  static Node call(Op op, std::size_t size);

  int arity() const { return kind == NodeKind::call ? info(op).arity : 0; }
  bool is_call(Op which) const { return kind == NodeKind::call && op == which; }
  bool is_constant() const { return kind == NodeKind::constant; }
  bool is_constant(double which) const { return kind == NodeKind::constant && value == which; }
};

/// Same kind, operator and leaf; constants by their bits (NaN equals NaN, -0 differs from 0).
bool same_node(const Node& a, const Node& b);

/// The names a formula's leaves stand for.
struct Symbols {
  std::vector<std::string> variables;
  std::vector<std::string> parameters;
};

/// A formula: nodes and names. Immutable in length; constants may be set. Cheap to copy (the names
/// are shared). Never empty and always well formed: every constructor that could break that is
/// checked.
class Expr {
 public:
  /// The constant 0 over no names.
  Expr();
  /// `nodes` must be one well-formed postfix formula with right sizes and indices in range
  /// (InternalError otherwise).
  Expr(std::vector<Node> nodes, std::shared_ptr<const Symbols> symbols);

  std::span<const Node> nodes() const& { return nodes_; }
  /// Of a temporary: the nodes themselves, which a loop over them keeps alive.
  std::vector<Node> nodes() && { return std::move(nodes_); }
  std::size_t size() const { return nodes_.size(); }
  const Node& root() const { return nodes_.back(); }
  const Symbols& symbols() const { return *symbols_; }
  const std::shared_ptr<const Symbols>& shared_symbols() const { return symbols_; }

  /// Longest path from the root to a leaf, in nodes; a leaf alone has depth 1. O(size).
  std::size_t depth() const;
  /// Node count: every operator, variable, constant and parameter counts 1.
  std::size_t complexity() const { return nodes_.size(); }

  /// Constants from left to right, as in the printed text (c1, c2, ...).
  std::vector<double> constants() const;
  std::size_t count_constants() const;
  /// InternalError unless values.size() == count_constants().
  void set_constants(std::span<const double> values);

  /// Whether the leaf occurs. O(size).
  bool uses_variable(std::size_t index) const;
  bool uses_parameter(std::size_t index) const;

  /// Structural equality of nodes, in order; names are not compared.
  friend bool operator==(const Expr& a, const Expr& b);

 private:
  std::vector<Node> nodes_;
  std::shared_ptr<const Symbols> symbols_;
};

/// Positions (indices of subtree roots) of the arguments of the call at `root`, left to right.
/// Only the first arity entries mean anything.
std::array<std::size_t, kMaxArity> arguments(std::span<const Node> nodes, std::size_t root);

/// The nodes of the subtree that ends at `root`.
inline std::span<const Node> subtree(std::span<const Node> nodes, std::size_t root) {
  return nodes.subspan(root + 1 - nodes[root].size, nodes[root].size);
}

/// Empty if the nodes are one well-formed postfix formula (sizes, arities, operators, indices below
/// the counts given), else what is wrong.
std::string postfix_fault(std::span<const Node> nodes, std::size_t variables,
                          std::size_t parameters);

/// Recomputes every `size` of a postfix sequence from its arities. InternalError if it is no single
/// formula.
void restore_sizes(std::span<Node> nodes);

/// Appends a call whose arguments are the last arity(op) complete subtrees of `nodes`.
void append_call(std::vector<Node>& nodes, Op op);

/// Structural hash: equal for formulas that differ only in the order of arguments of commutative
/// operators (at any depth). With `ignore_constants` every constant hashes alike. O(size).
std::uint64_t structural_hash(std::span<const Node> nodes, bool ignore_constants = false);

/// `expr` with every occurrence of each variable i replaced by `replacements[i]` where that is not
/// null. All replacements must share `symbols`, which the result takes. Error: more than kMaxNodes
/// nodes.
Result<Expr> substitute(const Expr& expr, std::span<const Expr* const> replacements,
                        std::shared_ptr<const Symbols> symbols);

}  // namespace vieta
