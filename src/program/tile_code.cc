#include "program/tile_code.h"

#include <algorithm>
#include <atomic>

#include "base/check.h"

namespace vieta {
namespace {

using Kind = Operand::Kind;

std::uint64_t next_stamp() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

void TileCoder::value(const Program& program, TileCode& code) {
  begin(program, {}, 1, code);
  forward(false);
  finish(code);
}

void TileCoder::gradient(const Program& program, std::span<const Operand> leaves, TileCode& code) {
  begin(program, leaves, 1 + leaves.size(), code);
  forward(true);
  find_active();
  find_guarded();
  keep_adjoints_ = false;
  reverse();
  for (std::size_t j = 1; j < code.outputs; ++j) {
    if (written_[j] == 0) emit(StepKind::zero, output(j));
  }
  finish(code);
}

void TileCoder::summed_gradient(const Program& program, std::span<const Operand> leaves,
                                TileCode& code) {
  begin(program, leaves, 1 + leaves.size(), code);
  summed_ = true;
  code.sums = code.outputs;
  forward(true);
  find_active();
  find_guarded();
  keep_adjoints_ = false;
  reverse();
  finish(code);
  summed_ = after_rows_ = false;
}

void TileCoder::finish(TileCode& code) {
  code.stamp = next_stamp();
  // Sums are links.
  code.chained = chains_wanted_ || summed_;
  if (code.chained) {
    chains_.run(code);
    return;
  }
  code.links.clear();
  code.literals.clear();
  code.tiled.assign(code.buffers, 1);
  code.tiles = code.buffers;
}

void TileCoder::begin(const Program& program, std::span<const Operand> leaves, std::size_t outputs,
                      TileCode& code, std::size_t more_uniforms) {
  program_ = &program;
  code_ = &code;
  code.once.clear();
  code.each_tile.clear();
  code.after.clear();
  code.sums = 0;
  code.args.clear();
  code.results.clear();
  code.variables = program.variables;
  code.uniforms = static_cast<std::uint32_t>(program.uniforms() + more_uniforms);
  code.uniform_results = static_cast<std::uint32_t>(
      std::ranges::count_if(program.instructions, [](const Instruction& i) { return i.uniform; }));
  code.outputs = static_cast<std::uint32_t>(outputs);
  code.buffers = code.first_output() + code.outputs;
  nodes_.assign(program.instructions.size(), Node{});
  first_arg_.assign(program.instructions.size(), 0);
  variable_buffer_.assign(program.variable_count, kNone);
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    variable_buffer_[program.variables[v]] = static_cast<BufferId>(v);
  }
  written_.assign(outputs, 0);
  free_.clear();
  references_.assign(code.buffers, 1);
  ones_ = kNone;
  index_leaves(leaves);
}

void TileCoder::index_leaves(std::span<const Operand> leaves) {
  leaf_of_variable_.assign(program_->variable_count, kNone);
  leaf_of_uniform_.assign(program_->uniforms(), kNone);
  leaf_count_ = leaves.size();
  for (std::uint32_t j = 0; j < leaves.size(); ++j) {
    VIETA_CHECK(leaves[j].kind != Kind::value);
    auto& table = leaves[j].kind == Kind::variable ? leaf_of_variable_ : leaf_of_uniform_;
    VIETA_CHECK(leaves[j].index < table.size() && table[leaves[j].index] == kNone);
    table[leaves[j].index] = j;
  }
}

// The value of every instruction. Values that no reverse sweep needs share slots.
void TileCoder::forward(bool keep_values) {
  const Program& p = *program_;
  const BufferId first_temporary = code_->buffers;
  if (!keep_values) {
    code_->buffers += static_cast<std::uint32_t>(p.slots);
    references_.resize(code_->buffers, 1);
  }
  BufferId next_uniform_result = code_->first_uniform() + code_->uniforms;
  check_leaves();
  for (std::uint32_t i = 0; i < p.instructions.size(); ++i) {
    const Instruction& instruction = p.instructions[i];
    first_arg_[i] = static_cast<std::uint32_t>(code_->args.size());
    for (const Operand& o : p.operands_of(instruction)) code_->args.push_back(buffer_of(o));
    const bool is_root = p.root == Operand{Kind::value, i};
    if (instruction.uniform) {
      nodes_[i].value = next_uniform_result++;
    } else if (is_root) {
      nodes_[i].value = output(0);
    } else {
      nodes_[i].value = keep_values ? allocate() : first_temporary + instruction.slot;
    }
    emit_op(StepKind::value, i, 0, nodes_[i].value);
    if (instruction.uniform) {
      code_->once.push_back(code_->each_tile.back());
      code_->each_tile.pop_back();
      if (instruction.check) code_->once.push_back({.kind = StepKind::check, .x = nodes_[i].value});
    } else if (instruction.check && !(is_root && summed_)) {
      emit(StepKind::check, 0, nodes_[i].value);
    }
  }
  const BufferId root = buffer_of(p.root);
  if (root != output(0)) emit(StepKind::copy, output(0), root);
  written_[0] = 1;
  if (summed_) emit(StepKind::sum, 0, output(0));
}

// Leaves that the formula uses are tested too, uniforms once.
void TileCoder::check_leaves() {
  const Program& p = *program_;
  for (const std::uint32_t v : p.checked_variables) emit(StepKind::check, 0, variable_buffer_[v]);
  used_uniform_.assign(p.uniforms(), 0);
  if (p.root.kind == Kind::uniform) used_uniform_[p.root.index] = 1;
  for (const Operand& o : p.operands) {
    if (o.kind == Kind::uniform) used_uniform_[o.index] = 1;
  }
  for (std::uint32_t u = 0; u < used_uniform_.size(); ++u) {
    if (used_uniform_[u] != 0) {
      code_->once.push_back({.kind = StepKind::check, .x = code_->first_uniform() + u});
    }
  }
}

BufferId TileCoder::buffer_of(const Operand& o) const {
  switch (o.kind) {
    case Kind::variable:
      return variable_buffer_[o.index];
    case Kind::uniform:
      return code_->first_uniform() + o.index;
    case Kind::value:
      break;
  }
  return nodes_[o.index].value;
}

bool TileCoder::flows(std::uint32_t i, std::size_t k) const {
  const Instruction& instruction = program_->instructions[i];
  return !info(instruction.op).zero_partial(static_cast<int>(k)) &&
         is_active(program_->operands_of(instruction)[k]);
}

bool TileCoder::is_active(const Operand& o) const {
  return o.kind == Kind::value ? nodes_[o.index].active : leaf_of(o) != kNone;
}

std::uint32_t TileCoder::leaf_of(const Operand& o) const {
  return o.kind == Kind::variable ? leaf_of_variable_[o.index] : leaf_of_uniform_[o.index];
}

BufferId TileCoder::output(std::size_t index) const {
  return code_->first_output() + static_cast<BufferId>(index);
}

BufferId TileCoder::allocate() {
  if (!free_.empty()) {
    const BufferId buffer = free_.back();
    free_.pop_back();
    references_[buffer] = 1;
    return buffer;
  }
  references_.push_back(1);
  return code_->buffers++;
}

void TileCoder::release(BufferId buffer) {
  if (--references_[buffer] == 0) free_.push_back(buffer);
}

void TileCoder::emit(const Step& step) {
  (after_rows_ ? code_->after : code_->each_tile).push_back(step);
}

void TileCoder::emit(StepKind kind, BufferId out, BufferId x, BufferId y) {
  emit({.kind = kind, .out = out, .x = x, .y = y});
}

void TileCoder::emit_op(StepKind kind, std::uint32_t i, std::size_t which, BufferId out,
                        BufferId x) {
  emit({.kind = kind,
        .which = static_cast<std::uint8_t>(which),
        .arity = program_->instructions[i].arity,
        .op = program_->instructions[i].op,
        .first_arg = first_arg_[i],
        .out = out,
        .x = x,
        .y = nodes_[i].value});
}

}  // namespace vieta
