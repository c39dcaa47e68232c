// Several functions of one program: the values of all, then a reverse sweep for each.

#include "base/check.h"
#include "program/tile_code.h"

namespace vieta {

using Kind = Operand::Kind;

void TileCoder::several(Program& program, std::span<const Operand> functions,
                        std::span<const Operand> leaves, TileCode& code) {
  VIETA_CHECK(!functions.empty());
  // The first one that is computed takes output 0; any other has a buffer of its own.
  program.root = functions[0];
  for (const Operand& f : functions) {
    VIETA_CHECK(f.kind != Kind::uniform);
    if (f.kind != Kind::value) continue;
    program.root = f;
    break;
  }
  program_ = &program;
  code_ = &code;
  find_columns(functions, leaves);
  begin(program, {}, 1 + code.columns.size(), code);
  forward(true);
  for (const Operand& f : functions) code.results.push_back(buffer_of(f));
  keep_adjoints_ = false;
  for (std::uint32_t f = 0; f < functions.size(); ++f) {
    program.root = functions[f];
    if (functions[f].kind == Kind::value) sweep_back(f, leaves);
  }
  for (std::size_t j = 1; j < code.outputs; ++j) {
    if (written_[j] == 0) emit(StepKind::zero, output(j));
  }
  finish(code);
}

// A column for every leaf that some path of partials which are not 0 everywhere leads to.
void TileCoder::find_columns(std::span<const Operand> functions, std::span<const Operand> leaves) {
  const std::size_t n = leaves.size();
  depends_.assign(program_->instructions.size() * n, 0);
  for (std::size_t i = 0; i < program_->instructions.size(); ++i) {
    const Instruction& instruction = program_->instructions[i];
    const auto operands = program_->operands_of(instruction);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (info(instruction.op).zero_partial(static_cast<int>(k))) continue;
      for (std::size_t j = 0; j < n; ++j) {
        const bool on_leaf = operands[k].kind == Kind::value
                                 ? depends_[operands[k].index * n + j] != 0
                                 : operands[k] == leaves[j];
        if (on_leaf) depends_[i * n + j] = 1;
      }
    }
  }
  code_->columns.clear();
  for (std::uint32_t f = 0; f < functions.size(); ++f) {
    if (functions[f].kind != Kind::value) continue;
    for (std::uint32_t j = 0; j < n; ++j) {
      if (depends_[functions[f].index * n + j] != 0) code_->columns.push_back({f, j});
    }
  }
}

// The derivatives of one function, into its own columns.
void TileCoder::sweep_back(std::uint32_t function, std::span<const Operand> leaves) {
  index_leaves({});
  bool any = false;
  for (std::uint32_t c = 0; c < code_->columns.size(); ++c) {
    if (code_->columns[c].function != function) continue;
    leaf_of_uniform_[leaves[code_->columns[c].leaf].index] = c;
    any = true;
  }
  if (!any) return;
  for (Node& node : nodes_) {
    node.adjoint = node.mask = kNone;
    node.active = node.used_plainly = node.guarded = false;
  }
  find_active();
  find_guarded();
  reverse();
}

}  // namespace vieta
