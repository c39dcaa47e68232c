#include "program/lower.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/check.h"
#include "base/hash.h"

namespace vieta {
namespace {

using Kind = Operand::Kind;

std::uint64_t hash_of(Op op, std::span<const Operand> operands) {
  std::uint64_t h = mix(static_cast<std::uint64_t>(op));
  for (const Operand& o : operands) {
    h = combine(h, (static_cast<std::uint64_t>(o.kind) << 32U) | o.index);
  }
  return h;
}

bool before(const Operand& a, const Operand& b) {
  return a.kind != b.kind ? a.kind < b.kind : a.index < b.index;
}

// Exchanging the operands of a sum or product changes neither value nor derivative. That of min and
// max would change which argument gets the derivative on a tie.
bool exchangeable(Op op) { return op == Op::add || op == Op::mul; }

bool is_uniform(const Operand& o, const Program& program) {
  return o.kind == Kind::uniform ||
         (o.kind == Kind::value && program.instructions[o.index].uniform);
}

}  // namespace

void Lowering::run(std::span<const Node> nodes, std::size_t variables, std::size_t parameters,
                   const LowerOptions& options, Program& program, const OuterFormula& outer) {
  program.instructions.clear();
  program.operands.clear();
  program.constants.clear();
  program.numbers.clear();
  program.uniform_of_constant.clear();
  program.variables.clear();
  program.checked_variables.clear();
  program.parameters = parameters;
  program.variable_count = variables + outer.columns;
  program.tunable = options.tunable;
  stack_.clear();
  replaced_ = false;
  clear_table(nodes.size());

  for (const Node& node : nodes) {
    if (node.kind == NodeKind::call) {
      add_call(node, options, program);
    } else {
      add_leaf(node, options, program);
    }
  }
  if (!outer.nodes.empty()) add_outer(outer, variables, options, program);
  VIETA_CHECK(stack_.size() == 1);
  program.root = stack_.back();
  if (!program.numbers.empty()) place_numbers(program);
  if (replaced_) sweep(program);
  complete(program);
}

void Lowering::complete(Program& program) {
  program.variables.clear();
  program.checked_variables.clear();
  mark_checks(program);
  allocate_slots(program);
}

// Like an operator's body: of its results the last one alone is tested.
void Lowering::add_outer(const OuterFormula& outer, std::size_t variables,
                         const LowerOptions& options, Program& program) {
  const Operand inner = stack_.back();
  stack_.clear();
  ++inside_;
  for (const Node& node : outer.nodes) {
    if (node.kind == NodeKind::call) {
      add_call(node, options, program);
    } else if (node.kind == NodeKind::constant) {
      stack_.push_back(number(node.value, program));
    } else {
      VIETA_CHECK(node.kind == NodeKind::variable && node.index <= outer.columns);
      const auto column = static_cast<std::uint32_t>(variables + node.index - 1);
      stack_.push_back(node.index == 0 ? inner : Operand{Kind::variable, column});
    }
  }
  --inside_;
  const Operand& root = stack_.back();
  if (root.kind == Kind::value) program.instructions[root.index].inner = false;
}

void Lowering::clear_table(std::size_t nodes) {
  const std::size_t size = std::bit_ceil(std::max<std::size_t>(16, 2 * nodes));
  table_.assign(size, 0);
  mask_ = size - 1;
}

// A composite may be replaced by more instructions than it has nodes.
void Lowering::grow_table(const Program& program) {
  clear_table(table_.size());
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction& known = program.instructions[i];
    std::size_t at = hash_of(known.op, program.operands_of(known)) & mask_;
    while (table_[at] != 0) at = (at + 1) & mask_;
    table_[at] = i + 1;
  }
}

void Lowering::add_leaf(const Node& node, const LowerOptions& options, Program& program) {
  if (node.kind == NodeKind::variable) {
    stack_.push_back({Kind::variable, static_cast<std::uint32_t>(node.index)});
    return;
  }
  if (node.kind == NodeKind::parameter) {
    stack_.push_back({Kind::uniform, static_cast<std::uint32_t>(node.index)});
    return;
  }
  const auto bits = std::bit_cast<std::uint64_t>(node.value);
  std::uint32_t constant = 0;
  const auto count = static_cast<std::uint32_t>(program.constants.size());
  if (options.tunable) {
    constant = count;
  } else {
    // Formulas with many different constants are read from files, not searched: hashing would not
    // pay.
    constexpr std::uint32_t kLookBack = 64;
    constant = count > kLookBack ? count - kLookBack : 0;
    while (constant < count && std::bit_cast<std::uint64_t>(program.constants[constant]) != bits)
      ++constant;
  }
  if (constant == count) program.constants.push_back(node.value);
  const auto uniform = static_cast<std::uint32_t>(program.parameters + constant);
  program.uniform_of_constant.push_back(uniform);
  stack_.push_back({Kind::uniform, uniform});
}

