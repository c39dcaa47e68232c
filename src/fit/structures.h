// structures: formulas that differ in their numbers only are lowered and coded once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "expr/expr.h"
#include "fit/formula_problem.h"
#include "fit/separable_pass.h"
#include "program/lower.h"

namespace vieta {

/// A formula up to its numbers, and all that a fit needs to know of it.
struct Structure {
  std::vector<Node> nodes;           ///< the values of its constants mean nothing
  std::vector<std::uint8_t> frozen;  ///< one a constant, or empty
  Program program;                   ///< tunable; its constants are those last asked for
  std::vector<std::uint32_t> unknowns;
  FormulaCode code;
  bool split = false;                   ///< whether the next two are known
  std::vector<std::uint8_t> is_linear;  ///< one an unknown
  SeparableCode separable;
};

/// The structures met last, found by a hash of their nodes: one place a hash, so that memory is
/// bounded and the newest one stays. Keeps the places' memory. Not shared between threads.
class Structures {
 public:
  /// The structure of `nodes` over `variables` columns, its program's constants being theirs.
  /// Valid until the next call.
  Structure& find(std::span<const Node> nodes, std::span<const std::uint8_t> frozen,
                  std::size_t variables);

 private:
  // Of a search, a place a few generations' most frequent structures.
  static constexpr std::size_t kPlaces = 64;

  void make(std::span<const Node> nodes, std::span<const std::uint8_t> frozen,
            std::size_t variables, Structure& structure);

  std::vector<std::unique_ptr<Structure>> places_;
  Structure* last_ = nullptr;  ///< asked for
  Lowering lowering_;
};

}  // namespace vieta
