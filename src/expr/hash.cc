#include "base/hash.h"

#include <bit>
#include <utility>

#include "expr/hash.h"
#include "expr/inline_stack.h"

namespace vieta {
namespace {

// Names, not places in the table: a hash stays the same when a row is added.
constexpr std::uint64_t text_hash(std::string_view text) {
  std::uint64_t hash = text.size();
  for (const char c : text) hash = combine(hash, static_cast<unsigned char>(c));
  return hash;
}

const std::array<std::uint64_t, kOpCount>& op_seeds() {
  static const std::array<std::uint64_t, kOpCount> seeds = [] {
    std::array<std::uint64_t, kOpCount> all{};
    for (std::size_t i = 0; i < kOpCount; ++i) all[i] = text_hash(info(op_at(i)).id);
    return all;
  }();
  return seeds;
}

constexpr std::uint64_t kVariableSeed = text_hash("a variable");
constexpr std::uint64_t kParameterSeed = text_hash("a parameter");
constexpr std::uint64_t kConstantSeed = text_hash("a constant");

}  // namespace

std::uint64_t leaf_hash(const Node& leaf, bool ignore_constants) {
  switch (leaf.kind) {
    case NodeKind::variable:
      return combine(kVariableSeed, leaf.index);
    case NodeKind::parameter:
      return combine(kParameterSeed, leaf.index);
    default:
      if (ignore_constants) return kConstantSeed;
      return combine(kConstantSeed, std::bit_cast<std::uint64_t>(leaf.value));
  }
}

std::uint64_t call_hash(Op op, std::array<std::uint64_t, kMaxArity> of) {
  const OpInfo& row = info(op);
  // Sorted, then chained: adding or xoring the two would make x*x and y*y, or x-x, alike.
  if (row.commutative && of[0] > of[1]) std::swap(of[0], of[1]);
  std::uint64_t hash =
      is_builtin(op) ? op_seeds()[static_cast<std::size_t>(op)] : text_hash(row.name);
  for (int k = 0; k < row.arity; ++k) hash = combine(hash, of[static_cast<std::size_t>(k)]);
  return hash;
}

std::uint64_t structural_hash(std::span<const Node> nodes, bool ignore_constants) {
  InlineStack<std::uint64_t> hashes;
  for (const Node& node : nodes) {
    if (node.kind != NodeKind::call) {
      hashes.push(leaf_hash(node, ignore_constants));
      continue;
    }
    std::array<std::uint64_t, kMaxArity> of{};
    for (int k = node.arity() - 1; k >= 0; --k) of[static_cast<std::size_t>(k)] = hashes.pop();
    hashes.push(call_hash(node.op, of));
  }
  return hashes.pop();
}

}  // namespace vieta
