#include "expr/expr.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "base/check.h"
#include "expr/print.h"
#include "expr/test_formulas.h"

namespace vieta {
namespace {

std::shared_ptr<const Symbols> names() {
  return std::make_shared<const Symbols>(Symbols{{"x", "y"}, {"k"}});
}

// x*y + 2
Expr sample() {
  std::vector<Node> nodes = {Node::variable(0), Node::variable(1)};
  append_call(nodes, Op::mul);
  nodes.push_back(Node::constant(2));
  append_call(nodes, Op::add);
  return {nodes, names()};
}

TEST(Expr, TellsSizeDepthAndLeaves) {
  const Expr e = sample();
  EXPECT_EQ(e.size(), 5U);
  EXPECT_EQ(e.complexity(), 5U);
  EXPECT_EQ(e.depth(), 3U);
  EXPECT_EQ(e.constants(), std::vector<double>{2});
  EXPECT_TRUE(e.uses_variable(1));
  EXPECT_FALSE(e.uses_variable(2));
  EXPECT_FALSE(e.uses_parameter(0));
  EXPECT_EQ(Expr().depth(), 1U);
}

// A loop over the nodes of a temporary keeps them alive.
TEST(Expr, NodesOfATemporaryOutliveIt) {
  std::size_t nodes = 0;
  for (const Node& node : sample().nodes()) nodes += node.size > 0 ? 1U : 0U;
  EXPECT_EQ(nodes, sample().size());
}

TEST(Expr, FindsTheArgumentsOfACall) {
  const Expr e = sample();
  const auto top = arguments(e.nodes(), 4);
  EXPECT_EQ(top[0], 2U);
  EXPECT_EQ(top[1], 3U);
  EXPECT_EQ(subtree(e.nodes(), top[0]).size(), 3U);
}

TEST(Expr, RefusesWhatIsNotOneFormula) {
  const Node x = Node::variable(0);
  EXPECT_THROW(Expr({}, names()), InternalError);
  EXPECT_THROW(Expr({x, x}, names()), InternalError);
  EXPECT_THROW(Expr({x, Node::call(Op::add, 2)}, names()), InternalError);
  EXPECT_THROW(Expr({x, x, Node::call(Op::add, 2)}, names()), InternalError);
  EXPECT_THROW(Expr({Node::variable(2)}, names()), InternalError);
  EXPECT_THROW(Expr({Node::parameter(1)}, names()), InternalError);
  EXPECT_THROW(Expr({x, Node::call(op_at(0xFFFF), 1)}, names()), InternalError);
  EXPECT_THROW(Expr({x}, nullptr), InternalError);
  std::vector<Node> nothing;
  EXPECT_THROW(append_call(nothing, Op::sin), InternalError);
}

TEST(Expr, SetsConstantsFromLeftToRight) {
  Expr e = sample();
  const Expr before = e;
  e.set_constants(std::vector<double>{7});
  EXPECT_EQ(e.constants(), std::vector<double>{7});
  EXPECT_FALSE(e == before);
  EXPECT_THROW(e.set_constants(std::vector<double>{1, 2}), InternalError);
}

TEST(Expr, ComparesConstantsByTheirBits) {
  const auto alone = [](double value) { return Expr({Node::constant(value)}, names()); };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(alone(nan) == alone(-nan));
  EXPECT_FALSE(alone(0.0) == alone(-0.0));
  EXPECT_FALSE(Expr({Node::variable(0)}, names()) == Expr({Node::parameter(0)}, names()));
}

TEST(Expr, RestoresSizes) {
  const Expr e = sample();
  std::vector<Node> nodes(e.nodes().begin(), e.nodes().end());
  for (Node& node : nodes) node.size = 0;
  restore_sizes(nodes);
  EXPECT_EQ(postfix_fault(nodes, 2, 1), "");
  nodes.pop_back();
  EXPECT_THROW(restore_sizes(nodes), InternalError);
}

TEST(Hash, IgnoresTheOrderOfCommutativeArguments) {
  const auto hash = [](std::vector<Node> nodes, Op op) {
    append_call(nodes, op);
    return structural_hash(nodes);
  };
  const Node x = Node::variable(0);
  const Node y = Node::variable(1);
  const Node k = Node::parameter(0);
  EXPECT_EQ(hash({x, y}, Op::mul), hash({y, x}, Op::mul));
  EXPECT_EQ(hash({x, y, k}, Op::fma), hash({y, x, k}, Op::fma));
  EXPECT_NE(hash({x, y, k}, Op::fma), hash({x, k, y}, Op::fma));
  EXPECT_NE(hash({x, y}, Op::sub), hash({y, x}, Op::sub));
  EXPECT_NE(hash({x, x}, Op::mul), hash({y, y}, Op::mul));
  EXPECT_NE(hash({x, x}, Op::mul), hash({x, x}, Op::add));
  EXPECT_NE(structural_hash(std::vector{x}), structural_hash(std::vector{k}));
  EXPECT_NE(structural_hash(std::vector{x}), structural_hash(std::vector{Node::constant(0.0)}));
}

// A text that is the same for formulas that differ by commuted arguments only.
std::string sorted_text(const Expr& e) {
  std::vector<std::string> parts;
  for (const Node& node : e.nodes()) {
    const auto arity = static_cast<std::size_t>(node.arity());
    std::vector<std::string> args(parts.end() - static_cast<std::ptrdiff_t>(arity), parts.end());
    parts.resize(parts.size() - arity);
    if (arity == 0) {
      parts.push_back(print(Expr({node}, e.shared_symbols())));
      continue;
    }
    if (info(node.op).commutative) std::sort(args.begin(), args.begin() + 2);
    std::string text = std::string(info(node.op).id) + "(";
    for (const std::string& one : args) text += one + ",";
    parts.push_back(text + ")");
  }
  return parts.back();
}

// The same formula, the first two arguments of about half of the commutative calls exchanged.
Expr commuted(const Expr& e, Rng& rng) {
  std::vector<std::vector<Node>> parts;
  for (const Node& node : e.nodes()) {
    const auto arity = static_cast<std::size_t>(node.arity());
    std::vector<std::vector<Node>> args(parts.end() - static_cast<std::ptrdiff_t>(arity),
                                        parts.end());
    parts.resize(parts.size() - arity);
    const bool exchange = arity >= 2 && info(node.op).commutative && rng.chance(0.5);
    if (exchange) std::swap(args[0], args[1]);
    std::vector<Node> joined;
    for (const auto& one : args) joined.insert(joined.end(), one.begin(), one.end());
    joined.push_back(node);
    parts.push_back(std::move(joined));
  }
  return {std::move(parts.back()), e.shared_symbols()};
}

TEST(Hash, IsBlindToCommutedArgumentsAtEveryDepthAndToNothingElse) {
  const testing::Material material =
      testing::all_ops_over({{"x", "y"}, {"k", "m"}}, {0.0, -0.0, 1, 2, -1});
  Rng rng(4, 0, 0);
  std::map<std::uint64_t, std::string> seen;
  for (int i = 0; i < 20'000; ++i) {
    const Expr e = testing::random_formula(material, 2 + rng.below(4), rng);
    const std::uint64_t hash = structural_hash(e.nodes());
    ASSERT_EQ(structural_hash(commuted(e, rng).nodes()), hash) << print(e);
    const auto [first, fresh] = seen.try_emplace(hash, sorted_text(e));
    ASSERT_TRUE(fresh || first->second == sorted_text(e)) << first->second << " and " << print(e);
  }
}

TEST(Hash, CanIgnoreTheValuesOfConstants) {
  const std::vector<Node> one = {Node::constant(1)};
  const std::vector<Node> two = {Node::constant(2)};
  EXPECT_NE(structural_hash(one), structural_hash(two));
  EXPECT_EQ(structural_hash(one, true), structural_hash(two, true));
  EXPECT_NE(structural_hash(std::vector{Node::constant(0.0)}),
            structural_hash(std::vector{Node::constant(-0.0)}));
}

TEST(Substitute, ReplacesEveryOccurrenceAtOnce) {
  const Expr e = sample();
  const Expr y({Node::variable(1)}, e.shared_symbols());
  const Expr x({Node::variable(0)}, e.shared_symbols());
  const Expr* both[] = {&y, &x};
  const Expr swapped = substitute(e, both, e.shared_symbols()).value();
  EXPECT_EQ(swapped.nodes()[0].index, 1U);
  EXPECT_EQ(swapped.nodes()[1].index, 0U);
  const Expr* square[] = {&e, nullptr};
  EXPECT_EQ(substitute(e, square, e.shared_symbols())->size(), 9U);
}

TEST(Substitute, RefusesToOutgrowTheLimit) {
  std::vector<Node> nodes = {Node::variable(0), Node::variable(0)};
  append_call(nodes, Op::mul);
  Expr e(nodes, names());
  for (int i = 0; i < 40; ++i) {
    const Expr* self[] = {&e};
    Result<Expr> next = substitute(e, self, e.shared_symbols());
    if (!next) {
      EXPECT_EQ(next.error().code, ErrorCode::usage);
      return;
    }
    e = *std::move(next);
  }
  FAIL() << "doubling 40 times was allowed";
}

}  // namespace
}  // namespace vieta
