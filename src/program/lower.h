// lower: Expr to Program.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "expr/expr.h"
#include "ops/user_op.h"
#include "program/program.h"

namespace vieta {

struct LowerOptions {
  /// Every constant is a uniform of its own, to be set and differentiated. false: equal constants
  /// share one.
  bool tunable = false;
  /// Composites that lose digits or range as written are computed by operators that do not:
  /// exp(u) - 1, 1 - exp(u), log(1 + u), log(1 - u), log(1 + exp(u)), log(exp(u) - 1),
  /// log(1 - exp(u)), log(exp(u) + exp(v)). u^2, u^3 and u^-1 are computed by square, cube and inv.
  /// Their 1 or exponent is a number of the formula; where numbers are tunable it is none
  /// (docs/decisions/0005).
  bool stable_composites = true;
  /// x/c, c a number or made of numbers, is computed as x*(1/c): for fast kernels, at most 4 ULP
  /// off. Where 1/c overflows (|c| below 1/max) the result is not finite.
  bool reciprocals = false;
};

/// A formula around the formula: its variable 0 is the inner one's value, the others are columns
/// behind the table's. Its constants are numbers of the program, never tunable.
struct OuterFormula {
  std::span<const Node> nodes;  ///< empty: none
  std::size_t columns = 0;
};

/// Lowers one formula after another, keeping its scratch: no allocation once the largest was seen.
/// Not shared between threads.
class Lowering {
 public:
  /// `nodes` is a well-formed formula over `variables` columns and `parameters` parameters.
  /// Overwrites `program`. Operators with a body are replaced by it. Shared subexpressions become
  /// one instruction, the two orders of a sum or product too. O(nodes).
  void run(std::span<const Node> nodes, std::size_t variables, std::size_t parameters,
           const LowerOptions& options, Program& program, const OuterFormula& outer = {});

  /// Finds for a program that was put together from others' instructions what run() finds: the
  /// columns it reads, what is tested for finiteness, and the slots.
  void complete(Program& program);

 private:
  void add_outer(const OuterFormula& outer, std::size_t variables, const LowerOptions& options,
                 Program& program);
  void add_leaf(const Node& node, const LowerOptions& options, Program& program);
  void add_call(const Node& node, const LowerOptions& options, Program& program);
  Operand apply(Op op, std::span<const Operand> operands, const LowerOptions& options,
                Program& program);
  Operand reciprocal(const Operand& x, Program& program);
  Operand expand(const OpBody& body, std::span<const Operand> operands, const LowerOptions& options,
                 Program& program);
  Operand number(double value, Program& program);
  void place_numbers(Program& program);
  Operand find_or_add(Op op, std::span<const Operand> operands, Program& program);
  void clear_table(std::size_t nodes);
  void grow_table(const Program& program);
  // stable_composites.cc
  bool is_call(const Operand& o, Op op, const Program& program) const;
  Operand argument(const Operand& o, std::size_t k, const Program& program) const;
  bool is_number(const Operand& o, double value, const Program& program) const;
  Operand call(Op op, std::initializer_list<Operand> operands, Program& program);
  std::optional<Operand> stable_composite(Op op, std::span<const Operand> operands,
                                          Program& program);
  std::optional<Operand> stable_difference(const Operand& a, const Operand& b, Program& program);
  std::optional<Operand> stable_log(const Operand& x, Program& program);
  std::optional<Operand> stable_log_of_sum(const Operand& u, const Operand& v, Program& program);
  std::optional<Operand> whole_power(const Operand& u, const Operand& exponent, Program& program);
  void sweep(Program& program);

  static constexpr std::uint32_t kNumberMark = 1U << 31U;

  std::vector<Operand> stack_;
  std::vector<std::uint32_t> table_;  ///< open addressing: instruction + 1, 0 is empty
  std::size_t mask_ = 0;
  std::vector<std::vector<Operand>> steps_;  ///< of the bodies that are being expanded
  std::vector<std::uint8_t> revealed_;
  std::vector<std::uint8_t> used_;
  std::vector<std::uint8_t> revealed_variables_;
  std::vector<std::uint32_t> last_use_;
  std::vector<std::uint32_t> free_slots_;
  std::vector<std::uint32_t> number_;  ///< sweep: of each instruction, afterwards
  bool replaced_ = false;              ///< some composite or operator was, by its body
  int inside_ = 0;                     ///< how many bodies deep

  void mark_checks(Program& program);
  void allocate_slots(Program& program);
};

/// One formula on its own.
Program lower(const Expr& expr, const LowerOptions& options = {});

}  // namespace vieta
