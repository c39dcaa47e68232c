#include "program/basis.h"

#include <algorithm>
#include <array>

namespace vieta {

using Kind = Operand::Kind;

bool BasisSplitter::run(const Program& program, std::span<const std::uint32_t> linear,
                        Basis& basis) {
  basis_ = &basis;
  basis.program = program;
  basis.program.instructions.clear();
  basis.program.operands.clear();
  basis.functions.clear();
  basis.terms.assign(linear.size(), {});
  basis.fixed = {};
  none_ = static_cast<std::uint32_t>(linear.size());
  constant_of_.assign(program.uniforms(), none_);
  for (std::uint32_t j = 0; j < linear.size(); ++j) constant_of_[linear[j]] = j;
  sums_.clear();
  parts_.clear();
  for (const Instruction& i : program.instructions) {
    if (!add_instruction(i, program.operands_of(i))) return false;
  }
  const Sum root = sum_of(program.root);
  for (std::uint32_t p = root.first; p < root.first + root.count; ++p) {
    const Part part = parts_[p];
    if (!place(part, part.constant == none_ ? basis.fixed : basis.terms[part.constant]))
      return false;
  }
  return true;
}

bool BasisSplitter::place(const Part& part, Basis::Term& term) {
  term = {Basis::kOne, part.sign};
  if (part.one) return true;
  const bool varies =
      part.factor.kind == Kind::variable ||
      (part.factor.kind == Kind::value && !basis_->program.instructions[part.factor.index].uniform);
  auto& functions = basis_->functions;
  const auto known = std::ranges::find(functions, part.factor);
  term.function = static_cast<std::uint32_t>(known - functions.begin());
  if (known == functions.end()) functions.push_back(part.factor);
  return varies;
}

bool BasisSplitter::is_linear(const Sum& s) const {
  return s.count != 1 || parts_[s.first].constant != none_;
}

BasisSplitter::Sum BasisSplitter::sum_of(const Operand& o) {
  if (o.kind == Kind::value) return sums_[o.index];
  const Sum sum{static_cast<std::uint32_t>(parts_.size()), 1};
  const std::uint32_t constant = o.kind == Kind::uniform ? constant_of_[o.index] : none_;
  parts_.push_back({constant, o, constant != none_, 1});
  return sum;
}

Operand BasisSplitter::add(Op op, std::span<const Operand> operands) {
  Program& p = basis_->program;
  Instruction made;
  made.op = op;
  made.arity = static_cast<std::uint8_t>(operands.size());
  made.first_operand = static_cast<std::uint32_t>(p.operands.size());
  made.uniform = std::ranges::all_of(operands, [&](const Operand& o) {
    return o.kind == Kind::uniform || (o.kind == Kind::value && p.instructions[o.index].uniform);
  });
  p.operands.insert(p.operands.end(), operands.begin(), operands.end());
  p.instructions.push_back(made);
  return {Kind::value, static_cast<std::uint32_t>(p.instructions.size() - 1)};
}

bool BasisSplitter::add_instruction(const Instruction& instruction,
                                    std::span<const Operand> operands) {
  std::array<Sum, kMaxArity> in{};
  bool linear = false;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    in[k] = sum_of(operands[k]);
    linear = linear || is_linear(in[k]);
  }
  Sum out;
  bool known = true;
  if (!linear) {
    std::array<Operand, kMaxArity> same{};
    for (std::size_t k = 0; k < operands.size(); ++k) same[k] = parts_[in[k].first].factor;
    const Operand made = add(instruction.op, {same.data(), operands.size()});
    Instruction& copy = basis_->program.instructions[made.index];
    copy.check = instruction.check;
    copy.inner = instruction.inner;
    out = {static_cast<std::uint32_t>(parts_.size()), 1};
    parts_.push_back({none_, made, false, 1});
  } else if (instruction.op == Op::add) {
    known = combine(in[0], in[1], 1, out);
  } else if (instruction.op == Op::sub) {
    known = combine(in[0], in[1], -1, out);
  } else if (instruction.op == Op::neg) {
    known = combine({}, in[0], -1, out);
  } else if (instruction.op == Op::mul) {
    known = multiply(in[0], in[1], out);
  } else if (instruction.op == Op::div) {
    known = divide(in[0], in[1], out);
  } else if (instruction.op == Op::fma) {
    Sum product;
    if (is_linear(in[0]) || is_linear(in[1])) {
      known = multiply(in[0], in[1], product);
    } else {
      const std::array factors{parts_[in[0].first].factor, parts_[in[1].first].factor};
      product = {static_cast<std::uint32_t>(parts_.size()), 1};
      parts_.push_back({none_, add(Op::mul, factors), false, 1});
    }
    known = known && combine(product, in[2], 1, out);
  } else {
    known = false;
  }
  sums_.push_back(out);
  return known;
}

// a + sign * b. Two parts of one constant become one.
bool BasisSplitter::combine(const Sum& a, const Sum& b, int sign, Sum& result) {
  result = {static_cast<std::uint32_t>(parts_.size()), a.count};
  for (std::uint32_t k = 0; k < a.count; ++k) parts_.push_back(Part(parts_[a.first + k]));
  for (std::uint32_t k = 0; k < b.count; ++k) {
    Part part = parts_[b.first + k];
    part.sign *= sign;
    std::uint32_t at = result.first;
    while (at < result.first + result.count && parts_[at].constant != part.constant) ++at;
    if (at == result.first + result.count) {
      parts_.push_back(part);
      ++result.count;
      continue;
    }
    Part& mine = parts_[at];
    if (mine.one || part.one) return false;
    const std::array both{mine.factor, part.factor};
    mine.factor = add(mine.sign == part.sign ? Op::add : Op::sub, both);
  }
  return true;
}

bool BasisSplitter::multiply(const Sum& a, const Sum& b, Sum& result) {
  if (is_linear(a) && is_linear(b)) return false;
  const Sum& many = is_linear(a) ? a : b;
  const Part single = parts_[is_linear(a) ? b.first : a.first];
  result = {static_cast<std::uint32_t>(parts_.size()), many.count};
  for (std::uint32_t k = 0; k < many.count; ++k) {
    Part part = parts_[many.first + k];
    part.sign *= single.sign;
    const std::array factors{part.factor, single.factor};
    part.factor = part.one ? single.factor : add(Op::mul, factors);
    part.one = false;
    parts_.push_back(part);
  }
  return true;
}

bool BasisSplitter::divide(const Sum& a, const Sum& b, Sum& result) {
  if (is_linear(b)) return false;
  const Part single = parts_[b.first];
  result = {static_cast<std::uint32_t>(parts_.size()), a.count};
  for (std::uint32_t k = 0; k < a.count; ++k) {
    Part part = parts_[a.first + k];
    part.sign *= single.sign;
    const std::array quotient{part.factor, single.factor};
    part.factor = part.one ? add(Op::inv, std::array{single.factor}) : add(Op::div, quotient);
    part.one = false;
    parts_.push_back(part);
  }
  return true;
}

}  // namespace vieta
