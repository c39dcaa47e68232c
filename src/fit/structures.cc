#include "fit/structures.h"

#include <algorithm>

namespace vieta {
namespace {

bool same_structure(const Node& a, const Node& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == NodeKind::call) return a.op == b.op && a.size == b.size;
  return a.is_constant() || a.index == b.index;
}

bool is_of(const Structure& s, std::span<const Node> nodes, std::span<const std::uint8_t> frozen,
           std::size_t variables) {
  return std::ranges::equal(s.nodes, nodes, same_structure) &&
         std::ranges::equal(s.frozen, frozen) && s.program.variable_count == variables;
}

}  // namespace

Structure& Structures::find(std::span<const Node> nodes, std::span<const std::uint8_t> frozen,
                            std::size_t variables) {
  // A scan asks for the same one again and again.
  if (last_ == nullptr || !is_of(*last_, nodes, frozen, variables)) {
    if (places_.empty()) places_.resize(kPlaces);
    auto& owner = places_[structural_hash(nodes, true) % kPlaces];
    if (!owner) owner = std::make_unique<Structure>();
    last_ = owner.get();
    if (!is_of(*last_, nodes, frozen, variables)) {
      make(nodes, frozen, variables, *last_);
      return *last_;
    }
  }
  std::size_t c = 0;
  for (const Node& node : nodes) {
    if (node.is_constant()) last_->program.constants[c++] = node.value;
  }
  return *last_;
}

void Structures::make(std::span<const Node> nodes, std::span<const std::uint8_t> frozen,
                      std::size_t variables, Structure& structure) {
  structure.nodes.assign(nodes.begin(), nodes.end());
  structure.frozen.assign(frozen.begin(), frozen.end());
  lowering_.run(nodes, variables, 0, {.tunable = true}, structure.program);
  structure.unknowns.clear();
  for (std::uint32_t c = 0; c < structure.program.constants.size(); ++c) {
    if (c >= frozen.size() || frozen[c] == 0) structure.unknowns.push_back(c);
  }
  structure.code.has_value = false;
  structure.split = false;
}

}  // namespace vieta
