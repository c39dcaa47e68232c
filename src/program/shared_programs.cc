#include "program/shared_programs.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/check.h"
#include "base/hash.h"

namespace vieta {
namespace {

using Kind = Operand::Kind;

// In costs of an addition on one row. A part is written once and read by each of its readers: less
// than kLeast is sooner computed again. Making its code and starting it takes some microseconds.
constexpr double kLeast = 10;
constexpr double kCostOfAPart = 30'000;

constexpr std::uint32_t kMark = 1U << 31U;  // a number of a body, while a program is written

std::uint64_t hash_of(const Instruction& i, std::span<const Operand> operands) {
  std::uint64_t h = mix((static_cast<std::uint64_t>(i.op) << 1U) | (i.inner ? 1U : 0U));
  for (const Operand& o : operands)
    h = combine(h, (static_cast<std::uint64_t>(o.kind) << 32U) | o.index);
  return h;
}

}  // namespace

void ProgramSharer::plan(std::span<const Program> programs, std::size_t rows) {
  results_.clear();
  operands_.clear();
  numbers_.clear();
  for (auto& numbers : number_of_bits_) numbers.clear();
  table_.assign(1024, 0);
  roots_.clear();
  parts_.clear();
  if (programs.empty()) return;
  variables_ = programs.front().variable_count;
  parameters_ = programs.front().parameters;
  for (const Program& program : programs) add(program);
  choose_dear(rows);
  choose_parts();
  stamp_ = 0;
  stamp_of_.assign(results_.size(), 0);
  place_of_.assign(results_.size(), 0);
  stamp_of_number_.assign(numbers_.size(), 0);
  place_of_number_.assign(numbers_.size(), 0);
}

void ProgramSharer::add(const Program& program) {
  VIETA_CHECK(program.variable_count == variables_ && program.parameters == parameters_);
  const auto index = static_cast<std::uint32_t>(roots_.size());
  ids_.clear();
  for (const Instruction& instruction : program.instructions) {
    std::array<Operand, kMaxArity> operands{};
    for (std::size_t k = 0; k < instruction.arity; ++k)
      operands[k] = renumbered(program.operands[instruction.first_operand + k], program);
    const std::uint32_t id = find_or_add(instruction, {operands.data(), instruction.arity});
    ids_.push_back(id);
    if (results_[id].last == index) continue;
    results_[id].last = index;
    ++results_[id].programs;
  }
  roots_.push_back(renumbered(program.root, program));
}

Operand ProgramSharer::renumbered(const Operand& o, const Program& program) {
  if (o.kind == Kind::value) return {Kind::value, ids_[o.index]};
  if (o.kind == Kind::variable || o.index < parameters_) return o;
  const Number number{program.default_of(o.index),
                      o.index - parameters_ < program.constants.size()};
  const auto next = static_cast<std::uint32_t>(numbers_.size());
  const auto [at, fresh] = number_of_bits_[number.constant ? 1 : 0].emplace(
      std::bit_cast<std::uint64_t>(number.value), next);
  if (fresh) numbers_.push_back(number);
  return {Kind::uniform, static_cast<std::uint32_t>(parameters_ + at->second)};
}

std::uint32_t ProgramSharer::find_or_add(const Instruction& instruction,
                                         std::span<const Operand> operands) {
  if (results_.size() >= table_.size() / 2) grow_table();
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash_of(instruction, operands) & mask;
  for (; table_[at] != 0; at = (at + 1) & mask) {
    const Result& known = results_[table_[at] - 1];
    if (known.instruction.op == instruction.op && known.instruction.inner == instruction.inner &&
        std::ranges::equal(operands_of(known), operands))
      return table_[at] - 1;
  }
  Result made{.instruction = instruction};
  made.instruction.first_operand = static_cast<std::uint32_t>(operands_.size());
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  results_.push_back(made);
  table_[at] = static_cast<std::uint32_t>(results_.size());
  return table_[at] - 1;
}

void ProgramSharer::grow_table() {
  table_.assign(2 * table_.size(), 0);
  const std::size_t mask = table_.size() - 1;
  for (std::uint32_t id = 0; id < results_.size(); ++id) {
    std::size_t at = hash_of(results_[id].instruction, operands_of(results_[id])) & mask;
    while (table_[at] != 0) at = (at + 1) & mask;
    table_[at] = id + 1;
  }
}

// Upwards: what a result costs where the dear ones below it are only read.
void ProgramSharer::choose_dear(std::size_t rows) {
  for (Result& r : results_) {
    if (r.instruction.uniform) continue;
    r.cost = info(r.instruction.op).cost;
    for (const Operand& o : operands_of(r)) {
      if (o.kind != Kind::value) continue;
      r.cost += results_[o.index].dear ? 1 : results_[o.index].cost;
    }
    r.dear = r.programs > 1 && r.cost >= kLeast &&
             (r.programs - 1) * r.cost * static_cast<double>(rows) >= kCostOfAPart;
  }
}

// Downwards: who reads it. A dear result of several readers is a part; what leads to it alone goes
// into it.
void ProgramSharer::choose_parts() {
  for (std::uint32_t f = 0; f < roots_.size(); ++f) read_by(roots_[f], f);
  const auto programs = static_cast<std::uint32_t>(roots_.size());
  for (auto id = static_cast<std::uint32_t>(results_.size()); id-- > 0;) {
    Result& r = results_[id];
    std::uint32_t reader = r.owner;
    if (r.owner == kMany && r.dear) {
      parts_.push_back(id);
      reader = programs + id;
    }
    for (const Operand& o : operands_of(r)) read_by(o, reader);
  }
  std::ranges::reverse(parts_);
  for (std::uint32_t p = 0; p < parts_.size(); ++p) results_[parts_[p]].part = p;
}

void ProgramSharer::read_by(const Operand& o, std::uint32_t owner) {
  if (o.kind != Kind::value) return;
  std::uint32_t& known = results_[o.index].owner;
  known = known == kNobody || known == owner ? owner : kMany;
}

void ProgramSharer::part(std::size_t index, PartProgram& out) {
  write({Kind::value, parts_[index]}, true, out);
}

void ProgramSharer::rest(std::size_t index, PartProgram& out) { write(roots_[index], false, out); }

void ProgramSharer::write(const Operand& root, bool is_part, PartProgram& out) {
  Program& program = out.program;
  program.instructions.clear();
  program.operands.clear();
  program.constants.clear();
  program.numbers.clear();
  program.uniform_of_constant.clear();
  program.parameters = parameters_;
  program.variable_count = variables_;
  program.tunable = false;
  out.uses.clear();
  ++stamp_;
  if (is_part) {
    write_result(root.index, out);
    program.root = {Kind::value, place_of_[root.index]};
  } else {
    program.root = written(root, out);
  }
  place_uniforms(program);
  program.variable_count += out.uses.size();
  lowering_.complete(program);
  // A part tests its result itself.
  std::erase_if(program.checked_variables, [&](std::uint32_t v) { return v >= variables_; });
}

// The result and all that leads to it, arguments first, without recursion.
void ProgramSharer::write_result(std::uint32_t id, PartProgram& out) {
  Program& program = out.program;
  todo_.assign(1, id);
  while (!todo_.empty()) {
    const std::uint32_t next = todo_.back();
    const std::size_t waiting = todo_.size();
    for (const Operand& o : operands_of(results_[next])) {
      if (o.kind == Kind::value && results_[o.index].part == kNoPart &&
          stamp_of_[o.index] != stamp_)
        todo_.push_back(o.index);
    }
    if (todo_.size() > waiting) continue;
    todo_.pop_back();
    if (stamp_of_[next] == stamp_) continue;
    Instruction made = results_[next].instruction;
    made.first_operand = static_cast<std::uint32_t>(program.operands.size());
    for (const Operand& o : operands_of(results_[next]))
      program.operands.push_back(written(o, out));
    stamp_of_[next] = stamp_;
    place_of_[next] = static_cast<std::uint32_t>(program.instructions.size());
    program.instructions.push_back(made);
  }
}

Operand ProgramSharer::written(const Operand& o, PartProgram& out) {
  if (o.kind == Kind::variable || (o.kind == Kind::uniform && o.index < parameters_)) return o;
  if (o.kind == Kind::uniform) {
    const std::size_t n = o.index - parameters_;
    auto& list = numbers_[n].constant ? out.program.constants : out.program.numbers;
    if (stamp_of_number_[n] != stamp_) {
      stamp_of_number_[n] = stamp_;
      place_of_number_[n] = static_cast<std::uint32_t>(list.size());
      list.push_back(numbers_[n].value);
    }
    const auto place = static_cast<std::uint32_t>(parameters_ + place_of_number_[n]);
    return {Kind::uniform, numbers_[n].constant ? place : place | kMark};
  }
  if (results_[o.index].part == kNoPart) {
    if (stamp_of_[o.index] != stamp_) write_result(o.index, out);
    return {Kind::value, place_of_[o.index]};
  }
  if (stamp_of_[o.index] != stamp_) {
    stamp_of_[o.index] = stamp_;
    place_of_[o.index] = static_cast<std::uint32_t>(out.uses.size());
    out.uses.push_back(results_[o.index].part);
  }
  return {Kind::variable, static_cast<std::uint32_t>(variables_ + place_of_[o.index])};
}

// Numbers of bodies stand behind the constants, however many these came to be.
void ProgramSharer::place_uniforms(Program& program) {
  const auto behind = static_cast<std::uint32_t>(program.constants.size());
  const auto place = [behind](Operand& o) {
    if (o.kind == Kind::uniform && (o.index & kMark) != 0) o.index = (o.index & ~kMark) + behind;
  };
  for (Operand& o : program.operands) place(o);
  place(program.root);
}

}  // namespace vieta
