// op: the operators as the rest of the code sees them. Everything here is made from ops.def.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vieta {

/// Operators: the built-in ones in the table's order, on which no code may depend, then users'.
enum class Op : std::uint16_t {
#define VIETA_UNARY(id, ...) id,
#define VIETA_BINARY(id, ...) id,
#define VIETA_TERNARY(id, ...) id,
#include "ops/ops.def"
#undef VIETA_UNARY
#undef VIETA_BINARY
#undef VIETA_TERNARY
};

inline constexpr std::size_t kOpCount = 0
#define VIETA_UNARY(...) +1
#define VIETA_BINARY(...) +1
#define VIETA_TERNARY(...) +1
#include "ops/ops.def"
#undef VIETA_UNARY
#undef VIETA_BINARY
#undef VIETA_TERNARY
    ;

inline constexpr int kMaxBuiltinArity = 3;
/// Of any operator, the users' included.
inline constexpr int kMaxArity = 8;
/// Second partials of an operator with kMaxArity arguments.
inline constexpr std::size_t kMaxSecondPartials = kMaxArity * (kMaxArity + 1) / 2;

/// Index of the second partial d2/(da_i da_j) in packed upper-triangle order aa, ab, ac, bb, bc, cc
/// of an operator with three arguments, or aa, ab, bb with two. Requires i <= j < arity.
constexpr int packed_index(int arity, int i, int j) {
  return i * arity - i * (i - 1) / 2 + (j - i);
}

/// A row of the table. A user's operator has one too, without the texts of value and partials.
struct OpInfo {
  std::string_view id;    ///< as in C++
  std::string_view name;  ///< as in a formula
  int arity = 0;
  std::string_view value;  ///< formula text in a, b, c
  std::array<std::string_view, 3>
      d{};  ///< first partials, formula text in a, b, c and v (the value)
  std::array<std::string_view, 6> d2{};  ///< second partials, packed upper triangle
  int precedence = 0;                    ///< 0: printed as a call
  bool commutative = false;
  unsigned propagates = 0;  ///< bit k: a non-finite argument k gives a non-finite result
  bool selects = false;     ///< one argument is passed on, the others have no influence
  int cost = 1;
  double ulp = 0;
  double ulp_fast = 0;
  double ulp_d = 0;
  std::string_view domain;
  std::string_view meaning;

  /// A partial is made of up to three functions, each off by up to 3 ULP more in a fast target, and
  /// their errors may double.
  double ulp_d_fast() const { return ulp_d == 0 ? 0 : 2 * ulp_d + 10; }
  bool is_infix() const { return precedence > 0 && arity == 2; }
  bool is_prefix() const { return precedence > 0 && arity == 1; }
  /// The partial with respect to argument k is zero everywhere.
  bool zero_partial(int k) const { return k < kMaxBuiltinArity && d[std::size_t(k)] == "0"; }
  /// It is 1 or -1 everywhere: that number; else 0.
  int unit_partial(int k) const {
    if (k >= kMaxBuiltinArity) return 0;
    return d[std::size_t(k)] == "1" ? 1 : d[std::size_t(k)] == "-1" ? -1 : 0;
  }
  bool zero_second_partial(int i, int j) const {
    return arity <= kMaxBuiltinArity && d2[std::size_t(packed_index(arity, i, j))] == "0";
  }
};

/// Of a built-in operator or a user's.
const OpInfo& info(Op op);
/// The built-in ones.
std::span<const OpInfo> all_ops();
inline Op op_at(std::size_t index) { return static_cast<Op>(index); }
/// A row of ops.def; the others are users' (user_op.h).
inline bool is_builtin(Op op) { return static_cast<std::size_t>(op) < kOpCount; }

/// A few instructions and no function call: so little that a tile's way to memory and back costs
/// more. Chains keep what lies between such operators in registers.
constexpr bool is_cheap(Op op) {
  return op == Op::add || op == Op::sub || op == Op::mul || op == Op::div || op == Op::neg ||
         op == Op::inv || op == Op::square || op == Op::cube || op == Op::sqrt || op == Op::abs;
}

/// The operator that a formula calls by this name with this many arguments; aliases included ("ln",
/// "arcsin", ...). Infix and prefix operators are found by their symbol ("+", "-", "&&").
std::optional<Op> find_op(std::string_view name, int arity);
/// Whether any operator, of whatever arity, bears the name or alias.
bool is_op_name(std::string_view name);

/// Other names under which an operator is found.
struct Alias {
  std::string_view alias;
  Op op;
};
std::span<const Alias> all_aliases();

/// Constants that the partials' text may use. `undefined` is NaN: no derivative exists.
struct TableConstant {
  std::string_view name;
  double value;
};
std::span<const TableConstant> table_constants();

}  // namespace vieta
