// program: a formula as straight-line code. Every instruction makes one value from operands made
// before it; shared subexpressions are one value. Immutable once lowered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ops/op.h"

namespace vieta {

/// Where an instruction reads.
struct Operand {
  enum class Kind : std::uint8_t {
    variable,  ///< an input column
    uniform,   ///< a number that is the same on every row: a parameter, or a constant behind them
    value,     ///< the result of an earlier instruction
  };
  Kind kind = Kind::uniform;
  std::uint32_t index = 0;
  friend bool operator==(const Operand&, const Operand&) = default;
};

struct Instruction {
  Op op = Op::add;
  std::uint8_t arity = 0;
  /// All operands are uniform (directly or through uniform instructions): computed once, not on
  /// every row.
  bool uniform = false;
  /// The result must be tested for finiteness: no consumer is certain to pass an infinity or NaN
  /// on.
  bool check = false;
  /// Made for the inside of an operator's body alone: no operator result of the formula.
  bool inner = false;
  std::uint32_t first_operand = 0;  ///< into Program::operands
  /// The slot of a value-only run, where results that are no longer needed give way. Uniform
  /// results have none.
  std::uint32_t slot = 0;
};

/// Straight-line code of one formula.
struct Program {
  std::vector<Instruction> instructions;
  std::vector<Operand> operands;
  Operand root;
  /// Uniforms 0 .. parameters-1 are the parameters, which have no default; the constants follow,
  /// then the numbers.
  std::size_t parameters = 0;
  std::vector<double> constants;
  std::vector<double> numbers;  ///< of operators' bodies: the last uniforms, never changed
  /// The uniform that each constant of the formula became, in the formula's order (equal constants
  /// may share one unless they are tunable).
  std::vector<std::uint32_t> uniform_of_constant;
  std::vector<std::uint32_t> variables;  ///< columns used, ascending
  std::vector<std::uint32_t>
      checked_variables;           ///< columns whose finiteness no instruction reveals
  std::size_t variable_count = 0;  ///< columns a table must have
  std::size_t slots = 0;           ///< slots of a value-only run
  bool tunable = false;            ///< lowered so that every constant is a uniform of its own

  std::size_t uniforms() const { return parameters + constants.size() + numbers.size(); }
  /// The value of a uniform that is no parameter.
  double default_of(std::size_t uniform) const {
    const std::size_t behind = uniform - parameters;
    return behind < constants.size() ? constants[behind] : numbers[behind - constants.size()];
  }
  std::span<const Operand> operands_of(const Instruction& i) const {
    return {operands.data() + i.first_operand, i.arity};
  }
};

/// A listing people can read: one line an instruction.
std::string disassemble(const Program& program, std::span<const std::string> variables,
                        std::span<const std::string> parameters);

}  // namespace vieta
