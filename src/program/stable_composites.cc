// Composites that lose their digits or their range as written, made of operators that do not, and
// powers that have an operator of their own. Each line has the composite, and what is computed
// instead.

#include <algorithm>
#include <array>

#include "program/lower.h"

namespace vieta {

using Kind = Operand::Kind;

bool Lowering::is_call(const Operand& o, Op op, const Program& program) const {
  return o.kind == Kind::value && program.instructions[o.index].op == op;
}

Operand Lowering::argument(const Operand& o, std::size_t k, const Program& program) const {
  return program.operands[program.instructions[o.index].first_operand + k];
}

// A number of the formula that nobody can change. A tunable 1 is no 1.
bool Lowering::is_number(const Operand& o, double value, const Program& program) const {
  if (o.kind != Kind::uniform) return false;
  if ((o.index & kNumberMark) != 0) return program.numbers[o.index & ~kNumberMark] == value;
  return !program.tunable && o.index >= program.parameters &&
         program.constants[o.index - program.parameters] == value;
}

Operand Lowering::call(Op op, std::initializer_list<Operand> operands, Program& program) {
  replaced_ = true;
  return find_or_add(op, {operands.begin(), operands.size()}, program);
}

std::optional<Operand> Lowering::stable_composite(Op op, std::span<const Operand> operands,
                                                  Program& program) {
  switch (op) {
    case Op::sub:
      return stable_difference(operands[0], operands[1], program);
    case Op::add:
      // exp(u) + -1
      for (const std::size_t k : {0U, 1U}) {
        if (is_call(operands[k], Op::exp, program) && is_number(operands[1 - k], -1, program))
          return call(Op::expm1, {argument(operands[k], 0, program)}, program);
      }
      return std::nullopt;
    case Op::log:
      return stable_log(operands[0], program);
    case Op::log1p:
      // log1p(exp(u))
      if (!is_call(operands[0], Op::exp, program)) return std::nullopt;
      return call(Op::softplus, {argument(operands[0], 0, program)}, program);
    case Op::pow:
      return whole_power(operands[0], operands[1], program);
    default:
      return std::nullopt;
  }
}

// u^2, u^3, u^-1: the same at every number, infinity, NaN and zero of either sign, in value and
// derivatives, and within the bound of pow. square(square(u)) is not within it, and sqrt(u) differs
// from u^0.5 at -0 and -infinity.
std::optional<Operand> Lowering::whole_power(const Operand& u, const Operand& exponent,
                                             Program& program) {
  if (is_number(exponent, 2, program)) return call(Op::square, {u}, program);
  if (is_number(exponent, 3, program)) return call(Op::cube, {u}, program);
  if (is_number(exponent, -1, program)) return call(Op::inv, {u}, program);
  return std::nullopt;
}

std::optional<Operand> Lowering::stable_difference(const Operand& a, const Operand& b,
                                                   Program& program) {
  // exp(u) - 1
  if (is_call(a, Op::exp, program) && is_number(b, 1, program))
    return call(Op::expm1, {argument(a, 0, program)}, program);
  // 1 - exp(u)
  if (is_number(a, 1, program) && is_call(b, Op::exp, program))
    return call(Op::neg, {call(Op::expm1, {argument(b, 0, program)}, program)}, program);
  return std::nullopt;
}

std::optional<Operand> Lowering::stable_log(const Operand& x, Program& program) {
  if (is_call(x, Op::add, program)) {
    const Operand a = argument(x, 0, program);
    const Operand b = argument(x, 1, program);
    if (is_call(a, Op::exp, program) && is_call(b, Op::exp, program))
      return stable_log_of_sum(argument(a, 0, program), argument(b, 0, program), program);
    for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)}) {
      if (!is_number(one, 1, program)) continue;
      // log(1 + exp(u)), log(1 + u)
      return is_call(other, Op::exp, program)
                 ? call(Op::softplus, {argument(other, 0, program)}, program)
                 : call(Op::log1p, {other}, program);
    }
    return std::nullopt;
  }
  // log(1 - u)
  if (is_call(x, Op::sub, program) && is_number(argument(x, 0, program), 1, program))
    return call(Op::log1p, {call(Op::neg, {argument(x, 1, program)}, program)}, program);
  // log(exp(u) - 1) = u + log(1 - exp(-u))
  if (is_call(x, Op::expm1, program)) {
    const Operand u = argument(x, 0, program);
    const Operand rest =
        call(Op::neg, {call(Op::expm1, {call(Op::neg, {u}, program)}, program)}, program);
    return call(Op::add, {u, call(Op::log, {rest}, program)}, program);
  }
  // log(1 - exp(u)): by log near u = 0, by log1p where exp(u) is small
  if (is_call(x, Op::neg, program) && is_call(argument(x, 0, program), Op::expm1, program)) {
    const Operand small = call(Op::exp, {argument(argument(x, 0, program), 0, program)}, program);
    return call(Op::if_,
                {call(Op::gt, {small, x}, program), call(Op::log, {x}, program),
                 call(Op::log1p, {call(Op::neg, {small}, program)}, program)},
                program);
  }
  return std::nullopt;
}

// log(exp(u) + exp(v)): from the larger one; chosen, not by max and abs, whose derivatives at a tie
// are not the limit.
std::optional<Operand> Lowering::stable_log_of_sum(const Operand& u, const Operand& v,
                                                   Program& program) {
  const auto from = [&](const Operand& larger, const Operand& smaller) {
    const Operand gap = call(Op::sub, {smaller, larger}, program);
    return call(Op::add, {larger, call(Op::softplus, {gap}, program)}, program);
  };
  return call(Op::if_, {call(Op::gt, {u, v}, program), from(u, v), from(v, u)}, program);
}

// Removes the instructions that nothing uses any more.
void Lowering::sweep(Program& program) {
  constexpr std::uint32_t kDead = ~std::uint32_t{0};
  const std::size_t n = program.instructions.size();
  number_.assign(n, kDead);
  if (program.root.kind == Kind::value) number_[program.root.index] = 0;
  for (std::size_t i = n; i-- > 0;) {
    if (number_[i] == kDead) continue;
    for (const Operand& o : program.operands_of(program.instructions[i])) {
      if (o.kind == Kind::value) number_[o.index] = 0;
    }
  }
  std::uint32_t kept = 0;
  std::uint32_t operands = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (number_[i] == kDead) continue;
    Instruction instruction = program.instructions[i];
    for (std::size_t k = 0; k < instruction.arity; ++k) {
      Operand o = program.operands[instruction.first_operand + k];
      if (o.kind == Kind::value) o.index = number_[o.index];
      program.operands[operands + k] = o;
    }
    instruction.first_operand = operands;
    operands += instruction.arity;
    number_[i] = kept;
    program.instructions[kept++] = instruction;
  }
  program.instructions.resize(kept);
  program.operands.resize(operands);
  if (program.root.kind == Kind::value) program.root.index = number_[program.root.index];
}

}  // namespace vieta