void Lowering::add_call(const Node& node, const LowerOptions& options, Program& program) {
  const auto arity = static_cast<std::size_t>(node.arity());
  VIETA_CHECK(arity <= stack_.size());
  std::array<Operand, kMaxArity> operands{};
  std::copy_n(stack_.end() - static_cast<std::ptrdiff_t>(arity), arity, operands.begin());
  stack_.resize(stack_.size() - arity);
  stack_.push_back(apply(node.op, {operands.data(), arity}, options, program));
}

Operand Lowering::apply(Op op, std::span<const Operand> operands, const LowerOptions& options,
                        Program& program) {
  if (!is_builtin(op)) {
    const UserOp& row = user_op(op);
    if (row.has_body()) return expand(row.body, operands, options, program);
  }
  if (options.stable_composites) {
    if (const auto stable = stable_composite(op, operands, program)) return *stable;
  }
  if (options.reciprocals && op == Op::div && is_uniform(operands[1], program) &&
      !is_uniform(operands[0], program)) {
    const std::array<Operand, 2> product{operands[0], reciprocal(operands[1], program)};
    return find_or_add(Op::mul, product, program);
  }
  return find_or_add(op, operands, program);
}

// No operator result of the formula: not tested.
Operand Lowering::reciprocal(const Operand& x, Program& program) {
  ++inside_;
  const Operand made = find_or_add(Op::inv, {&x, 1}, program);
  --inside_;
  return made;
}

// The body in the place of its operator. Its result is an operator result of the formula, what
// leads to it is not: a side of a choice that is not taken may be infinite.
Operand Lowering::expand(const OpBody& body, std::span<const Operand> given,
                         const LowerOptions& options, Program& program) {
  using BodyKind = OpBody::Operand::Kind;
  const auto depth = static_cast<std::size_t>(inside_++);
  replaced_ = true;
  if (steps_.size() <= depth) steps_.resize(depth + 1);
  steps_[depth].clear();
  const auto read = [&](const OpBody::Operand& o) {
    if (o.kind == BodyKind::argument) return given[o.index];
    return o.kind == BodyKind::step ? steps_[depth][o.index]
                                    : number(body.numbers[o.index], program);
  };
  for (const OpBody::Step& step : body.steps) {
    std::array<Operand, kMaxArity> operands{};
    const auto arity = static_cast<std::size_t>(info(step.op).arity);
    for (std::size_t k = 0; k < arity; ++k) operands[k] = read(step.args[k]);
    const Operand made = apply(step.op, {operands.data(), arity}, options, program);
    steps_[depth].push_back(made);
  }
  const Operand root = read(body.root);
  if (--inside_ == 0 && root.kind == Kind::value) program.instructions[root.index].inner = false;
  return root;
}

// Where a number goes among the uniforms is known when all constants are: until then it bears a
// mark.
Operand Lowering::number(double value, Program& program) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  std::uint32_t at = 0;
  while (at < program.numbers.size() && std::bit_cast<std::uint64_t>(program.numbers[at]) != bits) {
    ++at;
  }
  if (at == program.numbers.size()) program.numbers.push_back(value);
  return {Kind::uniform, at | kNumberMark};
}

void Lowering::place_numbers(Program& program) {
  const auto first = static_cast<std::uint32_t>(program.parameters + program.constants.size());
  const auto place = [first](Operand& o) {
    if (o.kind == Kind::uniform && (o.index & kNumberMark) != 0)
      o.index = first + (o.index & ~kNumberMark);
  };
  for (Operand& o : program.operands) place(o);
  place(program.root);
}

