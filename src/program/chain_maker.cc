// Steps of cheap operators one after another become one chain: the value that one makes and the
// next takes stays in registers, and is written only if someone else reads it.

#include <algorithm>
#include <array>

#include "expr/partials.h"
#include "program/tile_code.h"

namespace vieta {
namespace {

using Kind = ChainLink::Kind;

// Where a target does not turn a link's last call into a jump, a chain is as deep as it is long.
constexpr std::size_t kMaxLinks = 256;

// A buffer.
bool writes(const Step& s) {
  return s.kind != StepKind::check && s.kind != StepKind::sum && s.kind != StepKind::chain;
}

}  // namespace

void ChainMaker::run(TileCode& code) {
  code_ = &code;
  code.fused.clear();
  code.links.clear();
  code.literals.clear();
  items_.clear();
  held_ = kNone;
  checked_.clear();
  chain_links_ = 0;
  for (const Step& s : code.each_tile) {
    // A value that is tested has to be there, if the test fails, when the chain is done.
    const bool overwrites =
        s.kind != StepKind::check && std::ranges::find(checked_, s.out) != checked_.end();
    if (chain_links_ > kMaxLinks || overwrites) end_chain();
    if (!add_step(s)) add_plain(s);
  }
  drop_stores();
  write();
  find_tiles();
}

// False, and nothing changed, if the step is no matter for a chain.
bool ChainMaker::add_step(const Step& s) {
  switch (s.kind) {
    case StepKind::value:
      return add_value(s);
    case StepKind::partial:
    case StepKind::pullback:
    case StepKind::pullback_add:
      return add_partial(s, items_.size());
    case StepKind::copy:
      load(s.x);
      break;
    case StepKind::negate:
      load(s.x);
      link(Kind::alone, Op::neg, 0);
      break;
    case StepKind::add:
      binary(Op::add, s.out, s.x);
      break;
    case StepKind::subtract:
      binary(Op::sub, s.out, s.x);
      break;
    case StepKind::scale:
      binary(Op::mul, s.x, s.y);
      break;
    case StepKind::scale_add:
      binary(Op::mul, s.x, s.y);
      link(Kind::left, Op::add, s.out);
      break;
    case StepKind::check:
      add_check(s.x);
      return true;
    case StepKind::sum:
      add_sum(s);
      return true;
    default:
      return false;
  }
  store(s.out);
  return true;
}

bool ChainMaker::add_value(const Step& s) {
  if (!is_builtin(s.op) || !is_cheap(s.op)) return false;
  const BufferId* args = code_->args.data() + s.first_arg;
  if (s.arity == 1) {
    load(args[0]);
    link(Kind::alone, s.op, 0);
  } else {
    binary(s.op, args[0], args[1]);
  }
  store(s.out);
  return true;
}

bool ChainMaker::add_partial(const Step& s, std::size_t first_item) {
  const BufferId held = held_;
  const std::size_t links = chain_links_;
  const std::size_t literals = code_->literals.size();
  if (!expand(s)) {
    items_.resize(first_item);
    code_->literals.resize(literals);
    held_ = held;
    chain_links_ = links;
    return false;
  }
  if (s.kind == StepKind::pullback_add) link(Kind::left, Op::add, s.out);
  store(s.out);
  return true;
}

// The operator table's text of a partial, times the adjoint: if one value in registers is enough.
bool ChainMaker::expand(const Step& s) {
  const Partial& partial = partials(s.op)[s.which];
  if (partial.kind != Partial::Kind::general) return false;
  const auto buffer_of = [&](const Node& node) {
    return node.index == Partial::kValueOf ? s.y : code_->args[s.first_arg + node.index];
  };
  const bool pulls = s.kind != StepKind::partial;
  if (partial.nodes.size() == 1 && partial.nodes[0].kind == NodeKind::variable) {
    const BufferId only = buffer_of(partial.nodes[0]);
    pulls ? binary(Op::mul, s.x, only) : load(only);
    return true;
  }
  // What the stack holds: leaves, and at most once the value in registers.
  std::array<const Node*, 3> stack{};
  std::size_t depth = 0;
  const auto read = [&](Kind kind, Op op, const Node& node) {
    if (node.is_constant()) {
      code_->literals.push_back(node.value);
      link(kind, op, static_cast<BufferId>(code_->literals.size() - 1), true);
    } else if (kind == Kind::load) {
      load(buffer_of(node));
    } else {
      link(kind, op, buffer_of(node));
    }
  };
  bool begun = false;
  for (const Node& node : partial.nodes) {
    if (node.arity() == 0) {
      if (node.kind == NodeKind::parameter || depth == stack.size()) return false;
      stack[depth++] = &node;
      continue;
    }
    if (!is_builtin(node.op) || !is_cheap(node.op)) return false;
    const Node* right = stack[--depth];
    const Node* left = node.arity() == 2 ? stack[--depth] : nullptr;
    const bool needs_load =
        node.arity() == 1 ? right != nullptr : left != nullptr && right != nullptr;
    if (needs_load) {
      if (begun) return false;
      read(Kind::load, Op::add, node.arity() == 1 ? *right : *left);
      begun = true;
    }
    if (node.arity() == 1) {
      link(Kind::alone, node.op, 0);
    } else if (right != nullptr) {
      read(Kind::left, node.op, *right);
    } else {
      read(Kind::right, node.op, *left);
    }
    stack[depth++] = nullptr;
  }
  if (pulls) link(Kind::left, Op::mul, s.x);
  return begun;
}

void ChainMaker::add_plain(const Step& s) {
  end_chain();
  items_.push_back({.step = s});
}

void ChainMaker::add_check(BufferId x) {
  load(x);
  link(Kind::check, Op::add, x);
  held_ = x;
  checked_.push_back(x);
}

void ChainMaker::add_sum(const Step& s) {
  load(s.x);
  link(Kind::sum, Op::add, s.out);
  held_ = s.x;
}

void ChainMaker::binary(Op op, BufferId x, BufferId y) {
  if (held_ == y && held_ != x) {
    link(Kind::right, op, x);
  } else {
    load(x);
    link(Kind::left, op, y);
  }
}

void ChainMaker::load(BufferId x) {
  if (held_ != x) link(Kind::load, Op::add, x);
  held_ = x;
}

void ChainMaker::link(Kind kind, Op op, BufferId x, bool literal) {
  items_.push_back({.link = true, .made = {kind, op, literal, x}});
  held_ = kNone;
  ++chain_links_;
}

void ChainMaker::store(BufferId out) {
  link(Kind::store, Op::add, out);
  held_ = out;
}

void ChainMaker::end_chain() {
  if (chain_links_ > 0) items_.push_back({.ends_chain = true});
  held_ = kNone;
  checked_.clear();
  chain_links_ = 0;
}

// Backward: a buffer is live where someone reads it before it is written again. Outputs are read in
// the end.
void ChainMaker::drop_stores() {
  live_.assign(code_->buffers, 0);
  const std::uint32_t kept = code_->sums > 0 ? 0 : code_->outputs;
  for (std::uint32_t j = 0; j < kept; ++j) live_[code_->first_output() + j] = 1;
  for (const BufferId result : code_->results) live_[result] = 1;
  for (std::size_t i = items_.size(); i-- > 0;) {
    Item& item = items_[i];
    if (item.ends_chain) continue;
    if (!item.link) {
      written_by(item.step);
      read_by(item.step);
    } else if (item.made.kind == Kind::store) {
      item.dropped = live_[item.made.x] == 0;
      live_[item.made.x] = 0;
    } else if (item.made.has_buffer()) {
      live_[item.made.x] = 1;
    }
  }
}

template <class Take>
void ChainMaker::for_each_read(const Step& s, Take take) const {
  switch (s.kind) {
    case StepKind::value:
    case StepKind::partial:
    case StepKind::second_partial:
    case StepKind::pullback:
    case StepKind::pullback_add:
      for (std::size_t k = 0; k < s.arity; ++k) take(code_->args[s.first_arg + k]);
      if (s.kind != StepKind::value) take(s.y);
      if (s.kind == StepKind::pullback || s.kind == StepKind::pullback_add) take(s.x);
      if (s.kind == StepKind::pullback_add) take(s.out);
      break;
    case StepKind::one:
    case StepKind::zero:
    case StepKind::total:
    case StepKind::chain:
      break;
    case StepKind::scale_add:
      take(s.out);
      [[fallthrough]];
    case StepKind::scale:
    case StepKind::keep:
      take(s.x);
      take(s.y);
      break;
    case StepKind::add:
    case StepKind::subtract:
      take(s.out);
      [[fallthrough]];
    case StepKind::copy:
    case StepKind::negate:
    case StepKind::check:
    case StepKind::sum:
      take(s.x);
      break;
  }
}

void ChainMaker::read_by(const Step& s) {
  for_each_read(s, [&](BufferId b) { live_[b] = 1; });
}

void ChainMaker::written_by(const Step& s) {
  if (writes(s)) live_[s.out] = 0;
}

void ChainMaker::write() {
  bool in_chain = false;
  const auto end = [&] {
    if (in_chain) code_->links.push_back({.kind = Kind::end});
    in_chain = false;
  };
  for (const Item& item : items_) {
    if (item.dropped) continue;
    if (!item.link) {
      end();
      if (!item.ends_chain) code_->fused.push_back(item.step);
      continue;
    }
    if (!in_chain) {
      const auto first = static_cast<std::uint32_t>(code_->links.size());
      code_->fused.push_back({.kind = StepKind::chain, .first_arg = first});
    }
    in_chain = true;
    code_->links.push_back(item.made);
  }
  end();
}

void ChainMaker::find_tiles() {
  std::vector<std::uint8_t>& tiled = code_->tiled;
  tiled.assign(code_->buffers, 0);
  const BufferId first_uniform = code_->first_uniform();
  const BufferId first_output = code_->first_output();
  const auto is_number = [&](BufferId b) { return b >= first_uniform && b < first_output; };
  for (const Step& s : code_->fused) {
    for_each_read(s, [&](BufferId b) { tiled[b] = 1; });
    if (writes(s)) tiled[s.out] = 1;
  }
  for (const ChainLink& l : code_->links) {
    if (l.has_buffer() && !is_number(l.x)) tiled[l.x] = 1;
  }
  for (std::size_t i = code_->once.size(); i-- > 0;) {
    const Step& s = code_->once[i];
    if (writes(s) && tiled[s.out] != 0) for_each_read(s, [&](BufferId b) { tiled[b] = 1; });
  }
  code_->tiles = static_cast<std::uint32_t>(std::ranges::count(tiled, 1));
}

}  // namespace vieta
