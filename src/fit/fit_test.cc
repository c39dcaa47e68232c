#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "base/rng.h"
#include "expr/parse.h"
#include "expr/print.h"
#include "fit/constant_fitter.h"

namespace vieta {
namespace {

// A formula over x and y with its numbers as starts.
std::vector<Node> nodes_of(const char* text) {
  const Expr e = parse(text, {.variables = {"x", "y"}}).value();
  return {e.nodes().begin(), e.nodes().end()};
}

struct Sample {
  std::vector<double> x, y, t, w;
  FitData data() const { return {{{x.data(), y.data()}, x.size(), x.size()}, t, w}; }
  std::size_t rows() const { return x.size(); }
};

template <class F>
Sample sample(std::size_t rows, F f) {
  Sample s;
  Rng rng(4, 0, 0);
  for (std::size_t r = 0; r < rows; ++r) {
    s.x.push_back(0.1 + 3 * rng.uniform());
    s.y.push_back(rng.normal());
    s.t.push_back(f(s.x.back(), s.y.back()));
  }
  return s;
}

std::vector<double> constants(const std::vector<Node>& nodes) {
  std::vector<double> c;
  for (const Node& node : nodes) {
    if (node.is_constant()) c.push_back(node.value);
  }
  return c;
}

TEST(ConstantFitter, FindsTheConstantsOfExactData) {
  const Sample s =
      sample(100, [](double x, double y) { return 2.5 * std::exp(-1.3 * x) + 0.7 * y; });
  const FitData data = s.data();
  ConstantFitter fitter(data, kernels::best_target());
  auto nodes = nodes_of("1*exp(-0.1*x) + 1*y");
  const auto outcome = fitter.fit(nodes, 100);
  EXPECT_EQ(outcome.stop, StopReason::converged);
  const auto c = constants(nodes);
  // The residual is rounding, about 1e-16, and the constants are well determined: 1e-12 is a
  // thousand roundings.
  EXPECT_NEAR(c[0], 2.5, 1e-12);
  EXPECT_NEAR(c[1], -1.3, 1e-12);
  EXPECT_NEAR(c[2], 0.7, 1e-12);
  EXPECT_LT(outcome.loss, 1e-28);
}

TEST(ConstantFitter, GivesTheSameBitsOnEveryTargetForArithmetic) {
  const Sample s = sample(57, [](double x, double y) { return 3 * x - y / (x + 0.2); });
  const FitData data = s.data();
  auto scalar_nodes = nodes_of("1*x - y/(x + 1)");
  auto best_nodes = scalar_nodes;
  ConstantFitter scalar(data, kernels::Target::scalar);
  ConstantFitter best(data, kernels::best_target());
  EXPECT_EQ(scalar.fit(scalar_nodes, 50).loss, best.fit(best_nodes, 50).loss);
  EXPECT_EQ(constants(scalar_nodes), constants(best_nodes));
}

TEST(ConstantFitter, IsNeverWorseThanTheStart) {
  Rng rng(8, 0, 0);
  const Sample s = sample(20, [](double x, double y) { return std::sin(3 * x) + y; });
  const FitData data = s.data();
  ConstantFitter fitter(data, kernels::best_target());
  for (int i = 0; i < 300; ++i) {
    auto nodes = nodes_of("1*sin(1*x + 1)/(1 + 1*y*y) + 1");
    for (Node& node : nodes) {
      if (node.is_constant()) node.value = 10 * rng.normal();
    }
    const double before = fitter.loss(nodes);
    const auto outcome = fitter.fit(nodes, 1 + i % 9);
    if (std::isfinite(before)) {
      EXPECT_LE(outcome.loss, before);
      EXPECT_EQ(fitter.loss(nodes), outcome.loss);
    }
  }
}

TEST(ConstantFitter, BacksOffWhereAStepOverflows) {
  // exp(c*x) with x up to 100 overflows for c = 50 at once; from c = 5 a plain Gauss-Newton step
  // leaves the range of exp.
  Sample s;
  for (int i = 1; i <= 100; ++i) {
    s.x.push_back(i);
    s.y.push_back(0);
    s.t.push_back(1);
  }
  const FitData data = s.data();
  ConstantFitter fitter(data, kernels::best_target());
  auto overflow = nodes_of("exp(50*x)");
  EXPECT_EQ(fitter.fit(overflow, 50).stop, StopReason::not_finite);
  EXPECT_EQ(constants(overflow)[0], 50);
  auto large = nodes_of("exp(1.5*x)");
  const double before = fitter.loss(large);
  EXPECT_LT(fitter.fit(large, 200).loss, before);
  EXPECT_TRUE(std::isfinite(constants(large)[0]));
}

TEST(ConstantFitter, RowsOfWeightZeroDoNotCountWhateverTheyHold) {
  Sample s;
  for (int i = 0; i < 10; ++i) {
    s.x.push_back(i == 9 ? -5 : i);
    s.y.push_back(1);
    s.t.push_back(i == 9 ? 1000 : 2 * std::sqrt(static_cast<double>(i)));
    s.w.push_back(i == 9 ? 0 : 1);
  }
  const FitData data = s.data();
  ConstantFitter fitter(data, kernels::best_target());
  auto nodes = nodes_of("1*sqrt(x)");  // NaN on the last row
  const auto outcome = fitter.fit(nodes, 20);
  EXPECT_NEAR(constants(nodes)[0], 2, 1e-14);
  EXPECT_LT(outcome.loss, 1e-28);
}

TEST(ConstantFitter, WeightsOfAnySizeGiveTheSameConstants) {
  Sample s = sample(40, [](double x, double y) { return 3 * x + y * y; });
  s.t[3] += 1;  // not exact
  auto wanted = nodes_of("1*x + 1*y*y");
  {
    const FitData data = s.data();
    ConstantFitter(data, kernels::best_target()).fit(wanted, 50);
  }
  for (const double weight : {1e-100, 1e100}) {
    s.w.assign(s.rows(), weight);
    const FitData data = s.data();
    auto nodes = nodes_of("1*x + 1*y*y");
    ConstantFitter(data, kernels::best_target()).fit(nodes, 50);
    EXPECT_NEAR(constants(nodes)[0], constants(wanted)[0], 1e-12);
    EXPECT_NEAR(constants(nodes)[1], constants(wanted)[1], 1e-12);
  }
}

TEST(ConstantFitter, LeavesFrozenAndIdleConstantsAlone) {
  const Sample s = sample(30, [](double x, double) { return 4 * x + 3; });
  const FitData data = s.data();
  ConstantFitter fitter(data, kernels::best_target());
  auto nodes = nodes_of("1*x + 2.5");
  const std::vector<std::uint8_t> frozen{0, 1};
  fitter.fit(nodes, 50, frozen);
  EXPECT_EQ(constants(nodes)[1], 2.5);
  auto idle = nodes_of("1*x + 1 + floor(7.5)");
  fitter.fit(idle, 50);
  EXPECT_EQ(constants(idle)[2], 7.5);
  EXPECT_LT(fitter.loss(idle), 1e-25);
}

TEST(ConstantFitter, CopesWithRedundantConstantsAndFewRows) {
  for (const std::size_t rows : {1U, 2U, 5U}) {
    const Sample s = sample(rows, [](double x, double) { return 2 * x; });
    const FitData data = s.data();
    ConstantFitter fitter(data, kernels::best_target());
    auto nodes = nodes_of("(1 + 1)*x*1 + 0.1*y");  // three constants are one
    EXPECT_LT(fitter.fit(nodes, 100).loss, 1e-20);
    for (const double c : constants(nodes)) EXPECT_TRUE(std::isfinite(c));
  }
}

TEST(LevenbergMarquardt, UsesEigenAboveSixteenUnknowns) {
  // A sum of 20 constants times powers that are far from dependent: cos(k*x).
  Sample s;
  std::string text = "0";
  for (int i = 0; i < 200; ++i) {
    s.x.push_back(i * 0.0314159);
    s.y.push_back(0);
    s.t.push_back(0);
    for (int k = 1; k <= 20; ++k) s.t.back() += k * std::cos(k * s.x.back());
  }
  std::vector<Node> nodes = nodes_of("0*cos(1*x)");
  for (int k = 2; k <= 20; ++k) {
    const auto term = nodes_of(("0*cos(" + std::to_string(k) + "*x)").c_str());
    nodes.insert(nodes.end(), term.begin(), term.end());
    append_call(nodes, Op::add);
  }
  // Only the amplitudes are unknown.
  std::vector<std::uint8_t> frozen;
  for (int k = 0; k < 20; ++k) {
    frozen.push_back(0);
    frozen.push_back(1);
  }
  const FitData data = s.data();
  ConstantFitter fitter(data, kernels::best_target());
  EXPECT_LT(fitter.fit(nodes, 50, frozen).loss, 1e-20);
  const auto c = constants(nodes);
  for (int k = 1; k <= 20; ++k) EXPECT_NEAR(c[static_cast<std::size_t>(2 * (k - 1))], k, 1e-9);
}

}  // namespace
}  // namespace vieta
