#include "search/tidy.h"

#include <array>
#include <cmath>
#include <optional>

#include "kernels/kernel_table.h"

namespace vieta {
namespace {

double value_of(Op op, const std::array<double, kMaxBuiltinArity>& args) {
  // Kernels write whole vectors; the scalar target's are one wide, but the promise is kMaxLanes.
  std::array<std::array<double, kernels::kMaxLanes>, kMaxBuiltinArity> in{};
  std::array<double, kernels::kMaxLanes> out{};
  std::array<const double*, kMaxBuiltinArity> pointers{};
  for (std::size_t k = 0; k < kMaxBuiltinArity; ++k) {
    in[k].fill(args[k]);
    pointers[k] = in[k].data();
  }
  const auto& table = kernels::kernel_table<double>(kernels::Target::scalar);
  table.ops[static_cast<std::size_t>(op)].value(pointers.data(), out.data(), 1);
  return out[0];
}

// A term of one variable part u and one constant: u + c, c - u and so on, as sign*u + c; or u^power
// * c.
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
    case Op::add:
      return {false, 1, c};
    case Op::sub:
      return constant_left ? Linear{false, -1, c} : Linear{false, 1, -c};
    case Op::mul:
      return {true, 1, c};
    default:
      return constant_left ? Linear{true, -1, c} : Linear{true, 1, 1 / c};
  }
}

// outer(inner(u))
Linear compose(const Linear& outer, const Linear& inner) {
  if (!outer.product) return {false, outer.sign * inner.sign, outer.sign * inner.c + outer.c};
  return {true, outer.sign * inner.sign, (outer.sign > 0 ? inner.c : 1 / inner.c) * outer.c};
}

// f(u*c) = f(u) * outer, or f(u) + outer for a logarithm; nothing where that does not hold for
// every u.
struct TakenOut {
  Op op = Op::mul;
  double outer = 1;
};
std::optional<TakenOut> taken_out(Op op, double c, double exponent) {
  switch (op) {
    case Op::square:
      return TakenOut{Op::mul, c * c};
    case Op::cube:
      return TakenOut{Op::mul, c * c * c};
    case Op::cbrt:
      return TakenOut{Op::mul, std::cbrt(c)};
    case Op::inv:
      return TakenOut{Op::mul, 1 / c};
    case Op::abs:
      return TakenOut{Op::mul, std::fabs(c)};
    case Op::neg:
      return TakenOut{Op::mul, -c};
    default:
      break;
  }
  if (!(c > 0)) return std::nullopt;
  switch (op) {
    case Op::sqrt:
      return TakenOut{Op::mul, std::sqrt(c)};
    case Op::log:
      return TakenOut{Op::add, std::log(c)};
    case Op::log2:
      return TakenOut{Op::add, std::log2(c)};
    case Op::log10:
      return TakenOut{Op::add, std::log10(c)};
    case Op::pow:
      return TakenOut{Op::mul, std::pow(c, exponent)};
    default:
      return std::nullopt;
  }
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
    take_out();
    merge(out_.back().op);
  }
  tree.swap(out_);
}

// The arguments are the last `arity` nodes if all of them are constants.
bool Tidy::fold(Op op, std::size_t arity) {
  std::array<double, kMaxBuiltinArity> args{};
  if (!is_builtin(op) || out_.size() < arity) return false;
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

// The tree built so far ends in f(u*c), f(u/c), f(c*u) or pow of them and a constant.
void Tidy::take_out() {
  const Op op = out_.back().op;
  const auto args = arguments(out_, out_.size() - 1);
  const bool power = op == Op::pow && out_[args[1]].is_constant();
  if (out_.back().arity() != 1 && !power) return;
  const std::size_t inner = args[0];
  const bool product = out_[inner].is_call(Op::mul);
  if (!product && !out_[inner].is_call(Op::div)) return;
  const auto factors = arguments(out_, inner);
  const bool c_left = product && out_[factors[0]].is_constant();
  if (!c_left && !out_[factors[1]].is_constant()) return;
  const double c = out_[c_left ? factors[0] : factors[1]].value;
  const Node exponent = power ? out_[args[1]] : Node{};
  const auto taken = taken_out(op, product ? c : 1 / c, power ? exponent.value : 0);
  if (!taken || !std::isfinite(taken->outer) || taken->outer == 0) return;
  const auto u = subtree(out_, c_left ? factors[1] : factors[0]);
  piece_.assign(u.begin(), u.end());
  if (power) piece_.push_back(exponent);
  append_call(piece_, op);
  piece_.push_back(Node::constant(taken->outer));
  append_call(piece_, taken->op);
  out_.resize(out_.size() - out_.back().size);
  out_.insert(out_.end(), piece_.begin(), piece_.end());
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
  if (out_[inner].kind != NodeKind::call ||
      (is_sum(op) ? !is_sum(inner_op) : !is_product(inner_op)))
    return false;
  const auto b = arguments(out_, inner);
  const bool c_left = out_[b[0]].is_constant();
  if (!c_left && !out_[b[1]].is_constant()) return false;
  const Linear merged = compose(as_linear(op, out_[d_left ? a[0] : a[1]].value, d_left),
                                as_linear(inner_op, out_[c_left ? b[0] : b[1]].value, c_left));
  if (!std::isfinite(merged.c)) return false;
  const auto u = subtree(out_, c_left ? b[1] : b[0]);
  piece_.clear();
  if (merged.sign < 0) piece_.push_back(Node::constant(merged.c));
  piece_.insert(piece_.end(), u.begin(), u.end());
  if (merged.sign > 0) piece_.push_back(Node::constant(merged.c));
  append_call(piece_, merged.product ? (merged.sign > 0 ? Op::mul : Op::div)
                                     : (merged.sign > 0 ? Op::add : Op::sub));
  out_.resize(out_.size() - out_[outer].size);
  out_.insert(out_.end(), piece_.begin(), piece_.end());
  return true;
}

}  // namespace vieta
