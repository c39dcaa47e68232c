// The reverse sweep of one function: who has an influence on it, and the adjoints.

#include "base/check.h"
#include "program/tile_code.h"

namespace vieta {
namespace {

using Kind = Operand::Kind;

// As for exp.
bool partial_is_value(Op op, std::size_t k) { return is_builtin(op) && info(op).d[k] == "v"; }

}  // namespace

void TileCoder::find_active() {
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    for (std::size_t k = 0; k < program_->instructions[i].arity; ++k) {
      nodes_[i].active = nodes_[i].active || flows(i, k);
    }
  }
}

void TileCoder::find_guarded() {
  if (program_->root.kind == Kind::value) nodes_[program_->root.index].used_plainly = true;
  for (auto i = static_cast<std::uint32_t>(nodes_.size()); i-- > 0;) {
    Node& node = nodes_[i];
    node.guarded = !node.used_plainly;
    const Instruction& instruction = program_->instructions[i];
    const bool passes_everywhere = !node.guarded && !info(instruction.op).selects;
    if (!node.active || !passes_everywhere) continue;
    const auto operands = program_->operands_of(instruction);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (operands[k].kind == Kind::value && flows(i, k))
        nodes_[operands[k].index].used_plainly = true;
    }
  }
}

void TileCoder::reverse() {
  const Operand& root = program_->root;
  if (root.kind != Kind::value) {
    if (is_active(root)) {
      emit(StepKind::one, output(1 + leaf_of(root)));
      written_[1 + leaf_of(root)] = 1;
    }
    return;
  }
  if (!nodes_[root.index].active) return;
  if (ones_ == kNone) {
    ones_ = allocate();
    code_->once.push_back({.kind = StepKind::one, .out = ones_});
  }
  nodes_[root.index].adjoint = ones_;
  share(ones_);
  for (std::uint32_t i = root.index + 1; i-- > 0;) {
    if (nodes_[i].adjoint == kNone) continue;
    after_rows_ = summed_ && program_->instructions[i].uniform;
    if (after_rows_) {
      take_total(nodes_[i].adjoint);
      if (nodes_[i].mask != kNone) take_total(nodes_[i].mask);
    }
    if (program_->instructions[i].op == Op::div && flows(i, 1)) {
      pull_quotient(i);
    } else {
      for (std::size_t k = 0; k < program_->instructions[i].arity; ++k) {
        if (flows(i, k)) pull(i, k);
      }
    }
    if (!keep_adjoints_) release(nodes_[i].adjoint);
  }
}

// From which sum to what it came to.
void TileCoder::take_total(BufferId& sum) {
  const BufferId total = allocate();
  emit(StepKind::total, total, sum);
  sum = total;
}

// Adds adjoint * partial to the adjoint of argument k.
void TileCoder::pull(std::uint32_t i, std::size_t k) {
  const Instruction& instruction = program_->instructions[i];
  if (info(instruction.op).selects) return pull_selected(i, k);
  const Operand& child = program_->operands_of(instruction)[k];
  const int sign = info(instruction.op).unit_partial(static_cast<int>(k));
  if (sign != 0) {
    pull_one(i, k, sign);
  } else if (nodes_[i].guarded) {
    pull_guarded(i, k);
  } else if (nodes_[i].adjoint == ones_ && partial_is_value(instruction.op, k) &&
             child.kind == Kind::value && !is_summed(child) &&
             nodes_[child.index].adjoint == kNone) {
    // 1 times the value, which is there.
    nodes_[child.index].adjoint = nodes_[i].value;
    share(nodes_[i].value);
  } else {
    bool accumulate = false;
    const BufferId target = adjoint_target(child, accumulate);
    const bool from_root = nodes_[i].adjoint == ones_;
    if (from_root && !accumulate) {
      emit_op(StepKind::partial, i, k, target);
    } else {
      emit_op(accumulate ? StepKind::pullback_add : StepKind::pullback, i, k, target,
              nodes_[i].adjoint);
    }
    target_written(child, target);
  }
  if (nodes_[i].guarded) spread_mask(child, nodes_[i].mask);
}

// The partial is 1 or -1.
void TileCoder::pull_one(std::uint32_t i, std::size_t k, int sign) {
  pass_on(program_->operands_of(program_->instructions[i])[k], nodes_[i].adjoint, sign);
}

// Adds sign * source to the adjoint of the child: without a copy where nobody else writes to it.
void TileCoder::pass_on(const Operand& child, BufferId source, int sign) {
  if (sign > 0 && is_summed(child)) return emit(StepKind::sum, sum_of(child), source);
  if (sign > 0 && child.kind == Kind::value && nodes_[child.index].adjoint == kNone) {
    nodes_[child.index].adjoint = source;
    share(source);
    return;
  }
  bool accumulate = false;
  const BufferId target = adjoint_target(child, accumulate);
  if (accumulate) {
    emit(sign > 0 ? StepKind::add : StepKind::subtract, target, source);
  } else {
    emit(sign > 0 ? StepKind::copy : StepKind::negate, target, source);
  }
  target_written(child, target);
}

