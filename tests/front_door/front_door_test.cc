// The C++ interface as a user meets it: one header, one target.

#include <gtest/gtest.h>
#include <vieta/vieta.h>

#include <cmath>
#include <vector>

namespace {

TEST(FrontDoor, EvaluatesAndDifferentiatesAFormulaMadeAtRunTime) {
  const auto expr =
      vieta::parse("x1 + k*cos(x2)", {.variables = {"x1", "x2"}, .parameters = {"k"}}).value();
  const std::vector<double> data{1, 3, 2, 4};  // columns x1, x2
  const vieta::Matrix X(data.data(), 2, 2);
  const std::vector<double> params{1.5};

  const auto y = vieta::evaluate(expr, X, params);
  ASSERT_TRUE(y.status.ok);
  EXPECT_NEAR(y.values[0], 1 + 1.5 * std::cos(2.0), 1e-15);  // two roundings

  const auto g = vieta::gradient(expr, X, params, vieta::wrt::variables);
  ASSERT_EQ(g.leaves, 2U);
  EXPECT_EQ(g.gradient_column(0)[1], 1);
  EXPECT_NEAR(g.gradient_column(1)[1], -1.5 * std::sin(4.0), 1e-15);

  const auto H = vieta::hessian(expr, X, params, vieta::wrt::all);
  ASSERT_EQ(H.leaves, 3U);
  EXPECT_NEAR(H.hessian_column(1, 1)[0], -1.5 * std::cos(2.0), 1e-15);
  EXPECT_NEAR(H.hessian_column(1, 2)[0], -std::sin(2.0), 1e-15);
  EXPECT_EQ(H.hessian_column(0, 2)[0], 0);
}

TEST(FrontDoor, TakesTheUsersOwnOperators) {
  vieta::Operators ops;
  ops.add("soft", [](auto x, auto y) { return x > y ? x * y : exp(x - y); }).value();
  ops.define("fact(n) = n <= 1 ? 1 : n*fact(n - 1)").value();
  const auto expr = vieta::parse("soft(x, y) + fact(k)",
                                 {.variables = {"x", "y"}, .parameters = {"k"}, .operators = &ops})
                        .value();
  const std::vector<double> data{1, 3, 2, 2};  // columns x, y
  const vieta::Matrix X(data.data(), 2, 2);
  const std::vector<double> params{4};
  const auto y = vieta::evaluate(expr, X, params);
  EXPECT_EQ(y.values[1], 3 * 2 + 24);
  const auto g = vieta::gradient(expr, X, params, vieta::wrt::all);
  EXPECT_EQ(g.gradient_column(0)[1], 2);
  EXPECT_NEAR(g.gradient_column(1)[0], -std::exp(-1.0), 1e-16);  // one rounding
  EXPECT_EQ(g.gradient_column(2)[0], 2 * 3 + 4 * (2 + 3));       // of 4*3*2*1, by its factors
  const auto H = vieta::hessian(expr, X, params, vieta::wrt::variables);
  EXPECT_EQ(H.hessian_column(0, 1)[1], 1);
}

TEST(FrontDoor, MultipliesDerivativesByVectors) {
  const std::vector<double> data{1, 2, 3, 4};  // x: 1 2, y: 3 4
  const vieta::Matrix X(data.data(), 2, 2);
  const auto expr = vieta::parse("x*x*y", {.variables = {"x", "y"}}).value();
  const std::vector<double> ones{1, 1};
  EXPECT_EQ(vieta::jvp(expr, X, {}, vieta::wrt::variables, ones).tangents,
            (std::vector<double>{2 * 1 * 3 + 1, 2 * 2 * 4 + 4}));
  EXPECT_EQ(vieta::vjp(expr, X, {}, vieta::wrt::variables, ones).adjoints,
            (std::vector<double>{6 + 16, 1 + 4}));
  const auto second = vieta::hvp(expr, X, {}, vieta::wrt::variables, ones);
  EXPECT_EQ(second.column(0)[1], 2 * 4 + 2 * 2);
  EXPECT_EQ(second.column(1)[1], 2 * 2);
}

TEST(FrontDoor, ViewsColumnsWhereverTheyAre) {
  const std::vector<double> a{1, 2, 3};
  const std::vector<double> b{4, 5, 6};
  const std::vector<std::span<const double>> columns{a, b};
  const auto expr = vieta::parse("a*b", {.variables = {"a", "b"}}).value();
  EXPECT_EQ(vieta::evaluate(expr, vieta::Matrix(columns)).values, (std::vector<double>{4, 10, 18}));
  const std::vector<double> shorter{1};
  const std::vector<std::span<const double>> ragged{a, shorter};
  EXPECT_THROW((void)vieta::Matrix(ragged), vieta::InternalError);
}

// The example of the interface: a callable with a branch, and its gradient.
TEST(FrontDoor, DifferentiatesACallable) {
  const auto f = [](const auto& x) { return x[0] > 1 ? x[0] * x[1] : exp(x[0] - x[1]); };
  const std::vector<double> x{2, 5};
  const auto [value, gradient] = vieta::ad::gradient(f, x);
  EXPECT_EQ(value, 10);
  EXPECT_EQ(gradient[0], 5);
  EXPECT_EQ(gradient[1], 2);
}

// The example of docs/fit.md.
TEST(FrontDoor, FitsAFormulaAndDrawsItsBands) {
  std::vector<double> t;
  std::vector<double> y;
  for (int i = 0; i < 30; ++i) {
    t.push_back(0.2 * i);
    y.push_back(3 * std::exp(-0.7 * t.back()) + 1 + (i % 2 == 0 ? 0.01 : -0.01));
  }
  const vieta::Matrix X(t.data(), t.size(), 1);
  const vieta::Expr expr =
      vieta::parse("a*exp(-b*t) + c", {.variables = {"t"}, .new_parameters = true}).value();
  const vieta::FitData data{X.view(), y, {}, vieta::parse_loss("huber:0.1").value()};
  const vieta::FitReport report = vieta::fit(expr, data, {.bounds = {{"b", {.lower = 0}}}}).value();
  EXPECT_NEAR(report.estimates[1].value, 0.7, 0.02);
  const vieta::Bands around = vieta::bands(vieta::fitted_formula(report), X.view()).value();
  EXPECT_LT(around.confidence_low[0], y[0]);
  EXPECT_GT(around.confidence_high[0], y[0] - 0.05);
  vieta::TaskPool pool(2);
  const std::vector<vieta::Expr> formulas{
      vieta::parse("2*exp(-0.5*t) + 0.5", {.variables = {"t"}}).value(),
      vieta::parse("1*t + 2", {.variables = {"t"}}).value()};
  const auto fits = vieta::fit_batch(formulas, data, pool).value();
  EXPECT_LT(fits[0].loss, fits[1].loss);
}

TEST(FrontDoor, SearchesATable) {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 1; i <= 20; ++i) {
    x.push_back(i);
    y.push_back(3.0 * i * i);
  }
  const auto table = vieta::Table::from_columns({"x", "y"}, {x, y}).value();
  const auto report =
      vieta::search(table, {.target = "y", .budget = {.evaluations = 50'000}}).value();
  EXPECT_LT(report.front.back().loss, 1e-20);
  EXPECT_EQ(vieta::search(table, {.target = "q"}).error().code, vieta::ErrorCode::usage);
}

}  // namespace
