#include "eval/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

namespace vieta {
namespace {

// x * exp(k * y), everything in closed form.
TEST(Reference, MatchesAClosedForm) {
  std::vector<Node> nodes{Node::variable(0), Node::parameter(0), Node::variable(1)};
  append_call(nodes, Op::mul);
  append_call(nodes, Op::exp);
  append_call(nodes, Op::mul);
  const Expr expr(nodes, std::make_shared<const Symbols>(Symbols{{"x", "y"}, {"k"}}));
  const std::vector<double> x{2, 3};
  const std::vector<double> k{0.5};
  const std::vector<Leaf> leaves{
      {Leaf::Kind::variable, 0}, {Leaf::Kind::variable, 1}, {Leaf::Kind::parameter, 0}};
  const auto at = reference::evaluate(expr, x, k, leaves, 2);
  const long double e = std::exp(1.5L);
  const std::vector<long double> gradient{e, 2 * 0.5L * e, 2 * 3 * e};
  const std::vector<long double> hessian{
      0, 0.5L * e, 3 * e, 2 * 0.25L * e, 2 * e + 2 * 3 * 0.5L * e, 2 * 9 * e};
  // A few roundings of long double.
  const auto close = [](long double a, long double b) {
    return std::fabs(a - b) <= 1e-17L * std::fabs(b);
  };
  EXPECT_TRUE(at.ok);
  EXPECT_TRUE(close(at.value, 2 * e));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(close(at.gradient[i], gradient[i])) << i;
  for (std::size_t i = 0; i < 6; ++i) EXPECT_TRUE(close(at.hessian[i], hessian[i])) << i;
}

TEST(Reference, SaysWhatIsNotFinite) {
  std::vector<Node> nodes{Node::variable(0)};
  append_call(nodes, Op::log);
  append_call(nodes, Op::exp);  // exp(log(0)) is 0, and yet
  const Expr expr(nodes, std::make_shared<const Symbols>(Symbols{{"x"}, {}}));
  const std::vector<double> zero{0};
  const auto at = reference::evaluate(expr, zero, {}, {}, 0);
  EXPECT_EQ(at.value, 0);
  EXPECT_FALSE(at.ok);
}

}  // namespace
}  // namespace vieta
