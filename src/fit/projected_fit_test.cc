// Batch fits: linear constants solved for, structures kept.

#include "fit/projected_fit.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/rng.h"
#include "expr/parse.h"
#include "fit/constant_fitter.h"

namespace vieta {
namespace {

struct Table {
  std::vector<double> x, t;
  FitData data() const { return {{{x.data()}, x.size(), x.size()}, t, {}}; }
};

template <class F>
Table table(std::size_t rows, double noise, F f) {
  Table s;
  Rng rng(4, 0, 0);
  for (std::size_t r = 0; r < rows; ++r) {
    s.x.push_back(0.05 + 6.0 * static_cast<double>(r) / static_cast<double>(rows));
    s.t.push_back(f(s.x.back()) + noise * rng.normal());
  }
  return s;
}

std::vector<Node> nodes_of(const char* text) {
  const Expr e = parse(text, {.variables = {"x"}}).value();
  return {e.nodes().begin(), e.nodes().end()};
}

std::vector<double> constants(const std::vector<Node>& nodes) {
  std::vector<double> c;
  for (const Node& node : nodes) {
    if (node.is_constant()) c.push_back(node.value);
  }
  return c;
}

ConstantFitter::Outcome fit(const FitData& data, std::vector<Node>& nodes, bool projects,
                            kernels::Target target = kernels::best_target()) {
  ConstantFitter fitter(data, target);
  fitter.set_projection(projects);
  return fitter.fit(nodes, 100);
}

struct Case {
  const char* text;
  double (*truth)(double);
};

const std::vector<Case> kCases{
    {"1*exp(-1*x) + 0.5", [](double x) { return 5 * std::exp(-0.4 * x) + 2; }},
    {"2 - 1*exp(-1*x)", [](double x) { return 3 - 2 * std::exp(-0.7 * x); }},
    {"1*exp(-1*square(x - 2.5)) + 0.1",
     [](double x) { return 4 * std::exp(-1.7 * (x - 3) * (x - 3)) + 1; }},
    {"1/(1 + exp(-1*(x - 2)))", [](double x) { return 4 / (1 + std::exp(-2 * (x - 3))); }},
    {"1*x/(1 + x)", [](double x) { return 4 * x / (2 + x); }},
    {"1*x^0.7 + 0", [](double x) { return 2 * std::pow(x, 1.3) - 1; }},
    {"(1 + 1*x)/(1 + 0.1*x)", [](double x) { return (2 + 3 * x) / (1 + 0.5 * x); }},
    {"1*exp(-2*x) + 1*exp(-0.1*x)",
     [](double x) { return 3 * std::exp(-2.5 * x) + 2 * std::exp(-0.3 * x); }},
    {"(1 + 1*x)*exp(-1*x) + x", [](double x) { return (2 + 5 * x) * std::exp(-1.4 * x) + x; }},
    {"1*x + 2", [](double x) { return 3 * x - 1; }},
    {"x - 0.5*exp(0.1*x)/(1 + x)", [](double x) { return x - 2 * std::exp(0.3 * x) / (1 + x); }},
};

// Ends at the minimum that the whole problem ends at, in fewer passes.
TEST(ProjectedFit, EndsWhereTheWholeProblemEnds) {
  for (const Case& c : kCases) {
    const Table s = table(83, 0.02, c.truth);
    const FitData data = s.data();
    auto whole = nodes_of(c.text);
    auto projected = whole;
    const auto all = fit(data, whole, false);
    const auto some = fit(data, projected, true);
    EXPECT_EQ(some.stop, StopReason::converged) << c.text;
    // Both stop at a fall of 1e-9 of the cost.
    EXPECT_LE(some.loss, all.loss * (1 + 1e-8)) << c.text;
    EXPECT_LT(some.evaluations, all.evaluations) << c.text;
    EXPECT_EQ(ConstantFitter(data, kernels::best_target()).loss(projected), some.loss) << c.text;
  }
}

// The last step is not confirmed by another pass where little can be left: a second fit finds no
// more than that.
TEST(ProjectedFit, LeavesNoMoreThanItsTolerance) {
  Rng rng(21, 0, 0);
  for (const Case& c : kCases) {
    const Table s = table(83, 0.1, c.truth);
    const FitData data = s.data();
    ConstantFitter fitter(data, kernels::best_target());
    fitter.set_projection(true);
    for (int i = 0; i < 40; ++i) {
      auto nodes = nodes_of(c.text);
      for (Node& node : nodes) {
        if (node.is_constant()) node.value *= 0.7 + 0.6 * rng.uniform();
      }
      const auto first = fitter.fit(nodes, 100);
      if (first.stop != StopReason::converged) continue;
      // 1e-9 of the cost is left where the model is off by what it last showed, one hundredth at
      // least; by three times that where terms of second and third order had cancelled.
      const double left = 1 - fitter.fit(nodes, 100).loss / first.loss;
      EXPECT_LE(left, 1e-8) << c.text << ' ' << i;
    }
  }
}

// A step that overshoots to exp(24*x) has linear constants and a cost that are the rounding of a
// sum of 1e200: it looks like a fit without any residual.
TEST(ProjectedFit, DoesNotTakeACostLostInRoundingForAFall) {
  const Table s = table(100, 0.02, kCases[7].truth);
  const FitData data = s.data();
  ConstantFitter fitter(data, kernels::best_target());
  fitter.set_projection(true);
  for (double fast = -40; fast < -4; fast += 0.5) {
    for (double slow = -1; slow < -0.1; slow += 0.1) {
      auto nodes = nodes_of("1*exp(-2*x) + 1*exp(-0.1*x)");
      std::size_t c = 0;
      for (Node& node : nodes) {
        if (node.is_constant()) node.value = std::array{1.0, fast, 1.0, slow}[c++];
      }
      const double before = fitter.loss(nodes);
      EXPECT_LT(fitter.fit(nodes, 50).loss, before / 10) << fast << ' ' << slow;
    }
  }
}

TEST(SmallFactor, SolvesWhatItFactorises) {
  Rng rng(2, 0, 0);
  for (std::size_t n = 1; n <= kSmall; ++n) {
    SmallMatrix root{};
    SmallVector truth{};
    for (std::size_t i = 0; i < n; ++i) {
      truth[i] = rng.normal();
      for (std::size_t j = 0; j <= i; ++j) root[i][j] = i == j ? 2 : rng.uniform() - 0.5;
    }
    SmallMatrix a{};
    SmallVector x{};
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < n; ++k) a[i][j] += root[i][k] * root[j][k];
        x[i] += a[i][j] * truth[j];
      }
    }
    SmallFactor factor;
    ASSERT_TRUE(factor.factorise(a, n));
    factor.forward(x, n);
    factor.backward(x, n);
    // Condition numbers below 100: a hundred times some ten roundings.
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x[i], truth[i], 1e-12);
    a[n - 1][n - 1] = n == 1 ? 0 : -1;
    EXPECT_FALSE(factor.factorise(a, n));
    a[n - 1][n - 1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(factor.factorise(a, n));
    a[n - 1][n - 1] = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(factor.factorise(a, n));
  }
}

