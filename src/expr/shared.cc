#include "expr/shared.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/hash.h"
#include "expr/inline_stack.h"

namespace vieta {
namespace {

// What makes a subtree the same as another, given the numbers of its arguments.
struct Shape {
  NodeKind kind;
  Op op;
  std::uint64_t leaf;
  std::array<std::uint32_t, kMaxArity> arguments{};
  friend bool operator==(const Shape&, const Shape&) = default;
};

struct HashOfShape {
  std::size_t operator()(const Shape& shape) const {
    std::uint64_t hash = combine(static_cast<std::uint64_t>(shape.kind), shape.leaf);
    hash = combine(hash, static_cast<std::uint64_t>(shape.op));
    for (const std::uint32_t argument : shape.arguments) hash = combine(hash, argument);
    return hash;
  }
};

Shape shape_of(const Node& node) {
  switch (node.kind) {
    case NodeKind::call:
      return {node.kind, node.op, 0};
    case NodeKind::constant: {
      // Node::constant again: a node built by hand may hold another NaN.
      const double value = Node::constant(node.value).value;
      return {node.kind, Op{}, std::bit_cast<std::uint64_t>(value)};
    }
    default:
      return {node.kind, Op{}, node.index};
  }
}

// The calls that get a name, by number and by the place where they occur first.
class Sharing {
 public:
  explicit Sharing(std::span<const Node> nodes) : nodes_(nodes), numbers_(subtree_numbers(nodes)) {
    std::vector<unsigned char> uses(nodes.size(), 0);
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      // A later occurrence's arguments are edges of the graph that were counted at the first.
      if (numbers_[i] != next) continue;
      ++next;
      count_arguments(i, uses);
    }
    name_shared(uses);
  }

  /// Where each named call occurs first, inner ones before those they are part of.
  const std::vector<std::size_t>& named() const { return named_; }
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  /// Index into named(), or kNone.
  std::uint32_t name_at(std::size_t position) const { return names_[numbers_[position]]; }

 private:
  void count_arguments(std::size_t call, std::vector<unsigned char>& uses) const {
    const auto args = arguments(nodes_, call);
    for (int k = 0; k < nodes_[call].arity(); ++k) {
      unsigned char& count = uses[numbers_[args[static_cast<std::size_t>(k)]]];
      count = static_cast<unsigned char>(std::min(count + 1, 2));
    }
  }

  void name_shared(const std::vector<unsigned char>& uses) {
    names_.assign(nodes_.size(), kNone);
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (numbers_[i] != next) continue;
      ++next;
      if (nodes_[i].kind != NodeKind::call || uses[numbers_[i]] < 2) continue;
      names_[numbers_[i]] = static_cast<std::uint32_t>(named_.size());
      named_.push_back(i);
    }
  }

  std::span<const Node> nodes_;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> names_;  // by number
  std::vector<std::size_t> named_;
};

// The columns, then a local name for each shared call.
std::shared_ptr<const Symbols> with_local_names(const Symbols& given, std::size_t count) {
  Symbols symbols = given;
  std::unordered_set<std::string_view> taken(given.variables.begin(), given.variables.end());
  taken.insert(given.parameters.begin(), given.parameters.end());
  for (std::size_t number = 1; count > 0; ++number) {
    std::string name = "t" + std::to_string(number);
    if (taken.contains(name)) continue;
    symbols.variables.push_back(std::move(name));
    --count;
  }
  return std::make_shared<const Symbols>(std::move(symbols));
}

}  // namespace

std::vector<std::uint32_t> subtree_numbers(std::span<const Node> nodes) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(nodes.size());
  std::unordered_map<Shape, std::uint32_t, HashOfShape> known;
  InlineStack<std::uint32_t> open;
  for (const Node& node : nodes) {
    Shape shape = shape_of(node);
    for (int k = node.arity(); k > 0; --k) {
      shape.arguments[static_cast<std::size_t>(k - 1)] = open.pop();
    }
    const auto next = static_cast<std::uint32_t>(known.size());
    numbers.push_back(known.try_emplace(shape, next).first->second);
    open.push(numbers.back());
  }
  return numbers;
}

std::size_t count_unique(std::span<const Node> nodes) {
  const std::vector<std::uint32_t> numbers = subtree_numbers(nodes);
  return numbers.empty() ? 0 : std::size_t{*std::ranges::max_element(numbers)} + 1;
}

std::string print_shared(const Expr& expr, const PrintOptions& options) {
  const Sharing sharing(expr.nodes());
  const std::size_t columns = expr.symbols().variables.size();
  const auto symbols = with_local_names(expr.symbols(), sharing.named().size());

  // From the root backwards, so that a named part is left out by one jump over its nodes.
  const auto text_of = [&](std::size_t root) {
    std::vector<Node> nodes;
    const std::size_t end = root + 1 - expr.nodes()[root].size;
    for (std::size_t left = root + 1; left > end;) {
      const std::size_t at = left - 1;
      const std::uint32_t name = at == root ? Sharing::kNone : sharing.name_at(at);
      const bool named = name != Sharing::kNone;
      nodes.push_back(named ? Node::variable(columns + name) : expr.nodes()[at]);
      left -= named ? expr.nodes()[at].size : 1;
    }
    std::ranges::reverse(nodes);
    restore_sizes(nodes);
    return print(Expr(std::move(nodes), symbols), options);
  };

  std::string text;
  for (std::size_t i = 0; i < sharing.named().size(); ++i) {
    text += symbols->variables[columns + i] + " = " + text_of(sharing.named()[i]) + "; ";
  }
  return text + text_of(expr.size() - 1);
}

}  // namespace vieta
