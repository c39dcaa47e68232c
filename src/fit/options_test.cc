// Bounds, fixed and tied parameters, intervals from the likelihood, and data that try to break a
// fit.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "expr/parse.h"
#include "expr/print.h"
#include "fit/fit.h"

namespace vieta {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const std::vector<double> kX{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
const std::vector<double> kDecay{4.7, 3.72, 3.05, 2.52, 2.1, 1.85,
                                 1.6, 1.44, 1.34, 1.25, 1.2, 1.13};

Expr formula(const char* text) {
  return parse(text, {.variables = {"x"}, .new_parameters = true}).value();
}

FitData decay(const std::vector<double>& weights = {}) {
  return {{{kX.data()}, kX.size(), kX.size()}, kDecay, weights};
}

Result<FitReport> fit_decay(const FitOptions& options) {
  return fit(formula("a*exp(-b*x) + c"), decay(), options);
}

bool warned(const FitReport& report, const char* of) {
  for (const std::string& w : report.warnings) {
    if (w.find(of) != std::string::npos) return true;
  }
  return false;
}

TEST(FitOptions, BoundsHold) {
  // Without bounds c is 0.9972; scipy.optimize.least_squares ends at the bound too.
  const FitReport r = fit_decay({.bounds = {{"c", {.upper = 0.95}}}}).value();
  EXPECT_EQ(r.estimates[2].value, 0.95);
  EXPECT_NEAR(r.estimates[0].value, 4.97117024, 1e-7);
  EXPECT_NEAR(r.estimates[1].value, 0.28771187, 1e-8);
  EXPECT_NEAR(r.rss, 0.005324245326436981, 1e-12);
  EXPECT_TRUE(std::isnan(r.estimates[2].std_error));
  EXPECT_GT(r.estimates[0].std_error, 0);
  EXPECT_TRUE(warned(r, "at its bound: c"));
  const FitReport inside = fit_decay({.bounds = {{"c", {.lower = 0.9, .upper = 1.1}}}}).value();
  EXPECT_NEAR(inside.estimates[2].value, fit_decay({}).value().estimates[2].value, 1e-9);
}

TEST(FitOptions, AnExponentStaysInItsBounds) {
  std::vector<double> y;
  for (const double x : kX) y.push_back(x * x);
  const FitData data{{{kX.data()}, kX.size(), kX.size()}, y, {}};
  const FitReport r =
      fit(formula("k*x^a"), data, {.bounds = {{"a", {.lower = 0, .upper = 1}}}}).value();
  EXPECT_EQ(r.estimates[1].value, 1);
}

TEST(FitOptions, FixedParametersKeepTheirValue) {
  const FitReport r = fit_decay({.fixed = {{"c", 0.95}}}).value();
  ASSERT_EQ(r.estimates.size(), 2U);
  EXPECT_NEAR(r.estimates[0].value, 4.97117024, 1e-7);
  EXPECT_EQ(r.fixed.front().second, 0.95);
  EXPECT_NE(print(r.formula).find("0.95"), std::string::npos);
  EXPECT_EQ(r.dof, 10U);
  // Numbers are named from the left.
  const FitReport number =
      fit(formula("5*exp(-0.3*x) + 1"), decay(), {.fixed = {{"c3", 0.95}}}).value();
  EXPECT_NEAR(number.rss, r.rss, 1e-12);
}

TEST(FitOptions, TiedParametersFollow) {
  const FitReport free = fit_decay({}).value();
  const FitReport r = fit_decay({.tied = {{"c", "d/2"}, {"a", "c*q"}}}).value();
  ASSERT_EQ(r.estimates.size(), 3U);  // b, and d and q, which the ties bring in
  EXPECT_NEAR(r.rss, free.rss, 1e-12);
  ASSERT_EQ(r.tied.size(), 2U);
  EXPECT_EQ(r.tied[0].name, "a");
  EXPECT_NEAR(r.tied[0].value, free.estimates[0].value, 1e-7);
  EXPECT_NEAR(r.tied[0].std_error, free.estimates[0].std_error, 1e-6);
  EXPECT_NEAR(r.tied[1].std_error, free.estimates[2].std_error, 1e-6);
}

TEST(FitOptions, ProfileIntervalsAreThoseOfTheLikelihood) {
  const FitReport r = fit_decay({.profile = true}).value();
  // scipy: the root of the profile, each point refitted by least_squares.
  const double low[] = {4.926001947912238, 0.29006268277698455, 0.9652394101772737};
  const double high[] = {5.040437764603189, 0.3067617937170659, 1.0281117916000273};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(r.estimates[i].profile95_low, low[i], 2e-7 * std::fabs(low[i])) << i;
    EXPECT_NEAR(r.estimates[i].profile95_high, high[i], 2e-7 * std::fabs(high[i])) << i;
  }
  // A line: both kinds of interval are the same.
  const FitReport line = fit(formula("a*x + b"), decay(), {.profile = true}).value();
  EXPECT_NEAR(line.estimates[0].profile95_low, line.estimates[0].ci95_low, 1e-7);
  EXPECT_NEAR(line.estimates[1].profile95_high, line.estimates[1].ci95_high, 1e-7);
}

TEST(FitOptions, AProfileThatNeverEndsIsInfinite) {
  // For large b the model is a step at x = 1 already: the data bound b on one side only.
  const std::vector<double> y{2.1, 1, 1.1, 0.9, 1, 1.05, 0.95, 1, 1, 1.02, 0.98, 1};
  const FitData data{{{kX.data()}, kX.size(), kX.size()}, y, {}};
  const FitReport r =
      fit(formula("exp(-b*(x - 1)) + 1"), data, {.start = {{"b", 3}}, .profile = true}).value();
  EXPECT_TRUE(std::isfinite(r.estimates[0].profile95_low));
  EXPECT_EQ(r.estimates[0].profile95_high, kInfinity);
}

TEST(FitOptions, WhatMakesNoSenseIsRefused) {
  const auto refused = [](const FitOptions& options) {
    const auto report = fit_decay(options);
    return !report && report.error().code == ErrorCode::usage;
  };
  EXPECT_TRUE(refused({.fixed = {{"q", 1}}}));
  EXPECT_TRUE(refused({.fixed = {{"a", 1}, {"b", 1}, {"c", 1}}}));
  EXPECT_TRUE(refused({.bounds = {{"q", {}}}}));
  EXPECT_TRUE(refused({.bounds = {{"a", {.lower = 2, .upper = 1}}}}));
  EXPECT_TRUE(refused({.start = {{"a", 5}}, .bounds = {{"a", {.lower = 0, .upper = 1}}}}));
  EXPECT_TRUE(refused({.tied = {{"q", "a"}}}));
  EXPECT_TRUE(refused({.tied = {{"a", "b +"}}}));
  EXPECT_TRUE(refused({.tied = {{"a", "2*b"}, {"b", "a + c"}}}));
  EXPECT_TRUE(refused({.tied = {{"a", "a + 1"}}}));
  FitData robust = decay();
  robust.loss = parse_loss("huber:1").value();
  EXPECT_EQ(fit(formula("a*x"), robust, {.profile = true}).error().code, ErrorCode::usage);
}

TEST(FitEdges, WeightsOfAnySize) {
  const FitReport plain = fit(formula("a*exp(-b*x) + c"), decay()).value();
  for (const double w : {1e-300, 1e300}) {
    const std::vector<double> weights(kX.size(), w);
    const FitReport r = fit(formula("a*exp(-b*x) + c"), decay(weights)).value();
    EXPECT_NEAR(r.estimates[1].value, plain.estimates[1].value, 1e-10);
    EXPECT_NEAR(r.estimates[1].std_error, plain.estimates[1].std_error, 1e-10);
    EXPECT_NEAR(r.loss, plain.loss, 1e-12);
  }
  std::vector<double> mixed(kX.size(), 1e300);
  mixed[0] = 1e-300;
  mixed[1] = 0;
  EXPECT_NEAR(fit(formula("a*exp(-b*x) + c"), decay(mixed)).value().estimates[2].value, 0.99, 0.05);
}

TEST(FitEdges, DuplicatedColumnsAndIdleConstantsAreNamed) {
  const FitData twice{{{kX.data(), kX.data()}, kX.size(), kX.size()}, kDecay, {}};
  const Expr both =
      parse("a*x + b*z + c", {.variables = {"x", "z"}, .new_parameters = true}).value();
  const FitReport r = fit(both, twice).value();
  EXPECT_TRUE(warned(r, "do not determine"));
  EXPECT_NEAR(r.estimates[0].value + r.estimates[1].value,
              fit(formula("a*x + c"), decay()).value().estimates[0].value, 1e-10);
  const FitReport idle = fit(formula("a*x + floor(q)*0 + c"), decay()).value();
  EXPECT_TRUE(warned(idle, "do not determine q"));
}

TEST(FitEdges, ConstantTargetsAndSingleRows) {
  const std::vector<double> ones(kX.size(), 1.0);
  const FitData constant{{{kX.data()}, kX.size(), kX.size()}, ones, {}};
  const FitReport r = fit(formula("a*x + b"), constant).value();
  EXPECT_NEAR(r.estimates[0].value, 0, 1e-14);
  EXPECT_NEAR(r.estimates[1].value, 1, 1e-14);
  for (const char* loss : {"l1", "huber:1", "log_cosh", "poisson"}) {
    FitData other = constant;
    other.loss = parse_loss(loss).value();
    EXPECT_NEAR(fit(formula("a*x + b"), other).value().estimates[1].value, 1, 1e-6) << loss;
  }
  const FitData one{{{kX.data()}, 1, 1}, std::span(kDecay).first(1), {}};
  const FitReport single = fit(formula("a*x + b"), one).value();
  EXPECT_LT(single.rss, 1e-25);
  EXPECT_TRUE(warned(single, "do not determine"));
}

TEST(FitEdges, AStepThatOverflowsIsTakenBack) {
  std::vector<double> x;
  for (int i = 1; i <= 100; ++i) x.push_back(i);
  const std::vector<double> ones(100, 1.0);
  const FitData data{{{x.data()}, 100, 100}, ones, {}};
  // From c = 7 the start is finite (exp(700)), its square is not: said, with the start.
  const auto far = fit(formula("exp(c*x)"), data, {.start = {{"c", 7}}});
  ASSERT_FALSE(far.has_value());
  EXPECT_EQ(far.error().code, ErrorCode::numeric);
  const FitReport near = fit(formula("exp(c*x)"), data, {.start = {{"c", 3}}}).value();
  EXPECT_LE(std::fabs(near.estimates[0].value), 1e-3);
}

}  // namespace
}  // namespace vieta
