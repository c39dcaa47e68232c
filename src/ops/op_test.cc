#include "ops/op.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace vieta {
namespace {

TEST(OperatorTable, HoldsEveryOperatorOfTheInterface) {
  for (const char* name :
       {"inv",  "square", "cube",    "sqrt",     "cbrt",     "exp",   "exp2", "expm1", "log",
        "log2", "log10",  "log1p",   "sin",      "cos",      "tan",   "asin", "acos",  "atan",
        "sinh", "cosh",   "tanh",    "asinh",    "acosh",    "atanh", "abs",  "sign",  "floor",
        "ceil", "round",  "relu",    "logistic", "softplus", "erf",   "erfc", "gamma", "lgamma",
        "neg",  "ln",     "sigmoid", "arcsin",   "-",        "!"}) {
    EXPECT_TRUE(find_op(name, 1).has_value()) << name;
  }
  for (const char* name : {"+",     "-",     "*", "/",  "^", "**", "pow", "min", "max", "mod",
                           "atan2", "hypot", "<", "<=", ">", ">=", "==",  "!=",  "&&",  "||"}) {
    EXPECT_TRUE(find_op(name, 2).has_value()) << name;
  }
  for (const char* name : {"fma", "clamp", "if"}) EXPECT_TRUE(find_op(name, 3).has_value()) << name;
  EXPECT_FALSE(find_op("sin", 2).has_value());
  EXPECT_FALSE(find_op("nosuch", 1).has_value());
}

TEST(OperatorTable, NamesAreUniqueForEachArity) {
  std::set<std::pair<std::string, int>> seen;
  for (const OpInfo& row : all_ops()) {
    EXPECT_TRUE(seen.insert({std::string(row.name), row.arity}).second) << row.name;
  }
  for (const Alias& alias : all_aliases()) {
    EXPECT_TRUE(seen.insert({std::string(alias.alias), info(alias.op).arity}).second)
        << alias.alias;
  }
}

TEST(OperatorTable, RowsAreComplete) {
  for (const OpInfo& row : all_ops()) {
    EXPECT_FALSE(row.meaning.empty()) << row.name;
    EXPECT_FALSE(row.domain.empty()) << row.name;
    EXPECT_GE(row.cost, 1) << row.name;
    EXPECT_LT(row.propagates, 1U << static_cast<unsigned>(row.arity)) << row.name;
    for (int k = 0; k < row.arity; ++k)
      EXPECT_FALSE(row.d[static_cast<std::size_t>(k)].empty()) << row.name;
    for (int i = 0; i < row.arity; ++i) {
      for (int j = i; j < row.arity; ++j) {
        EXPECT_FALSE(row.d2[static_cast<std::size_t>(packed_index(row.arity, i, j))].empty())
            << row.name;
      }
    }
  }
}

TEST(OperatorTable, PackedIndexCountsTheUpperTriangle) {
  for (int n = 1; n <= kMaxArity; ++n) {
    int expected = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = i; j < n; ++j) EXPECT_EQ(packed_index(n, i, j), expected++);
    }
  }
}

}  // namespace
}  // namespace vieta