Operand Lowering::find_or_add(Op op, std::span<const Operand> given, Program& program) {
  std::array<Operand, kMaxArity> sorted{};
  std::ranges::copy(given, sorted.begin());
  if (exchangeable(op) && before(sorted[1], sorted[0])) std::swap(sorted[0], sorted[1]);
  const std::span<const Operand> operands(sorted.data(), given.size());
  if (program.instructions.size() >= table_.size() / 2) grow_table(program);
  std::size_t at = hash_of(op, operands) & mask_;
  for (; table_[at] != 0; at = (at + 1) & mask_) {
    const Instruction& known = program.instructions[table_[at] - 1];
    if (known.op == op && std::ranges::equal(program.operands_of(known), operands)) {
      if (inside_ == 0) program.instructions[table_[at] - 1].inner = false;
      return {Kind::value, table_[at] - 1};
    }
  }
  Instruction instruction;
  instruction.op = op;
  instruction.inner = inside_ > 0;
  instruction.arity = static_cast<std::uint8_t>(operands.size());
  instruction.first_operand = static_cast<std::uint32_t>(program.operands.size());
  instruction.uniform =
      std::ranges::all_of(operands, [&](const Operand& o) { return is_uniform(o, program); });
  program.operands.insert(program.operands.end(), operands.begin(), operands.end());
  program.instructions.push_back(instruction);
  table_[at] = static_cast<std::uint32_t>(program.instructions.size());
  return {Kind::value, table_[at] - 1};
}

// A non-finite result needs no test of its own if some consumer certainly turns it into another
// non-finite result: that one is either tested or, in its turn, revealed. What is inside a body is
// never tested, so it reveals only what it cannot hide itself.
void Lowering::mark_checks(Program& program) {
  revealed_.assign(program.instructions.size(), 0);
  revealed_variables_.assign(program.variable_count, 0);
  used_.assign(program.variable_count, 0);
  const auto use_variable = [&](std::uint32_t index) {
    VIETA_CHECK(index < program.variable_count);
    used_[index] = 1;
  };
  for (auto index = program.instructions.size(); index-- > 0;) {
    const Instruction& i = program.instructions[index];
    const bool hidden = i.inner && revealed_[index] == 0;
    const unsigned propagates = hidden ? 0 : info(i.op).propagates;
    for (std::size_t k = 0; k < i.arity; ++k) {
      const Operand& o = program.operands[i.first_operand + k];
      const bool reveals = ((propagates >> k) & 1U) != 0;
      if (o.kind == Kind::variable) use_variable(o.index);
      if (!reveals) continue;
      if (o.kind == Kind::variable) revealed_variables_[o.index] = 1;
      if (o.kind == Kind::value) revealed_[o.index] = 1;
    }
  }
  if (program.root.kind == Kind::variable) use_variable(program.root.index);
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    program.instructions[i].check = revealed_[i] == 0 && !program.instructions[i].inner;
  }
  for (std::uint32_t v = 0; v < program.variable_count; ++v) {
    if (used_[v] == 0) continue;
    program.variables.push_back(v);
    if (revealed_variables_[v] == 0) program.checked_variables.push_back(v);
  }
}

void Lowering::allocate_slots(Program& program) {
  const std::size_t n = program.instructions.size();
  last_use_.assign(n, 0);
  for (std::uint32_t i = 0; i < n; ++i) {
    for (const Operand& o : program.operands_of(program.instructions[i])) {
      if (o.kind == Kind::value) last_use_[o.index] = i;
    }
  }
  if (program.root.kind == Kind::value)
    last_use_[program.root.index] = static_cast<std::uint32_t>(n);
  free_slots_.clear();
  program.slots = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    Instruction& instruction = program.instructions[i];
    if (instruction.uniform) continue;
    // Operands that end here free their slots first: kernels may write over their inputs.
    const auto operands = program.operands_of(instruction);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const Operand& o = operands[k];
      const bool repeated =
          std::find(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(k), o) !=
          operands.begin() + static_cast<std::ptrdiff_t>(k);
      if (o.kind != Kind::value || last_use_[o.index] != i || repeated) continue;
      if (!program.instructions[o.index].uniform)
        free_slots_.push_back(program.instructions[o.index].slot);
    }
    if (free_slots_.empty()) {
      instruction.slot = static_cast<std::uint32_t>(program.slots++);
    } else {
      instruction.slot = free_slots_.back();
      free_slots_.pop_back();
    }
  }
}

Program lower(const Expr& expr, const LowerOptions& options) {
  Program program;
  Lowering lowering;
  lowering.run(expr.nodes(), expr.symbols().variables.size(), expr.symbols().parameters.size(),
               options, program);
  return program;
}

}  // namespace vieta