// v = a/b: one division, q = adjoint/b, for a, and -q*v for b; 0 where v has no influence.
void TileCoder::pull_quotient(std::uint32_t i) {
  const auto operands = program_->operands_of(program_->instructions[i]);
  const BufferId quotient = allocate();
  const auto first_arg = static_cast<std::uint32_t>(code_->args.size());
  const bool from_root = nodes_[i].adjoint == ones_;
  if (!from_root) code_->args.push_back(nodes_[i].adjoint);
  code_->args.push_back(buffer_of(operands[1]));
  emit({.kind = StepKind::value,
        .arity = static_cast<std::uint8_t>(from_root ? 1 : 2),
        .op = from_root ? Op::inv : Op::div,
        .first_arg = first_arg,
        .out = quotient});
  const BufferId mask = nodes_[i].mask;
  if (nodes_[i].guarded) emit(StepKind::keep, quotient, quotient, mask);
  if (flows(i, 0)) pass_on(operands[0], quotient, 1);
  const BufferId product = allocate();
  emit(StepKind::scale, product, quotient, nodes_[i].value);
  if (nodes_[i].guarded) emit(StepKind::keep, product, product, mask);
  pass_on(operands[1], product, -1);
  release(product);
  release(quotient);
  if (!nodes_[i].guarded) return;
  for (std::size_t k = 0; k < 2; ++k) {
    if (flows(i, k)) spread_mask(operands[k], mask);
  }
}

// A selecting operator hands its adjoint to the rows it took the argument from, and nothing to the
// others.
void TileCoder::pull_selected(std::uint32_t i, std::size_t k) {
  const Operand& child = program_->operands_of(program_->instructions[i])[k];
  const BufferId selected = allocate();
  emit_op(StepKind::partial, i, k, selected);
  bool accumulate = false;
  const BufferId target = adjoint_target(child, accumulate);
  if (accumulate) {
    const BufferId term = allocate();
    emit(StepKind::keep, term, nodes_[i].adjoint, selected);
    emit(StepKind::add, target, term);
    release(term);
  } else {
    emit(StepKind::keep, target, nodes_[i].adjoint, selected);
  }
  target_written(child, target);
  if (child.kind != Kind::value || !nodes_[child.index].guarded) {
    release(selected);
    return;
  }
  if (nodes_[i].guarded) emit(StepKind::keep, selected, selected, nodes_[i].mask);
  spread_mask(child, selected);
}

// Where the instruction has no influence its partial may be infinite or NaN; there it counts as 0.
void TileCoder::pull_guarded(std::uint32_t i, std::size_t k) {
  const Operand& child = program_->operands_of(program_->instructions[i])[k];
  const BufferId partial = allocate();
  emit_op(StepKind::partial, i, k, partial);
  emit(StepKind::keep, partial, partial, nodes_[i].mask);
  bool accumulate = false;
  const BufferId target = adjoint_target(child, accumulate);
  emit(accumulate ? StepKind::scale_add : StepKind::scale, target, nodes_[i].adjoint, partial);
  target_written(child, target);
  release(partial);
}

// The child has an influence where any of its consumers has one that reaches it.
void TileCoder::spread_mask(const Operand& child, BufferId mask) {
  if (child.kind != Kind::value || !nodes_[child.index].guarded) return;
  BufferId& own = nodes_[child.index].mask;
  if (is_summed(child)) {
    if (own == kNone) own = code_->sums++;
    return emit(StepKind::sum, own, mask);
  }
  if (own == kNone) {
    own = mask;
    return;
  }
  const BufferId united = allocate();
  emit(StepKind::copy, united, own);
  emit(StepKind::add, united, mask);
  own = united;
}

// Whether what flows to the operand is summed over the rows.
bool TileCoder::is_summed(const Operand& o) const {
  if (!summed_) return false;
  return o.kind == Kind::value ? program_->instructions[o.index].uniform : true;
}

// Which sum. Of an instruction it is noted as its adjoint.
std::uint32_t TileCoder::sum_of(const Operand& o) {
  if (o.kind != Kind::value) return 1 + leaf_of(o);
  BufferId& sum = nodes_[o.index].adjoint;
  if (sum == kNone) sum = code_->sums++;
  return sum;
}

// Where the adjoint of an operand goes; target_written() is to follow. A buffer that others read
// too is copied before it is added to.
BufferId TileCoder::adjoint_target(const Operand& o, bool& accumulate) {
  if (is_summed(o)) {
    accumulate = false;
    return allocate();
  }
  if (o.kind != Kind::value) {
    const std::size_t column = 1 + leaf_of(o);
    accumulate = written_[column] != 0;
    written_[column] = 1;
    return output(column);
  }
  BufferId& adjoint = nodes_[o.index].adjoint;
  accumulate = adjoint != kNone;
  if (!accumulate) {
    adjoint = allocate();
  } else if (references_[adjoint] > 1) {
    const BufferId own = allocate();
    emit(StepKind::copy, own, adjoint);
    release(adjoint);
    adjoint = own;
  }
  return adjoint;
}

void TileCoder::target_written(const Operand& o, BufferId target) {
  if (!is_summed(o)) return;
  emit(StepKind::sum, sum_of(o), target);
  release(target);
}

}  // namespace vieta
