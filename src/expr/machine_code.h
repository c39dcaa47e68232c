// machine_code: what the machine runs, made from a definition's formulas.
#pragma once

#include <cstdint>
#include <vector>

#include "expr/machine.h"

namespace vieta {

struct MachineStep {
  enum class Kind : std::uint8_t {
    argument,      ///< push argument `index`
    number,        ///< push numbers[index]
    local,         ///< push local name `index`, after computing it if that was not done before
    keep,          ///< the end of a local name's code: note what is on top as `index`, go back
    load,          ///< push loop slot `index`
    store,         ///< pop into loop slot `index`
    plain,         ///< drop the derivatives of what is on top
    call,          ///< the operator `op` on what is on top
    call_itself,   ///< the definition
    jump,          ///< to step `index`
    jump_if_zero,  ///< pop; to step `index` if it was 0
    finish,        ///< what is on top is the result of the call
  };
  Kind kind = Kind::finish;
  Op op = Op::add;
  std::uint32_t index = 0;
};

struct MachineCode {
  std::vector<MachineStep> steps;  ///< begins with the result's
  std::vector<double> numbers;
  std::vector<std::uint32_t> locals;  ///< where each local name's code begins
  std::uint32_t arity = 0;
  std::uint32_t loop_slots = 0;
};

MachineCode make_machine_code(const MachineBody& body, Op self);

}  // namespace vieta
