#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "expr/operators.h"
#include "expr/parse.h"
#include "expr/print.h"
#include "fit/fit.h"
#include "fit/student_t.h"

namespace vieta {
namespace {

// A straight line through five points; the textbook gives everything in closed form.
const std::vector<double> kX{1, 2, 3, 4, 5};
const std::vector<double> kY{2.1, 3.9, 6.2, 7.8, 10.1};

FitData line() { return {{{kX.data()}, 5, 5}, kY, {}}; }

Expr formula(const char* text) {
  return parse(text, {.variables = {"x"}, .new_parameters = true}).value();
}

TEST(Fit, GivesTheTextbookLine) {
  const FitReport report = fit(formula("a*x + b"), line()).value();
  double sxx = 0, sxy = 0, rss = 0;
  const double mx = 3, my = (2.1 + 3.9 + 6.2 + 7.8 + 10.1) / 5;
  for (int i = 0; i < 5; ++i) {
    sxx += (kX[i] - mx) * (kX[i] - mx);
    sxy += (kX[i] - mx) * (kY[i] - my);
  }
  const double slope = sxy / sxx;
  for (int i = 0; i < 5; ++i) rss += std::pow(kY[i] - my - slope * (kX[i] - mx), 2);
  ASSERT_EQ(report.estimates.size(), 2U);
  // Rounding of sums of five terms, amplified by a condition number of about 5.
  EXPECT_NEAR(report.estimates[0].value, slope, 1e-13);
  EXPECT_NEAR(report.estimates[1].value, my - slope * mx, 1e-13);
  EXPECT_NEAR(report.rss, rss, 1e-13);
  EXPECT_EQ(report.dof, 3U);
  EXPECT_NEAR(report.residual_sd, std::sqrt(rss / 3), 1e-13);
  EXPECT_NEAR(report.estimates[0].std_error, std::sqrt(rss / 3 / sxx), 1e-13);
  EXPECT_NEAR(report.estimates[1].std_error, std::sqrt(rss / 3 * (1.0 / 5 + mx * mx / sxx)), 1e-13);
  EXPECT_NEAR(report.estimates[0].ci95_high - slope, 3.182446305284263 * std::sqrt(rss / 3 / sxx),
              1e-12);
  EXPECT_NEAR(report.correlation[1], -mx / std::sqrt(sxx / 5 + mx * mx), 1e-12);
  EXPECT_EQ(report.stop_reason, StopReason::converged);
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_TRUE(report.formula.symbols().parameters.empty());
}

TEST(Fit, TunesNumbersOnlyWhereThereAreNoParameters) {
  EXPECT_EQ(fit(formula("2*x + b"), line()).value().estimates.size(), 1U);
  const FitReport numbers = fit(formula("2*x + 1"), line()).value();
  ASSERT_EQ(numbers.estimates.size(), 2U);
  EXPECT_EQ(numbers.estimates[0].name, "c1");
  EXPECT_EQ(fit(formula("2*x + b"), line(), {.tune = Tune::all}).value().estimates.size(), 2U);
}

TEST(Fit, LeavesTheNumbersOfOperatorsAlone) {
  Operators operators;
  ASSERT_TRUE(operators.define("twice(a) = 2*a"));
  const Expr expr =
      parse("k*twice(x) + 1", {.variables = {"x"}, .new_parameters = true, .operators = &operators})
          .value();
  const FitReport report = fit(expr, line()).value();
  const FitReport plain = fit(formula("k*x + 1"), line()).value();
  EXPECT_NEAR(2 * report.estimates[0].value, plain.estimates[0].value, 1e-13);
  EXPECT_EQ(print(report.model), "k*twice(x) + 1");
}

TEST(Fit, SaysWhatTheDataDoNotDetermine) {
  const FitReport report = fit(formula("a*b*x"), line()).value();
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("do not determine"), std::string::npos);
  EXPECT_TRUE(std::isnan(report.estimates[0].std_error) ||
              std::isnan(report.estimates[1].std_error));
  EXPECT_EQ(report.dof, 4U);
}

TEST(Fit, ReportsOneRowAndFewerRowsThanConstants) {
  for (const std::size_t rows : {1U, 2U}) {
    const FitReport report =
        fit(formula("a*x*x + b*x + c"), {{{kX.data()}, rows, rows}, std::span(kY).first(rows), {}})
            .value();
    EXPECT_LT(report.rss, 1e-20);
    EXPECT_EQ(report.dof, 0U);
    EXPECT_TRUE(std::isnan(report.residual_sd));
    EXPECT_FALSE(report.warnings.empty());
  }
}

TEST(Fit, SigmasAreAbsoluteAndWeightsRelative) {
  const std::vector<double> weights(5, 4.0);  // sigma 0.5
  const FitData data{{{kX.data()}, 5, 5}, kY, weights};
  const FitReport relative = fit(formula("a*x + b"), data).value();
  const FitReport absolute = fit(formula("a*x + b"), data, {.absolute_sigma = true}).value();
  const FitReport plain = fit(formula("a*x + b"), line()).value();
  EXPECT_NEAR(relative.estimates[0].std_error, plain.estimates[0].std_error, 1e-13);
  EXPECT_NEAR(absolute.estimates[0].std_error, 0.5 / std::sqrt(10.0), 1e-13);
}

TEST(Fit, FindsAStartByItself) {
  std::vector<double> x, y;
  for (int i = 0; i < 40; ++i) {
    x.push_back(0.1 * i);
    y.push_back(250 * std::exp(-0.8 * x.back()) + 12);
  }
  const FitReport report = fit(formula("a*exp(-b*x) + c"), {{{x.data()}, 40, 40}, y, {}}).value();
  EXPECT_NEAR(report.estimates[0].value, 250, 1e-8);
  EXPECT_NEAR(report.estimates[1].value, 0.8, 1e-10);
  EXPECT_NEAR(report.estimates[2].value, 12, 1e-8);
}

TEST(Fit, SaysThatADefinitionDidNotEnd) {
  const Operators operators = define_all({"f(x) = x == 200 ? 7 : f(x - 1)"}).value();
  const auto endless = parse(
      "a*f(x)",
      {.variables = {"x"}, .parameters = {}, .new_parameters = true, .operators = &operators});
  const Result<FitReport> nowhere = fit(*endless, line());
  ASSERT_FALSE(nowhere.has_value());
  EXPECT_EQ(nowhere.error().code, ErrorCode::numeric);
  EXPECT_NE(nowhere.error().message.find("'f' took more than 100000 steps"), std::string::npos)
      << nowhere.error().message;
  EXPECT_EQ(fit(formula("log(a - a - 1)*x"), line()).error().message.find("steps"),
            std::string::npos);
}

TEST(Fit, RefusesWhatCannotBeFitted) {
  EXPECT_EQ(fit(formula("x"), line()).error().code, ErrorCode::usage);
  EXPECT_EQ(fit(formula("a*x"), line(), {.start = {{"q", 1.0}}}).error().code, ErrorCode::usage);
  const Result<FitReport> nowhere = fit(formula("log(a - a - 1)*x"), line());
  ASSERT_FALSE(nowhere.has_value());
  EXPECT_EQ(nowhere.error().code, ErrorCode::numeric);
  EXPECT_NE(nowhere.error().message.find("40 starts"), std::string::npos);
  const std::vector<double> zero(5, 0.0);
  EXPECT_EQ(fit(formula("a*x"), {{{kX.data()}, 5, 5}, kY, zero}).error().code, ErrorCode::data);
  std::vector<double> bad = kY;
  bad[2] = std::nan("");
  const auto nan_target = fit(formula("a*x"), {{{kX.data()}, 5, 5}, bad, {}});
  EXPECT_EQ(nan_target.error().code, ErrorCode::data);
  EXPECT_EQ(nan_target.error().place.row, 3U);
}

TEST(StudentT, MatchesTheTables) {
  // Percentage points of the t distribution; the values are known to 13 digits.
  EXPECT_NEAR(student_t_quantile(0.975, 1), 12.706204736174694, 1e-11);
  EXPECT_NEAR(student_t_quantile(0.975, 2), 4.302652729749462, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.975, 10), 2.228138851986273, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.975, 1000), 1.9623390808264078, 1e-11);
  EXPECT_NEAR(student_t_quantile(0.975, std::numeric_limits<double>::infinity()), 1.959963984540054,
              1e-12);
  EXPECT_NEAR(student_t_quantile(0.025, 10), -2.228138851986273, 1e-12);
  EXPECT_TRUE(std::isnan(student_t_quantile(0.975, 0)));
}

}  // namespace
}  // namespace vieta
