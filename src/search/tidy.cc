#include "search/tidy.h"

#include <array>
#include <cmath>

#include "kernels/kernel_table.h"

namespace vieta {
namespace {

double value_of(Op op, const std::array<double, kMaxArity>& args) {
  // Kernels write whole vectors; the scalar target's are one wide, but the promise is kMaxLanes.
  std::array<std::array<double, kernels::kMaxLanes>, kMaxArity> in{};
  std::array<double, kernels::kMaxLanes> out{};
  std::array<const double*, kMaxArity> pointers{};
  for (std::size_t k = 0; k < kMaxArity; ++k) {
    in[k].fill(args[k]);
    pointers[k] = in[k].data();
  }
  const auto& table = kernels::kernel_table<double>(kernels::Target::scalar);
  table.ops[static_cast<std::size_t>(op)].value(pointers.data(), out.data(), 1);
  return out[0];
}

// A term of one variable part u and one constant: u + c, c - u and so on, as sign*u + c; or u^power * c.
struct Linear {
  bool product = false;  ///< u^sign * c instead of sign*u + c
  double sign = 1;       ///< 1 or -1
  double c = 0;
};

bool is_product(Op op) { return op == Op::mul || op == Op::div; }
bool is_sum(Op op) { return op == Op::add || op == Op::sub; }

// What `op` does to u with the constant c on its left or right.
Linear as_linear(Op op, double c, bool constant_left) {
  switch (op) {
    case Op::add: return {false, 1, c};
    case Op::sub: return constant_left ? Linear{false, -1, c} : Linear{false, 1, -c};
    case Op::mul: return {true, 1, c};
    default: return constant_left ? Linear{true, -1, c} : Linear{true, 1, 1 / c};
  }
}

// outer(inner(u))
Linear compose(const Linear& outer, const Linear& inner) {
  if (!outer.product) return {false, outer.sign * inner.sign, outer.sign * inner.c + outer.c};
  return {true, outer.sign * inner.sign, (outer.sign > 0 ? inner.c : 1 / inner.c) * outer.c};
}

}  // namespace

void Tidy::run(Tree& tree) {
  out_.clear();
  for (const Node& node : tree) {
    if (node.kind != NodeKind::call) {
      out_.push_back(node);
      continue;
    }
    const auto arity = static_cast<std::size_t>(node.arity());
    if (fold(node.op, arity)) continue;
    append_call(out_, node.op);
    merge(node.op);
  }
  tree.swap(out_);
}

// The arguments are the last `arity` nodes if all of them are constants.
bool Tidy::fold(Op op, std::size_t arity) {
  std::array<double, kMaxArity> args{};
  if (out_.size() < arity) return false;
  for (std::size_t k = 0; k < arity; ++k) {
    const Node& node = out_[out_.size() - arity + k];
    if (!node.is_constant()) return false;
    args[k] = node.value;
  }
  const double value = value_of(op, args);
  if (!std::isfinite(value)) return false;
  out_.resize(out_.size() - arity);
  out_.push_back(Node::constant(value));
  return true;
}

// The tree built so far ends in outer(inner(u, c), d), the arguments in any order.
bool Tidy::merge(Op op) {
  if (!is_sum(op) && !is_product(op)) return false;
  const std::size_t outer = out_.size() - 1;
  const auto a = arguments(out_, outer);
  const bool d_left = out_[a[0]].is_constant();
  if (!d_left && !out_[a[1]].is_constant()) return false;
  const std::size_t inner = d_left ? a[1] : a[0];
  const Op inner_op = out_[inner].op;
  if (out_[inner].kind != NodeKind::call || (is_sum(op) ? !is_sum(inner_op) : !is_product(inner_op))) return false;
  const auto b = arguments(out_, inner);
  const bool c_left = out_[b[0]].is_constant();
  if (!c_left && !out_[b[1]].is_constant()) return false;
  const Linear merged = compose(as_linear(op, out_[d_left ? a[0] : a[1]].value, d_left),
                                as_linear(inner_op, out_[c_left ? b[0] : b[1]].value, c_left));
  if (!std::isfinite(merged.c)) return false;
  const auto u = subtree(out_, c_left ? b[1] : b[0]);
  Tree rebuilt;
  rebuilt.reserve(u.size() + 2);
  if (merged.sign < 0) rebuilt.push_back(Node::constant(merged.c));
  rebuilt.insert(rebuilt.end(), u.begin(), u.end());
  if (merged.sign > 0) rebuilt.push_back(Node::constant(merged.c));
  append_call(rebuilt, merged.product ? (merged.sign > 0 ? Op::mul : Op::div) : (merged.sign > 0 ? Op::add : Op::sub));
  out_.resize(out_.size() - out_[outer].size);
  out_.insert(out_.end(), rebuilt.begin(), rebuilt.end());
  return true;
}

}  // namespace vieta
