// Second derivatives, forward over reverse: for one leaf at a time the tangent of every value, then
// the tangent of every adjoint. Partials are computed once and serve all leaves.

#include "base/check.h"
#include "program/tile_code.h"

namespace vieta {
namespace {

using Kind = Operand::Kind;

std::size_t packed(std::size_t n, std::size_t i, std::size_t j) {
  return i * n - i * (i - 1) / 2 + (j - i);
}

std::size_t packed_arguments(std::size_t arity, std::size_t k, std::size_t l) {
  return k <= l ? packed(arity, k, l) : packed(arity, l, k);
}

bool is_unit(Op op, std::size_t k) { return info(op).unit_partial(static_cast<int>(k)) != 0; }

}  // namespace

void TileCoder::hessian(const Program& program, std::span<const Operand> leaves, TileCode& code) {
  const std::size_t n = leaves.size();
  begin(program, leaves, 1 + n + n * (n + 1) / 2, code);
  forward(true);
  find_active();
  find_guarded();
  keep_adjoints_ = true;
  along_direction_ = false;
  reverse();
  if (ones_ != kNone) {
    second_order_partials();
    for (std::size_t leaf = 0; leaf < n; ++leaf) {
      tangents(leaf);
      adjoint_tangents(leaf);
    }
  }
  for (std::size_t j = 1; j < code.outputs; ++j) {
    if (written_[j] == 0) emit(StepKind::zero, output(j));
  }
  finish(code);
}

void TileCoder::hessian_product(const Program& program, std::span<const Operand> leaves,
                                std::span<const std::uint8_t> moves, TileCode& code) {
  const std::size_t n = leaves.size();
  VIETA_CHECK(moves.size() == n);
  begin(program, leaves, 1 + 2 * n, code, n);
  direction_.clear();
  for (std::size_t j = 0; j < n; ++j) {
    const auto uniform = static_cast<BufferId>(program.uniforms() + j);
    direction_.push_back(moves[j] != 0 ? code.first_uniform() + uniform : kNone);
  }
  forward(true);
  find_active();
  find_guarded();
  keep_adjoints_ = true;
  along_direction_ = true;
  reverse();
  if (ones_ != kNone) {
    second_order_partials();
    tangents(0);
    adjoint_tangents(0);
  }
  for (std::size_t j = 1; j < code.outputs; ++j) {
    if (written_[j] == 0) emit(StepKind::zero, output(j));
  }
  finish(code);
}

void TileCoder::second_order_partials() {
  partials_.assign(nodes_.size() * kMaxArity, kNone);
  seconds_.assign(nodes_.size() * kMaxSecondPartials, kNone);
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].adjoint == kNone) continue;
    const Instruction& instruction = program_->instructions[i];
    const OpInfo& row = info(instruction.op);
    const std::size_t arity = instruction.arity;
    const auto tile = [&](StepKind kind, std::size_t which) {
      const BufferId out = allocate();
      emit_op(kind, i, which, out);
      if (nodes_[i].guarded) emit(StepKind::keep, out, out, nodes_[i].mask);
      return out;
    };
    for (std::size_t k = 0; k < arity; ++k) {
      if (!flows(i, k)) continue;
      if (!is_unit(instruction.op, k)) partials_[i * kMaxArity + k] = tile(StepKind::partial, k);
      for (std::size_t l = k; l < arity; ++l) {
        const std::size_t which = packed(arity, k, l);
        if (flows(i, l) && !row.zero_second_partial(static_cast<int>(k), static_cast<int>(l)))
          seconds_[i * kMaxSecondPartials + which] = tile(StepKind::second_partial, which);
      }
    }
  }
}

BufferId TileCoder::tangent_of(const Operand& o, std::size_t leaf) const {
  if (o.kind == Kind::value) return nodes_[o.index].tangent;
  if (along_direction_) return leaf_of(o) == kNone ? kNone : direction_[leaf_of(o)];
  return leaf_of(o) == leaf ? ones_ : kNone;
}

