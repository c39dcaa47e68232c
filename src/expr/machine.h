// machine: definitions that call themselves or loop, run step by step on one row at a time. Only
// the chosen side of `?:`, `&&` and `||` runs; a local name is computed when it is first needed.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "expr/expr.h"
#include "ops/user_op.h"

namespace vieta {

/// Steps that one call of such an operator may take. One that takes more gives NaN.
inline constexpr std::size_t kMaxMachineSteps = 100'000;

enum class Loop : unsigned char { sum, product, iterate };

/// The name of a loop in a definition: sum(i, from, to, formula), prod(i, from, to, formula),
/// iterate(s, start, count, formula).
std::optional<Loop> find_loop(std::string_view name);
/// The operator that stands for a loop among a body's nodes. Its arguments are what follows the
/// name; Node::index is the number of the variable that the name became. Never outside of bodies.
Op loop_op(Loop loop);

/// A definition as it is written: statement i gives local name i, the last one the result. Each is
/// over the arguments, then the local names before it, then the names of its loops.
struct MachineBody {
  int arity = 0;
  std::vector<Expr> statements;
};

/// One value of an operator of any kind, plainly computed.
double value_once(Op op, std::span<const double> arguments);

/// Whether only the machine can run it: it calls itself, or loops.
bool needs_machine(const MachineBody& body, Op self);
/// Whether every way through it calls it again.
bool never_ends(const MachineBody& body, Op self);

inline constexpr std::size_t kMaxMachineLocals = 64;
inline constexpr std::size_t kMaxMachineDepth = 2000;

/// `self` is the operator's own number. InternalError for more local names, or a deeper statement,
/// than the limits above.
std::unique_ptr<const OpFunction> make_machine(const MachineBody& body, Op self);

}  // namespace vieta
