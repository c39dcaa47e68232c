#include <fmt/format.h>

#include "base/number_text.h"
#include "program/program.h"

namespace vieta {
namespace {

std::string operand_text(const Program& program, const Operand& o,
                         std::span<const std::string> variables,
                         std::span<const std::string> parameters) {
  switch (o.kind) {
    case Operand::Kind::variable:
      return variables[o.index];
    case Operand::Kind::value:
      return fmt::format("%{}", o.index);
    case Operand::Kind::uniform:
      break;
  }
  if (o.index < program.parameters) return parameters[o.index];
  return number_text(program.default_of(o.index));
}

}  // namespace

std::string disassemble(const Program& program, std::span<const std::string> variables,
                        std::span<const std::string> parameters) {
  std::string text;
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction& instruction = program.instructions[i];
    const std::string place = instruction.uniform ? "once" : fmt::format("s{}", instruction.slot);
    std::string line = fmt::format("%{:<4} {:<5} {:<9}", i, place, info(instruction.op).id);
    const char* separator = " ";
    for (const Operand& o : program.operands_of(instruction)) {
      line += separator + operand_text(program, o, variables, parameters);
      separator = ", ";
    }
    text += line + (instruction.check ? "   ; checked\n" : "\n");
  }
  return text + "result " + operand_text(program, program.root, variables, parameters) + "\n";
}

}  // namespace vieta
