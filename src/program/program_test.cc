#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "program/lower.h"
#include "program/tile_code.h"

namespace vieta {
namespace {

const auto kSymbols = std::make_shared<const Symbols>(Symbols{{"x", "y"}, {"k"}});
const Node kX = Node::variable(0);
const Node kY = Node::variable(1);

Expr make(std::initializer_list<Node> nodes) { return Expr(std::vector<Node>(nodes), kSymbols); }

TEST(Lowering, MakesOneInstructionOfASharedSubexpression) {
  // sin(x*y) + sin(y*x)
  const Expr e = make({kX, kY, Node::call(Op::mul, 3), Node::call(Op::sin, 4), kY, kX,
                       Node::call(Op::mul, 3), Node::call(Op::sin, 4), Node::call(Op::add, 9)});
  const Program p = lower(e);
  EXPECT_EQ(p.instructions.size(), 3U);
  EXPECT_EQ(p.variables, (std::vector<std::uint32_t>{0, 1}));
}

TEST(Lowering, KeepsTheOrderOfArgumentsWhereATieDependsOnIt) {
  const Expr e = make(
      {kX, kY, Node::call(Op::max, 3), kY, kX, Node::call(Op::max, 3), Node::call(Op::add, 7)});
  EXPECT_EQ(lower(e).instructions.size(), 3U);
}

TEST(Lowering, SharesEqualConstantsUnlessTheyAreTuned) {
  const Expr e = make({kX, Node::constant(2), Node::call(Op::mul, 3), kY, Node::constant(2),
                       Node::call(Op::mul, 3), Node::call(Op::add, 7)});
  EXPECT_EQ(lower(e).constants.size(), 1U);
  const Program tunable = lower(e, {.tunable = true});
  EXPECT_EQ(tunable.constants.size(), 2U);
  EXPECT_EQ(tunable.uniform_of_constant, (std::vector<std::uint32_t>{1, 2}))
      << "parameter k is uniform 0";
}

TEST(Lowering, ComputesUniformInstructionsOnce) {
  // exp(k) * x
  const Expr e = make({Node::parameter(0), Node::call(Op::exp, 2), kX, Node::call(Op::mul, 4)});
  const Program p = lower(e);
  ASSERT_EQ(p.instructions.size(), 2U);
  EXPECT_TRUE(p.instructions[0].uniform);
  EXPECT_FALSE(p.instructions[1].uniform);
}

TEST(Lowering, TestsOnlyWhatNoConsumerReveals) {
  // exp(x + y): an infinite sum may become exp(-inf) = 0, and the result is the root.
  const Program p = lower(make({kX, kY, Node::call(Op::add, 3), Node::call(Op::exp, 4)}));
  EXPECT_TRUE(p.instructions[0].check);
  EXPECT_TRUE(p.instructions[1].check);
  EXPECT_TRUE(p.checked_variables.empty()) << "the sum reveals both";
  // sqrt(x * y): both steps pass an infinity or NaN on, the last one is tested.
  const Program q = lower(make({kX, kY, Node::call(Op::mul, 3), Node::call(Op::sqrt, 4)}));
  EXPECT_FALSE(q.instructions[0].check);
  EXPECT_TRUE(q.instructions[1].check);
}

TEST(Lowering, ReusesSlots) {
  std::vector<Node> nodes{kX};
  for (int i = 0; i < 50; ++i) append_call(nodes, Op::sin);
  EXPECT_EQ(lower(Expr(nodes, kSymbols)).slots, 1U);
}

TEST(Lowering, GivesTheSameProgramWhenItsScratchIsReused) {
  Lowering lowering;
  Program program;
  const Expr large =
      make({kX, kY, Node::call(Op::mul, 3), Node::call(Op::sin, 4), kY, Node::call(Op::add, 6)});
  const Expr small = make({kY});
  lowering.run(large.nodes(), 2, 1, {}, program);
  lowering.run(small.nodes(), 2, 1, {}, program);
  EXPECT_TRUE(program.instructions.empty());
  EXPECT_EQ(program.root, (Operand{Operand::Kind::variable, 1}));
  lowering.run(large.nodes(), 2, 1, {}, program);
  EXPECT_EQ(program.instructions.size(), lower(large).instructions.size());
}

TEST(Disassembly, ReadsLikeTheFormula) {
  const Program p =
      lower(make({kX, Node::constant(0.5), Node::call(Op::mul, 3), Node::call(Op::cos, 4)}));
  const std::vector<std::string> variables{"x", "y"};
  const std::vector<std::string> parameters{"k"};
  EXPECT_EQ(disassemble(p, variables, parameters),
            "%0    s0    mul       x, 0.5\n"
            "%1    s0    cos       %0   ; checked\n"
            "result %1\n");
}

// The number of steps of a gradient grows with the formula, not with the number of leaves.
TEST(TileCoder, SweepsOnceForAllLeaves) {
  std::vector<Node> nodes{kX};
  for (int i = 0; i < 10; ++i) {
    nodes.push_back(Node::constant(i));
    append_call(nodes, Op::mul);
    append_call(nodes, Op::sin);
  }
  const Program p = lower(Expr(nodes, kSymbols), {.tunable = true});
  std::vector<Operand> leaves;
  for (std::uint32_t c = 0; c < 10; ++c) leaves.push_back({Operand::Kind::uniform, 1 + c});
  TileCoder coder;
  TileCode value;
  TileCode one;
  TileCode all;
  coder.value(p, value);
  coder.gradient(p, std::span(leaves).first(1), one);
  coder.gradient(p, leaves, all);
  EXPECT_EQ(all.each_tile.size(),
            one.each_tile.size() + 9);  // a pullback more for each further constant
  EXPECT_LE(all.each_tile.size(), value.each_tile.size() + 30);
}

TEST(TileCoder, PassesAdjointsOfSumsOnWithoutCopies) {
  // x + y + k: every derivative is 1, and no product is made.
  const Program p =
      lower(make({kX, kY, Node::call(Op::add, 3), Node::parameter(0), Node::call(Op::add, 5)}));
  const std::vector<Operand> leaves{{Operand::Kind::variable, 0}, {Operand::Kind::uniform, 0}};
  TileCoder coder;
  TileCode code;
  coder.gradient(p, leaves, code);
  for (const Step& step : code.each_tile) {
    EXPECT_TRUE(step.kind == StepKind::value || step.kind == StepKind::copy ||
                step.kind == StepKind::check);
  }
}

std::vector<ChainLink::Kind> kinds_of(const TileCode& code) {
  std::vector<ChainLink::Kind> kinds;
  for (const ChainLink& link : code.links) kinds.push_back(link.kind);
  return kinds;
}

TEST(Chains, WriteOnlyWhatSomeoneElseReads) {
  using Kind = ChainLink::Kind;
  TileCoder coder;
  TileCode code;
  // k - x*y: one value in registers is enough, and the root's test sees it there.
  coder.value(
      lower(make({Node::parameter(0), kX, kY, Node::call(Op::mul, 3), Node::call(Op::sub, 5)})),
      code);
  EXPECT_EQ(code.fused.size(), 1U);
  EXPECT_EQ(kinds_of(code), (std::vector<Kind>{Kind::load, Kind::left, Kind::right, Kind::store,
                                               Kind::check, Kind::end}));
  EXPECT_EQ(code.tiles, 3U) << "x, y and the result";
  EXPECT_EQ(code.tiled[code.first_uniform()], 0) << "k is read as one number";
  // (x + y)*(x - y): the sum has to wait for the difference.
  coder.value(lower(make({kX, kY, Node::call(Op::add, 3), kX, kY, Node::call(Op::sub, 3),
                          Node::call(Op::mul, 7)})),
              code);
  EXPECT_EQ(kinds_of(code),
            (std::vector<Kind>{Kind::load, Kind::left, Kind::store, Kind::load, Kind::left,
                               Kind::right, Kind::store, Kind::check, Kind::end}));
}

TEST(Chains, StopAtFunctions) {
  TileCoder coder;
  TileCode code;
  // sin(x*y) + k
  coder.value(lower(make({kX, kY, Node::call(Op::mul, 3), Node::call(Op::sin, 4),
                          Node::parameter(0), Node::call(Op::add, 6)})),
              code);
  ASSERT_EQ(code.fused.size(), 3U);
  EXPECT_EQ(code.fused[0].kind, StepKind::chain);
  EXPECT_EQ(code.fused[1].kind, StepKind::value);
  EXPECT_EQ(code.fused[2].kind, StepKind::chain);
}

}  // namespace
}  // namespace vieta