TEST(ProjectedFit, LosesNoDigitsWhereTheResidualVanishes) {
  for (const Case& c : kCases) {
    const Table s = table(83, 0, c.truth);
    const FitData data = s.data();
    auto nodes = nodes_of(c.text);
    // Residuals of 1e-13 of the target: some hundred roundings.
    EXPECT_LT(fit(data, nodes, true).loss, 1e-25) << c.text;
  }
}

TEST(ProjectedFit, IsNeverWorseThanTheStartAndSaysWhatItCosts) {
  Rng rng(12, 0, 0);
  const Table s = table(40, 0.1, kCases[0].truth);
  const FitData data = s.data();
  ConstantFitter fitter(data, kernels::best_target());
  fitter.set_projection(true);
  for (const Case& c : kCases) {
    for (int i = 0; i < 60; ++i) {
      auto nodes = nodes_of(c.text);
      for (Node& node : nodes) {
        if (node.is_constant()) node.value = 5 * rng.normal();
      }
      const auto start = constants(nodes);
      const double before = fitter.loss(nodes);
      const auto outcome = fitter.fit(nodes, 1 + i % 9);
      if (!std::isfinite(before)) continue;
      EXPECT_LE(outcome.loss, before) << c.text;
      EXPECT_EQ(fitter.loss(nodes), outcome.loss) << c.text;
      // A second fit from there: no better start is thrown away for rounding.
      const double reached = outcome.loss;
      EXPECT_LE(fitter.fit(nodes, 3).loss, reached) << c.text;
    }
  }
}

