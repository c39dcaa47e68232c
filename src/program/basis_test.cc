#include "program/basis.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "expr/parse.h"
#include "program/lower.h"
#include "program/tile_code.h"

namespace vieta {
namespace {

struct Split {
  bool known = false;
  Basis basis;
};

// Of a formula over x and y in parameters, those named first are the linear ones.
Split split(const char* text, std::vector<std::string> parameters, std::size_t linear) {
  const Expr expr =
      parse(text, {.variables = {"x", "y"}, .parameters = std::move(parameters)}).value();
  const Program program = lower(expr, {.tunable = true});
  std::vector<std::uint32_t> uniforms;
  for (std::uint32_t j = 0; j < linear; ++j) uniforms.push_back(j);
  Split result;
  result.known = BasisSplitter().run(program, uniforms, result.basis);
  return result;
}

TEST(Basis, IsWhatTheLinearConstantsMultiply) {
  const Split s = split("a*exp(b*x) - c + y", {"a", "c", "b"}, 2);
  ASSERT_TRUE(s.known);
  ASSERT_EQ(s.basis.terms.size(), 2U);
  EXPECT_EQ(s.basis.terms[0].sign, 1);
  EXPECT_EQ(s.basis.terms[1].function, Basis::kOne);
  EXPECT_EQ(s.basis.terms[1].sign, -1);
  const Operand exponential = s.basis.functions[s.basis.terms[0].function];
  EXPECT_EQ(s.basis.program.instructions[exponential.index].op, Op::exp);
  EXPECT_EQ(s.basis.functions[s.basis.fixed.function], (Operand{Operand::Kind::variable, 1}));
}

TEST(Basis, GoesThroughProductsQuotientsAndSums) {
  const Split s = split("-(fma(a, x, c)/(1 + k*x))*sin(y)", {"a", "c", "k"}, 2);
  ASSERT_TRUE(s.known);
  EXPECT_EQ(s.basis.functions.size(), 2U);
  for (const auto& term : s.basis.terms) {
    EXPECT_EQ(term.sign, -1);
    const Operand function = s.basis.functions[term.function];
    EXPECT_EQ(s.basis.program.instructions[function.index].op, Op::mul);
  }
  EXPECT_EQ(s.basis.fixed.function, Basis::kNothing);
  // a*x + a*y is a*(x + y); x - a*y - a*x too is one function.
  EXPECT_EQ(split("a*x + a*y", {"a"}, 1).basis.functions.size(), 1U);
  EXPECT_EQ(split("x - a*y - a*x", {"a"}, 1).basis.functions.size(), 2U);
}

TEST(Basis, IsNotKnownWhereTheSplitIsNotPlain) {
  EXPECT_FALSE(split("if(x > 0, a, 0)*x", {"a"}, 1).known);
  EXPECT_FALSE(split("exp(a*x)", {"a"}, 1).known);
  EXPECT_FALSE(split("a*c*x", {"a", "c"}, 2).known);
  EXPECT_FALSE(split("x/a", {"a"}, 1).known);
  EXPECT_FALSE(split("a*b + x", {"a", "b"}, 1).known);  // b is the same on every row
}

TEST(Basis, DerivativesAreCodedForWhatDependsOnThem) {
  Split s = split("a*exp(-b*x) + c*sin(d*x + e) + f", {"a", "c", "f", "b", "d", "e"}, 3);
  ASSERT_TRUE(s.known);
  const std::vector<Operand> leaves{
      {Operand::Kind::uniform, 3}, {Operand::Kind::uniform, 4}, {Operand::Kind::uniform, 5}};
  TileCode code;
  TileCoder().several(s.basis.program, s.basis.functions, leaves, code);
  EXPECT_EQ(code.results.size(), 2U);
  ASSERT_EQ(code.columns.size(), 3U);  // not 2 x 3
  for (const auto& column : code.columns) {
    const bool decay = s.basis.terms[0].function == column.function;
    EXPECT_EQ(decay, column.leaf == 0);
  }
}

}  // namespace
}  // namespace vieta
