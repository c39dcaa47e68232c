// lower: Expr to Program.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "expr/expr.h"
#include "program/program.h"

namespace vieta {

struct LowerOptions {
  /// Every constant is a uniform of its own, to be set and differentiated. false: equal constants
  /// share one.
  bool tunable = false;
};

/// Lowers one formula after another, keeping its scratch: no allocation once the largest was seen.
/// Not shared between threads.
class Lowering {
 public:
  /// `nodes` is a well-formed formula over `variables` columns and `parameters` parameters.
  /// Overwrites `program`. Shared subexpressions become one instruction, the two orders of a sum or
  /// product too. O(nodes).
  void run(std::span<const Node> nodes, std::size_t variables, std::size_t parameters,
           const LowerOptions& options, Program& program);

 private:
  void add_leaf(const Node& node, const LowerOptions& options, Program& program);
  void add_call(const Node& node, Program& program);
  Operand find_or_add(Op op, std::span<const Operand> operands, Program& program);
  void clear_table(std::size_t nodes);

  std::vector<Operand> stack_;
  std::vector<std::uint32_t> table_;  ///< open addressing: instruction + 1, 0 is empty
  std::size_t mask_ = 0;
  std::vector<std::uint8_t> revealed_;
  std::vector<std::uint8_t> used_;
  std::vector<std::uint8_t> revealed_variables_;
  std::vector<std::uint32_t> last_use_;
  std::vector<std::uint32_t> free_slots_;

  void mark_checks(Program& program);
  void allocate_slots(Program& program);
};

/// One formula on its own.
Program lower(const Expr& expr, const LowerOptions& options = {});

}  // namespace vieta
