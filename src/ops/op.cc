#include "ops/op.h"

#include <limits>
#include <numbers>

#include "ops/user_op.h"

namespace vieta {
namespace {

// Text columns of the table; each is turned into a string before any macro inside could be
// expanded.
#define VIETA_TRAITS(...) __VA_ARGS__

#define VIETA_UNARY(id, name, value, da, daa, traits, domain, meaning) \
  make_row(#id, name, 1, #value, {#da}, {#daa}, domain, meaning, traits),
#define VIETA_BINARY(id, name, value, da, db, daa, dab, dbb, traits, domain, meaning) \
  make_row(#id, name, 2, #value, {#da, #db}, {#daa, #dab, #dbb}, domain, meaning, traits),
#define VIETA_TERNARY(id, name, value, da, db, dc, daa, dab, dac, dbb, dbc, dcc, traits, domain, \
                      meaning)                                                                   \
  make_row(#id, name, 3, #value, {#da, #db, #dc}, {#daa, #dab, #dac, #dbb, #dbc, #dcc}, domain,  \
           meaning, traits),

constexpr OpInfo make_row(std::string_view id, std::string_view name, int arity,
                          std::string_view value, std::array<std::string_view, 3> d,
                          std::array<std::string_view, 6> d2, std::string_view domain,
                          std::string_view meaning, int precedence, bool commutative,
                          unsigned propagates, bool selects, int cost, double ulp, double ulp_fast,
                          double ulp_d) {
  return {id,         name,    arity, value, d,        d2,    precedence, commutative,
          propagates, selects, cost,  ulp,   ulp_fast, ulp_d, domain,     meaning};
}

constexpr std::array<OpInfo, kOpCount> kOps = {
#include "ops/ops.def"
};

#undef VIETA_UNARY
#undef VIETA_BINARY
#undef VIETA_TERNARY

constexpr Alias kAliases[] = {
#define VIETA_ALIAS(alias, op) {alias, Op::op},
#include "ops/aliases.def"
#undef VIETA_ALIAS
};

constexpr TableConstant kConstants[] = {
    {"ln2", std::numbers::ln2},
    {"ln10", std::numbers::ln10},
    {"two_over_sqrt_pi", 2.0 * std::numbers::inv_sqrtpi},
    {"undefined", std::numeric_limits<double>::quiet_NaN()},
};

}  // namespace

const OpInfo& info(Op op) {
  const auto index = static_cast<std::size_t>(op);
  return index < kOpCount ? kOps[index] : user_op(op).info;
}

std::span<const OpInfo> all_ops() { return kOps; }
std::span<const Alias> all_aliases() { return kAliases; }
std::span<const TableConstant> table_constants() { return kConstants; }

std::optional<Op> find_op(std::string_view name, int arity) {
  for (std::size_t i = 0; i < kOpCount; ++i) {
    if (kOps[i].name == name && kOps[i].arity == arity) return op_at(i);
  }
  for (const Alias& alias : kAliases) {
    if (alias.alias == name && info(alias.op).arity == arity) return alias.op;
  }
  return std::nullopt;
}

bool is_op_name(std::string_view name) {
  for (int arity = 1; arity <= kMaxBuiltinArity; ++arity) {
    if (find_op(name, arity)) return true;
  }
  return false;
}

}  // namespace vieta
