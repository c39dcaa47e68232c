#include "program/shared_programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "expr/parse.h"

namespace vieta {
namespace {

constexpr std::size_t kRows = 100'000;

std::vector<Program> programs(const std::vector<std::string>& texts) {
  std::vector<Program> all;
  for (const std::string& text : texts)
    all.push_back(lower(parse(text, {.variables = {"x", "y"}, .parameters = {"k"}}).value()));
  return all;
}

std::vector<Op> ops(const Program& program) {
  std::vector<Op> all;
  for (const Instruction& i : program.instructions) all.push_back(i.op);
  return all;
}

using Ops = std::vector<Op>;
using Uses = std::vector<std::uint32_t>;

TEST(ProgramSharer, TakesOutWhatSeveralProgramsCompute) {
  const auto given = programs({"sin(x*y) + 2", "sin(x*y)*x", "cos(x)"});
  ProgramSharer sharer;
  sharer.plan(given, kRows);
  ASSERT_EQ(sharer.parts(), 1U);
  PartProgram out;
  sharer.part(0, out);
  EXPECT_EQ(ops(out.program), (Ops{Op::mul, Op::sin}));
  EXPECT_TRUE(out.program.instructions.back().check);
  sharer.rest(0, out);
  EXPECT_EQ(ops(out.program), Ops{Op::add});
  EXPECT_EQ(out.uses, Uses{0});
  EXPECT_EQ(out.program.variables, std::vector<std::uint32_t>{2});
  sharer.rest(1, out);
  EXPECT_EQ(ops(out.program), Ops{Op::mul});
  sharer.rest(2, out);
  EXPECT_EQ(ops(out.program), Ops{Op::cos});
  EXPECT_TRUE(out.uses.empty());
}

TEST(ProgramSharer, PartsReadPartsBeforeThem) {
  const auto given = programs({"exp(sin(x) + y)", "exp(sin(x) + y) + 1", "sin(x)", "sin(x) - y"});
  ProgramSharer sharer;
  sharer.plan(given, kRows);
  ASSERT_EQ(sharer.parts(), 2U);
  PartProgram out;
  sharer.part(0, out);
  EXPECT_EQ(ops(out.program), Ops{Op::sin});
  sharer.part(1, out);
  EXPECT_EQ(ops(out.program), (Ops{Op::add, Op::exp}));
  EXPECT_EQ(out.uses, Uses{0});
  sharer.rest(0, out);
  EXPECT_TRUE(out.program.instructions.empty());
  EXPECT_EQ(out.uses, Uses{1});
  EXPECT_EQ(out.program.root, (Operand{Operand::Kind::variable, 2}));
}

TEST(ProgramSharer, ComputesAgainWhatIsCheapOrOneProgramsOwn) {
  ProgramSharer sharer;
  // A sum costs less than a column; a cosine twice in one program is one instruction there anyway.
  sharer.plan(programs({"(x + y)*x", "(x + y)*y", "cos(x) + cos(x)*y"}), kRows);
  EXPECT_EQ(sharer.parts(), 0U);
  // Few rows: making the part costs more.
  sharer.plan(programs({"cos(x) + 1", "cos(x) - y"}), 100);
  EXPECT_EQ(sharer.parts(), 0U);
  sharer.plan(programs({"cos(x) + 1", "cos(x) - y"}), kRows);
  EXPECT_EQ(sharer.parts(), 1U);
}

TEST(ProgramSharer, TellsNumbersApartByTheirBits) {
  ProgramSharer sharer;
  sharer.plan(programs({"cos(x + 0)", "cos(x - 0)", "cos(x*0.5)", "cos(x*0.25)", "cos(x*k)"}),
              kRows);
  EXPECT_EQ(sharer.parts(), 0U);
  sharer.plan(programs({"cos(x*0.5 + k) + 2", "cos(x*0.5 + k)*y"}), kRows);
  ASSERT_EQ(sharer.parts(), 1U);
  PartProgram out;
  sharer.part(0, out);
  EXPECT_EQ(out.program.constants, std::vector<double>{0.5});
  EXPECT_EQ(out.program.uniforms(), 2U);
}

}  // namespace
}  // namespace vieta
