#include "expr/diff.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "expr/inline_operators.h"
#include "expr/names.h"
#include "expr/partials.h"
#include "expr/print.h"
#include "expr/rewrite.h"
#include "expr/splice.h"

namespace vieta {
namespace {

using Kind = Partial::Kind;

bool is_leaf(const Node& node, const Leaf& leaf) {
  if (leaf.kind == Leaf::Kind::constant) return false;
  const NodeKind kind =
      leaf.kind == Leaf::Kind::variable ? NodeKind::variable : NodeKind::parameter;
  return node.kind == kind && node.index == leaf.index;
}

// The chain rule written out from the root to the leaves, straight in postfix order: the result is
// built once whatever its depth.
class ChainRule {
 public:
  ChainRule(const Expr& expr, const Leaf& leaf)
      : nodes_(expr.nodes()), leaf_(leaf), moves_(nodes_.size()), size_(nodes_.size()) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) measure(i);
  }

  Result<std::vector<Node>> run() {
    if (size_.back() > kMaxNodes) return std::unexpected(too_large("the derivative"));
    out_.reserve(size_.back());
    work_.push_back({Step::derivative, nodes_.size() - 1});
    while (!work_.empty()) {
      const Work item = work_.back();
      work_.pop_back();
      switch (item.step) {
        case Step::derivative:
          if (!derivative(item.root)) return std::unexpected(no_derivative(item.root));
          break;
        case Step::partial:
          append_spliced(out_, partials(nodes_[item.root].op)[item.k].nodes, values(item.root));
          break;
        case Step::emit:
          append_call(out_, item.op);
          break;
        case Step::zero:
          out_.push_back(Node::constant(0));
          break;
      }
    }
    return std::move(out_);
  }

 private:
  enum class Step : unsigned char { derivative, partial, emit, zero };
  struct Work {
    Step step = Step::zero;
    std::size_t root = 0;
    std::size_t k = 0;
    Op op = Op::add;
  };
  using Values = std::array<std::span<const Node>, kMaxArity + 1>;

  bool contributes(std::size_t root, std::size_t k, std::size_t argument) const {
    return moves_[argument] && partials(nodes_[root].op)[k].kind != Kind::zero;
  }

  // What the variables of a partial stand for.
  Values values(std::size_t root) const {
    Values all{};
    const auto args = arguments(nodes_, root);
    for (std::size_t k = 0; k < static_cast<std::size_t>(nodes_[root].arity()); ++k) {
      all[k] = subtree(nodes_, args[k]);
    }
    all[Partial::kValueOf] = subtree(nodes_, root);
    return all;
  }

  // Whether the subtree depends on the leaf, and a bound on the nodes of its derivative. Sizes stop
  // growing above kMaxNodes.
  void measure(std::size_t root) {
    const Node& node = nodes_[root];
    if (node.kind != NodeKind::call) {
      moves_[root] = is_leaf(node, leaf_);
      size_[root] = 1;
      return;
    }
    const auto args = arguments(nodes_, root);
    std::size_t size = 1;
    for (std::size_t k = 0; k < static_cast<std::size_t>(node.arity()); ++k) {
      if (!contributes(root, k, args[k])) continue;
      moves_[root] = true;
      const Partial& partial = partials(node.op)[k];
      size += size_[args[k]] + 2;
      if (partial.kind == Kind::general) size += spliced_size(partial.nodes, values(root));
    }
    size_[root] = std::min(size, kMaxNodes + 1);
  }

  void later(Step step, std::size_t root, std::size_t k = 0) { work_.push_back({step, root, k}); }
  void later(Op op) { work_.push_back({.step = Step::emit, .op = op}); }

  // Plans the derivative of the subtree at `root`; false if the table has none. What comes first is
  // pushed last.
  bool derivative(std::size_t root) {
    const Node& node = nodes_[root];
    if (node.kind != NodeKind::call || !moves_[root]) {
      out_.push_back(Node::constant(moves_[root] ? 1 : 0));
      return true;
    }
    const auto args = arguments(nodes_, root);
    std::vector<std::size_t> terms;
    for (std::size_t k = 0; k < static_cast<std::size_t>(node.arity()); ++k) {
      if (!contributes(root, k, args[k])) continue;
      if (partials(node.op)[k].kind == Kind::undefined) return false;
      terms.push_back(k);
    }
    if (info(node.op).selects) {
      selection(root, args, terms);
    } else {
      sum(root, args, terms);
    }
    return true;
  }

  void sum(std::size_t root, const std::array<std::size_t, kMaxArity>& args,
           const std::vector<std::size_t>& terms) {
    for (std::size_t t = terms.size(); t > 0; --t) {
      const std::size_t k = terms[t - 1];
      const Kind kind = partials(nodes_[root].op)[k].kind;
      const bool first = t == 1;
      if (!first) later(kind == Kind::minus_one ? Op::sub : Op::add);
      if (first && kind == Kind::minus_one) later(Op::neg);
      const bool inner = kind != Kind::general || nodes_[args[k]].kind == NodeKind::call;
      if (kind == Kind::general) {
        if (inner) later(Op::mul);
        later(Step::partial, root, k);
      }
      if (inner) later(Step::derivative, args[k]);
    }
  }