// target += x * partial k of instruction i
void TileCoder::add_term(std::uint32_t i, std::size_t k, BufferId x, BufferId& target,
                         bool& written) {
  const Op op = program_->instructions[i].op;
  if (!is_unit(op, k)) {
    const BufferId partial = partials_[i * kMaxArity + k];
    if (!info(op).selects) return add_product(x, partial, target, written);
    const BufferId term = allocate();
    emit(StepKind::keep, term, x, partial);
    add_product(ones_, term, target, written);
    return release(term);
  }
  const bool minus = info(op).unit_partial(static_cast<int>(k)) < 0;
  if (target == kNone) target = allocate();
  if (written) {
    emit(minus ? StepKind::subtract : StepKind::add, target, x);
  } else {
    emit(minus ? StepKind::negate : StepKind::copy, target, x);
  }
  written = true;
}

// target += x * y
void TileCoder::add_product(BufferId x, BufferId y, BufferId& target, bool& written) {
  if (target == kNone) target = allocate();
  if (x == ones_ || y == ones_) {
    emit(written ? StepKind::add : StepKind::copy, target, x == ones_ ? y : x);
  } else {
    emit(written ? StepKind::scale_add : StepKind::scale, target, x, y);
  }
  written = true;
}

void TileCoder::tangents(std::size_t leaf) {
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    Node& node = nodes_[i];
    node.tangent = kNone;
    if (node.adjoint == kNone) continue;
    bool written = false;
    const auto operands = program_->operands_of(program_->instructions[i]);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (!flows(i, k)) continue;
      const BufferId t = tangent_of(operands[k], leaf);
      if (t != kNone) add_term(i, k, t, node.tangent, written);
    }
  }
}

void TileCoder::adjoint_tangents(std::size_t leaf) {
  for (Node& node : nodes_) node.adjoint_tangent = kNone;
  for (auto i = static_cast<std::uint32_t>(nodes_.size()); i-- > 0;) {
    if (nodes_[i].adjoint == kNone) continue;
    for (std::size_t k = 0; k < program_->instructions[i].arity; ++k) {
      if (flows(i, k)) adjoint_tangent_terms(i, k, leaf);
    }
  }
  for (Node& node : nodes_) {
    if (node.tangent != kNone) release(node.tangent);
    if (node.adjoint_tangent != kNone) release(node.adjoint_tangent);
  }
}

// d adjoint(child) = d adjoint(i) * partial + adjoint(i) * sum over l of second partial (k, l) *
// tangent(l)
void TileCoder::adjoint_tangent_terms(std::uint32_t i, std::size_t k, std::size_t leaf) {
  const auto operands = program_->operands_of(program_->instructions[i]);
  const Operand& child = operands[k];
  BufferId leaf_target = kNone;
  std::size_t column = 0;
  if (child.kind != Kind::value) {
    const std::size_t other = leaf_of(child);
    if (along_direction_) {
      column = 1 + leaf_count_ + other;
    } else {
      if (other < leaf) return;  // the other triangle
      column = 1 + leaf_count_ + packed(leaf_count_, leaf, other);
    }
    leaf_target = output(column);
  }
  BufferId& target = child.kind == Kind::value ? nodes_[child.index].adjoint_tangent : leaf_target;
  bool written = child.kind == Kind::value ? target != kNone : written_[column] != 0;
  const Node& node = nodes_[i];
  if (node.adjoint_tangent != kNone) add_term(i, k, node.adjoint_tangent, target, written);
  for (std::size_t l = 0; l < operands.size(); ++l) {
    const BufferId second =
        seconds_[i * kMaxSecondPartials + packed_arguments(operands.size(), k, l)];
    const BufferId tangent = flows(i, l) ? tangent_of(operands[l], leaf) : kNone;
    if (second == kNone || tangent == kNone) continue;
    if (node.adjoint == ones_ || tangent == ones_) {
      add_product(node.adjoint == ones_ ? tangent : node.adjoint, second, target, written);
      continue;
    }
    const BufferId weight = allocate();
    emit(StepKind::scale, weight, node.adjoint, tangent);
    add_product(weight, second, target, written);
    release(weight);
  }
  if (child.kind != Kind::value && written) written_[column] = 1;
}

}  // namespace vieta
