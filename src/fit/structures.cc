#include "fit/structures.h"

#include <algorithm>

namespace vieta {
namespace {

bool same_structure(const Node& a, const Node& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == NodeKind::call) return a.op == b.op && a.size == b.size;
  return a.is_constant() || a.index == b.index;
}

}  // namespace

Structure& Structures::find(std::span<const Node> nodes, std::span<const std::uint8_t> frozen,
                            std::size_t variables) {
  if (places_.empty()) places_.resize(kPlaces);
  auto& owner = places_[structural_hash(nodes, true) % kPlaces];
  if (!owner) owner = std::make_unique<Structure>();
  Structure& place = *owner;
  const bool known = std::ranges::equal(place.nodes, nodes, same_structure) &&
                     std::ranges::equal(place.frozen, frozen) &&
                     place.program.variable_count == variables;
  if (!known) {
    make(nodes, frozen, variables, place);
    return place;
  }
  std::size_t c = 0;
  for (const Node& node : nodes) {
    if (node.is_constant()) place.program.constants[c++] = node.value;
  }
  return place;
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