  // if(a is taken, a', if(b is taken, b', 0)): what is not taken must not count, though its
  // derivative be infinite.
  void selection(std::size_t root, const std::array<std::size_t, kMaxArity>& args,
                 const std::vector<std::size_t>& terms) {
    for (std::size_t t = 0; t < terms.size(); ++t) later(Op::if_);
    later(Step::zero, root);
    for (std::size_t t = terms.size(); t > 0; --t) {
      later(Step::derivative, args[terms[t - 1]]);
      later(Step::partial, root, terms[t - 1]);
    }
  }

  Error no_derivative(std::size_t root) const {
    const std::string name(info(nodes_[root].op).name);
    if (!is_builtin(nodes_[root].op)) {
      return {ErrorCode::numeric, "'" + name +
                                      "' is no formula, so its derivative is none either; its "
                                      "derivatives as numbers are exact (vieta grad)"};
    }
    return {ErrorCode::numeric, "'" + name +
                                    "' has no derivative with respect to an argument that depends "
                                    "on what is differentiated by; keep that argument constant"};
  }

  std::span<const Node> nodes_;
  Leaf leaf_;
  std::vector<bool> moves_;
  std::vector<std::size_t> size_;
  std::vector<Work> work_;
  std::vector<Node> out_;
};

// Constants that are differentiated by become parameters meanwhile: their numbers change while the
// formula is rewritten, and no rule may look at their values yet.
class FreedConstants {
 public:
  FreedConstants(const Expr& expr, std::span<const Leaf> leaves)
      : symbols_(expr.shared_symbols()), values_(expr.constants()) {
    for (const Leaf& leaf : leaves) {
      if (leaf.kind == Leaf::Kind::constant) freed_.push_back(leaf.index);
    }
    std::ranges::sort(freed_);
    freed_.erase(std::ranges::unique(freed_).begin(), freed_.end());
  }

  Leaf leaf(const Leaf& leaf) const {
    if (leaf.kind != Leaf::Kind::constant) return leaf;
    const auto at = std::ranges::lower_bound(freed_, leaf.index) - freed_.begin();
    return {Leaf::Kind::parameter, symbols_->parameters.size() + static_cast<std::size_t>(at)};
  }

  Expr free(const Expr& expr) const {
    if (freed_.empty()) return expr;
    Symbols more = *symbols_;
    more.parameters.resize(more.parameters.size() + freed_.size());
    std::vector<Node> nodes(expr.nodes().begin(), expr.nodes().end());
    std::size_t number = 0;
    for (Node& node : nodes) {
      if (!node.is_constant()) continue;
      const Leaf which{Leaf::Kind::constant, number++};
      if (std::ranges::binary_search(freed_, which.index))
        node = Node::parameter(leaf(which).index);
    }
    return {std::move(nodes), std::make_shared<const Symbols>(std::move(more))};
  }

  Expr bind(const Expr& expr) const {
    if (freed_.empty()) return expr;
    const std::size_t known = symbols_->parameters.size();
    std::vector<Node> nodes(expr.nodes().begin(), expr.nodes().end());
    for (Node& node : nodes) {
      if (node.kind != NodeKind::parameter || node.index < known) continue;
      node = Node::constant(values_[freed_[node.index - known]]);
    }
    return simplify({std::move(nodes), symbols_});
  }

 private:
  std::shared_ptr<const Symbols> symbols_;
  std::vector<double> values_;
  std::vector<std::size_t> freed_;
};

std::size_t count_of(const Expr& expr, Leaf::Kind kind) {
  switch (kind) {
    case Leaf::Kind::variable:
      return expr.symbols().variables.size();
    case Leaf::Kind::parameter:
      return expr.symbols().parameters.size();
    default:
      return expr.count_constants();
  }
}

}  // namespace

Result<Expr> diff(const Expr& expr, std::span<const Leaf> leaves) {
  for (const Leaf& leaf : leaves) VIETA_CHECK(leaf.index < count_of(expr, leaf.kind));
  const FreedConstants constants(expr, leaves);
  Result<Expr> inlined = inline_operators(constants.free(expr));
  if (!inlined) return inlined;
  Expr derivative = *std::move(inlined);
  for (const Leaf& leaf : leaves) {
    Result<std::vector<Node>> nodes = ChainRule(derivative, constants.leaf(leaf)).run();
    if (!nodes) return std::unexpected(std::move(nodes.error()));
    derivative = simplify({*std::move(nodes), derivative.shared_symbols()});
  }
  return constants.bind(derivative);
}

Result<Expr> diff(const Expr& expr, const Leaf& leaf) { return diff(expr, std::span(&leaf, 1)); }

std::string leaf_name(const Expr& expr, const Leaf& leaf) {
  VIETA_CHECK(leaf.index < count_of(expr, leaf.kind));
  switch (leaf.kind) {
    case Leaf::Kind::variable:
      return expr.symbols().variables[leaf.index];
    case Leaf::Kind::parameter:
      return expr.symbols().parameters[leaf.index];
    default:
      return "c" + std::to_string(leaf.index + 1);
  }
}

Result<Leaf> find_leaf(const Expr& expr, std::string_view name) {
  std::vector<std::string> known;
  for (const auto kind : {Leaf::Kind::variable, Leaf::Kind::parameter, Leaf::Kind::constant}) {
    for (std::size_t i = 0; i < count_of(expr, kind); ++i) {
      known.push_back(leaf_name(expr, {kind, i}));
      if (known.back() == name) return Leaf{kind, i};
    }
  }
  return fail(ErrorCode::usage, "no column, parameter or constant of the formula is called '" +
                                    std::string(name) + "'" + suggestion(name, known));
}

}  // namespace vieta
