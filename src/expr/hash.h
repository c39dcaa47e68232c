// hash: the steps of structural_hash, for those who build formulas node by node.
#pragma once

#include <array>
#include <cstdint>

#include "expr/expr.h"

namespace vieta {

std::uint64_t leaf_hash(const Node& leaf, bool ignore_constants = false);

/// Of a call, given the hashes of its arguments; the first two may be exchanged if `op` is
/// commutative.
std::uint64_t call_hash(Op op, std::array<std::uint64_t, kMaxArity> arguments);

}  // namespace vieta
