#include "expr/walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "expr/print.h"
#include "expr/test_formulas.h"

namespace vieta {
namespace {

using testing::formula;

constexpr std::size_t kDeep = 100'000;
const double kNan = std::numeric_limits<double>::quiet_NaN();

// 24 nodes: 12 leaves, 6 of them constants, one function and 11 infix operators.
const char* const kMixed = "cos(x*3.2 - 5.8)*0.2 - 0.5*y*z*z + 0.9/(x*x + 1)";

// sin(sin(...sin(x)...))
Expr deep_chain(std::size_t calls = kDeep) {
  std::vector<Node> nodes = {Node::variable(0)};
  for (std::size_t i = 0; i < calls; ++i) append_call(nodes, Op::sin);
  return {std::move(nodes), formula("x").shared_symbols()};
}

// 1 + (1 + (... + x)): every constant stands before the nodes of its sum's right side.
Expr right_chain() {
  std::vector<Node> nodes(kDeep, Node::constant(1));
  nodes.push_back(Node::variable(0));
  for (std::size_t i = 0; i < kDeep; ++i) nodes.push_back(Node::call(Op::add, 0));
  restore_sizes(nodes);
  return {std::move(nodes), formula("x").shared_symbols()};
}

std::size_t plus_arguments(const Node&, std::span<const std::size_t> arguments) {
  std::size_t size = 1;
  for (const std::size_t argument : arguments) size += argument;
  return size;
}

TEST(BottomUp, GivesEveryCallTheValuesOfItsArguments) {
  const Expr e = formula(kMixed);
  EXPECT_EQ(bottom_up<std::size_t>(e.nodes(), plus_arguments), 24U);
  const auto text = [](const Node& node, std::span<const std::string> arguments) {
    std::string out = node.kind == NodeKind::call ? std::string(info(node.op).id) : "leaf";
    for (const std::string& argument : arguments) out += " " + argument;
    return out;
  };
  EXPECT_EQ(bottom_up<std::string>(formula("x - fma(y, 2, z)").nodes(), text),
            "sub leaf fma leaf leaf leaf");
}

TEST(BottomUp, ServesSumsAndProductsOverNodes) {
  const Expr e = formula(kMixed);
  const auto degrees = [](const Node& node, std::span<const double> arguments) {
    double product = node.arity() + 1;
    for (const double argument : arguments) product *= argument;
    return product;
  };
  EXPECT_EQ(bottom_up<double>(e.nodes(), degrees), 354294);
  std::size_t sizes = 0;
  for (const Node& node : e.nodes()) sizes += node.size;
  EXPECT_EQ(sizes, 104U);
}

TEST(BottomUp, NeedsNoStackForDeepFormulas) {
  EXPECT_EQ(bottom_up<std::size_t>(deep_chain().nodes(), plus_arguments), kDeep + 1);
  EXPECT_EQ(bottom_up<std::size_t>(right_chain().nodes(), plus_arguments), 2 * kDeep + 1);
  EXPECT_EQ(bottom_up<std::size_t>(Expr().nodes(), plus_arguments), 1U);
}

TEST(TopDown, MeetsOperatorsBeforeTheirArgumentsFromLeftToRight) {
  const Expr e = formula("x*y - sin(z)");  // x y * z sin -
  std::vector<std::size_t> met;
  top_down(e.nodes(), [&](std::size_t at) {
    met.push_back(at);
    return true;
  });
  EXPECT_EQ(met, (std::vector<std::size_t>{5, 2, 0, 1, 4, 3}));
}

TEST(TopDown, LeavesOutWhatItIsToldTo) {
  const Expr e = formula("x*y - sin(z)");
  std::vector<std::size_t> met;
  top_down(e.nodes(), [&](std::size_t at) {
    met.push_back(at);
    return !e.nodes()[at].is_call(Op::mul);
  });
  EXPECT_EQ(met, (std::vector<std::size_t>{5, 2, 4, 3}));
}

TEST(TopDown, WalksDeepFormulas) {
  for (const Expr& e : {deep_chain(), right_chain(), Expr()}) {
    std::size_t met = 0;
    top_down(e.nodes(), [&](std::size_t) { return ++met > 0; });
    EXPECT_EQ(met, e.size());
  }
}

TEST(Nodes, AreARangeOfTheStandardLibrary) {
  const Expr e = formula(kMixed);
  const auto is_cosine = [](const Node& node) { return node.is_call(Op::cos); };
  EXPECT_TRUE(std::ranges::any_of(e.nodes(), is_cosine));
  EXPECT_EQ(std::ranges::count_if(e.nodes(), is_cosine), 1);
  EXPECT_FALSE(std::ranges::all_of(e.nodes(), &Node::arity));
}

TEST(Positions, AreThoseOfMatchingNodes) {
  const Expr e = formula("x*y - sin(x)");
  const auto is_x = [](const Node& node) { return same_node(node, Node::variable(0)); };
  EXPECT_EQ(positions(e.nodes(), is_x), (std::vector<std::size_t>{0, 3}));
  EXPECT_TRUE(positions(e.nodes(), [](const Node& node) { return node.arity() == 3; }).empty());
}

TEST(Mapped, ReplacesNodesOneByOne) {
  const Expr e = formula("2*x + sin(3)");
  const Expr other = mapped(e, [](const Node& node) {
    if (node.is_constant()) return Node::constant(node.value + 1);
    if (node.is_call(Op::sin)) return Node::call(Op::cos, 0);
    return node;
  });
  EXPECT_EQ(print(other), "3*x + cos(4)");
  EXPECT_EQ(print(e), "2*x + sin(3)");
  EXPECT_THROW(mapped(e, [](const Node&) { return Node::call(Op::sin, 1); }), InternalError);
  EXPECT_THROW(
      mapped(e, [](const Node& node) { return node.is_constant() ? Node::variable(99) : node; }),
      InternalError);
}

TEST(CountNodes, CountsKindsAndArities) {
  const NodeCounts counts = count_nodes(formula(kMixed).nodes());
  EXPECT_EQ(counts.leaves(), 12U);
  EXPECT_EQ(counts.constants, 6U);
  EXPECT_EQ(counts.variables, 6U);
  EXPECT_EQ(counts.calls(), 12U);
  EXPECT_EQ(counts.calls_of, (std::array<std::size_t, kMaxArity + 1>{0, 1, 11}));
  const NodeCounts ternary = count_nodes(formula("if(k, fma(x, y, k), nan)").nodes());
  EXPECT_EQ(ternary.calls_of, (std::array<std::size_t, kMaxArity + 1>{0, 0, 0, 2}));
  EXPECT_EQ(ternary.parameters, 2U);
  EXPECT_EQ(ternary.constants, 1U);
  EXPECT_EQ(count_nodes(Expr().nodes()), (NodeCounts{.constants = 1}));
  EXPECT_EQ(count_nodes(deep_chain().nodes()).calls(), kDeep);
}

TEST(ConstantPositions, GoBothWays) {
  Expr e = formula(kMixed);
  const auto at = constant_positions(e.nodes());
  ASSERT_EQ(at.size(), e.count_constants());
  const std::vector<double> values = e.constants();
  for (std::size_t c = 0; c < at.size(); ++c) {
    EXPECT_EQ(e.nodes()[at[c]].value, values[c]);
    EXPECT_EQ(constant_number(e.nodes(), at[c]), c);
  }
  EXPECT_EQ(constant_number(e.nodes(), e.size() - 1), std::nullopt);
  EXPECT_THROW(constant_number(e.nodes(), e.size()), InternalError);
}

TEST(ConstantPositions, KnowNoDifferenceBetweenValues) {
  EXPECT_EQ(constant_positions(formula("nan*nan").nodes()), (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(constant_positions(formula("x").nodes()).empty());
  EXPECT_EQ(constant_positions(right_chain().nodes()).size(), kDeep);
}

TEST(Parents, LeadFromEveryNodeToTheRoot) {
  const Expr e = formula("x*y - sin(z)");  // x y * z sin -
  EXPECT_EQ(parents(e.nodes()), (std::vector<std::size_t>{2, 2, 5, 4, 5, 5}));
  EXPECT_EQ(parents(Expr().nodes()), std::vector<std::size_t>{0});
  EXPECT_EQ(parents(right_chain().nodes())[0], 2 * kDeep);
}

TEST(Extract, GivesEverySubtree) {
  const Expr e = formula("x*y - sin(z)");
  EXPECT_EQ(print(extract(e, 2)), "x*y");
  EXPECT_EQ(print(extract(e, 4)), "sin(z)");
  EXPECT_EQ(print(extract(e, 0)), "x");
  EXPECT_TRUE(extract(e, 5) == e);
  EXPECT_EQ(extract(e, 1).shared_symbols(), e.shared_symbols());
  EXPECT_THROW(extract(e, 6), InternalError);
  EXPECT_EQ(extract(deep_chain(), kDeep / 2).size(), kDeep / 2 + 1);
}

TEST(ReplaceSubtree, KeepsTheRest) {
  const Expr e = formula("x*y - sin(z)");
  EXPECT_EQ(print(replace_subtree(e, 2, formula("x + 1")).value()), "x + 1 - sin(z)");
  EXPECT_EQ(print(replace_subtree(e, 3, formula("x/y")).value()), "x*y - sin(x/y)");
  EXPECT_EQ(print(replace_subtree(e, 4, formula("nan")).value()), "x*y - nan");
  EXPECT_EQ(print(replace_subtree(e, 5, formula("2")).value()), "2");
  EXPECT_EQ(print(replace_subtree(e, 0, e).value()), "(x*y - sin(z))*y - sin(z)");
  EXPECT_EQ(print(replace_subtree(e, 4, subtree(e.nodes(), 2)).value()), "x*y - x*y");
}

TEST(ReplaceSubtree, IsUndoneByTheReverse) {
  Rng rng(3, 0, 0);
  const auto material = testing::all_ops_over({{"x", "y"}, {"k"}}, {0.0, kNan, 2.5});
  for (int trial = 0; trial < 500; ++trial) {
    const Expr e = testing::random_formula(material, 6, rng);
    const Expr other = testing::random_formula(material, 4, rng);
    const std::size_t at = sample_node(e.nodes(), rng);
    const Expr there = replace_subtree(e, at, other).value();
    const std::size_t moved = at + other.size() - e.nodes()[at].size;
    EXPECT_TRUE(extract(there, moved) == other);
    EXPECT_TRUE(replace_subtree(there, moved, extract(e, at)).value() == e);
  }
}

TEST(ReplaceSubtree, RefusesWhatDoesNotFit) {
  const Expr e = formula("x*y");
  const Expr strange = parse("u", {.variables = {"u"}}).value();
  EXPECT_THROW(static_cast<void>(replace_subtree(e, 0, strange)), InternalError);
  EXPECT_THROW(static_cast<void>(replace_subtree(e, 3, e)), InternalError);
  EXPECT_THROW(static_cast<void>(replace_subtree(e, 0, std::vector<Node>{})), InternalError);
  const Expr half = deep_chain(kMaxNodes / 2 - 1);
  const Expr large = replace_subtree(half, 0, half).value();
  EXPECT_EQ(large.size(), kMaxNodes - 1);
  const auto refused = replace_subtree(large, 0, formula("sin(sin(x))"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::usage);
}

TEST(SampleNode, ChoosesUniformlyAmongMatches) {
  const Expr e = parse("cos(x) + x", {.variables = {"x"}}).value();  // x cos x +
  Rng rng(1, 0, 0);
  std::array<int, 4> all{};
  std::array<int, 4> leaves{};
  const auto is_leaf = [](const Node& node) { return node.kind != NodeKind::call; };
  constexpr int kDraws = 10'000;
  for (int i = 0; i < kDraws; ++i) {
    ++all[sample_node(e.nodes(), rng)];
    ++leaves[sample_node(e.nodes(), rng, is_leaf).value()];
  }
  // Five standard deviations: 5*sqrt(10000*0.25*0.75) and 5*sqrt(10000*0.25).
  for (const int count : all) EXPECT_NEAR(count, kDraws / 4, 217);
  EXPECT_NEAR(leaves[0], kDraws / 2, 250);
  EXPECT_EQ(leaves[0] + leaves[2], kDraws);
}

TEST(SampleNode, IsEmptyWhereNothingMatches) {
  Rng rng(1, 0, 0);
  Rng untouched = rng;
  const auto never = [](const Node&) { return false; };
  EXPECT_EQ(sample_node(formula("x + y").nodes(), rng, never), std::nullopt);
  EXPECT_EQ(rng(), untouched());
  EXPECT_EQ(sample_node(Expr().nodes(), rng), 0U);
  EXPECT_EQ(sample_node(Expr().nodes(), rng, &Node::arity), std::nullopt);
}

TEST(SampleWeighted, FollowsTheWeights) {
  const std::vector<double> weights = {0, 75, 0, 10, 15, 0};
  Rng rng(2, 0, 0);
  std::array<int, 6> counts{};
  constexpr int kDraws = 10'000;
  for (int i = 0; i < kDraws; ++i) ++counts[sample_weighted(weights, rng).value()];
  EXPECT_EQ(counts[0] + counts[2] + counts[5], 0);
  EXPECT_NEAR(counts[1], 7500, 217);
  EXPECT_NEAR(counts[3], 1000, 150);
  EXPECT_NEAR(counts[4], 1500, 179);
}

TEST(SampleWeighted, RefusesWeightsThatAreNone) {
  Rng rng(2, 0, 0);
  const auto draw = [&](std::vector<double> weights) { return sample_weighted(weights, rng); };
  EXPECT_EQ(draw({}), std::nullopt);
  EXPECT_EQ(draw({0, 0}), std::nullopt);
  EXPECT_EQ(draw({1, HUGE_VAL}), std::nullopt);
  EXPECT_THROW(draw({1, -1}), InternalError);
  EXPECT_THROW(draw({kNan}), InternalError);
}

TEST(CopyInto, ReusesTheStorage) {
  Expr destination = deep_chain();
  const Node* const storage = destination.nodes().data();
  for (const Expr& e : {formula(kMixed), Expr(), formula("nan"), deep_chain()}) {
    copy_into(e, destination);
    EXPECT_TRUE(destination == e);
    EXPECT_EQ(destination.shared_symbols(), e.shared_symbols());
    EXPECT_EQ(destination.nodes().data(), storage);
  }
}

TEST(Renumbered, GivesLeavesOtherNames) {
  const Expr e = parse("x + k*y + x", {.variables = {"x", "y"}, .parameters = {"j", "k"}}).value();
  const auto names = std::make_shared<const Symbols>(Symbols{{"a", "b", "c"}, {"q"}});
  const std::size_t variables[] = {2, 0};
  const std::size_t parameters[] = {9, 0};  // j does not occur
  EXPECT_EQ(print(renumbered(e, variables, parameters, names)), "c + q*a + c");
  const auto same = std::make_shared<const Symbols>(Symbols{{"u", "v"}, {"j", "m"}});
  EXPECT_EQ(print(renumbered(e, {}, {}, same)), "u + m*v + u");
  const std::size_t one[] = {0};
  EXPECT_THROW((void)renumbered(e, one, parameters, names), InternalError);
  const std::size_t beyond[] = {2, 3};
  EXPECT_THROW((void)renumbered(e, beyond, parameters, names), InternalError);
}

}  // namespace
}  // namespace vieta