TEST(ProjectedFit, LeavesAStartThatIsNotFiniteAlone) {
  Table s = table(30, 0.1, kCases[0].truth);
  const FitData data = s.data();
  for (const char* text : {"1*log(x - 1) + 1*x", "1e308*x*1e10*exp(1*x) + 1", "1*exp(500*x)"}) {
    auto nodes = nodes_of(text);
    const auto start = constants(nodes);
    const auto outcome = fit(data, nodes, true);
    EXPECT_EQ(outcome.stop, StopReason::not_finite) << text;
    EXPECT_TRUE(std::isinf(outcome.loss)) << text;
    EXPECT_EQ(constants(nodes), start) << text;
  }
  // exp(-x^2*b) is 0 where its argument overflows; the argument is an operator result all the same.
  s.x[7] = 1e200;
  auto hidden = nodes_of("1*exp(-1*(x*x)) + 1");
  EXPECT_EQ(fit(data, hidden, true).stop, StopReason::not_finite);
}

TEST(ProjectedFit, GivesTheSameBitsOnEveryTargetForArithmetic) {
  const Table s = table(57, 0.1, kCases[4].truth);
  const FitData data = s.data();
  for (const char* text : {"1*x/(1 + x)", "(1 + 1*x)/(1 + 0.1*x)", "1*x + 2"}) {
    auto scalar = nodes_of(text);
    auto best = scalar;
    EXPECT_EQ(fit(data, scalar, true, kernels::Target::scalar).loss, fit(data, best, true).loss);
    EXPECT_EQ(constants(scalar), constants(best));
  }
}

// What a fitter has met before has no influence: structures it keeps, and those that took their
// places.
TEST(ProjectedFit, DoesNotDependOnWhatWasFittedBefore) {
  const Table s = table(64, 0.05, kCases[0].truth);
  const FitData data = s.data();
  for (const bool projects : {false, true}) {
    ConstantFitter fitter(data, kernels::best_target());
    fitter.set_projection(projects);
    Rng rng(3, 0, 0);
    for (int i = 0; i < 400; ++i) {
      const Case& c = kCases[static_cast<std::size_t>(rng.uniform() * double(kCases.size()))];
      auto nodes = nodes_of(c.text);
      std::vector<std::uint8_t> frozen;
      for (Node& node : nodes) {
        if (!node.is_constant()) continue;
        node.value *= 0.8 + 0.4 * rng.uniform();
        frozen.push_back(rng.uniform() < 0.2 ? 1 : 0);
      }
      // More structures than a fitter has places for.
      for (int k = 0; k < i % 13; ++k) append_call(nodes, Op::neg);
      if (i % 3 == 0) frozen.clear();
      auto fresh = nodes;
      ConstantFitter alone(data, kernels::best_target());
      alone.set_projection(projects);
      const auto wanted = alone.fit(fresh, 20, frozen);
      const auto got = fitter.fit(nodes, 20, frozen);
      EXPECT_EQ(got.loss, wanted.loss) << c.text;
      EXPECT_EQ(got.evaluations, wanted.evaluations) << c.text;
      EXPECT_EQ(constants(nodes), constants(fresh)) << c.text;
    }
  }
}

}  // namespace
}  // namespace vieta
