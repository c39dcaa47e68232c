// What the field's tree engine is tested for, as formulas, inputs and results: Vieta must agree, in
// values, flags, derivatives and counts.

#include <gtest/gtest.h>
#include <vieta/vieta.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using vieta::Expr;
using vieta::Matrix;
using Column = std::vector<double>;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
// Results are given to sixteen digits, and the formulas are of a few operators of at most 1 ULP,
// well conditioned where they are judged.
constexpr double kTolerance = 2e-15;

Expr formula(const std::string& text, const vieta::Operators* ops = nullptr) {
  return vieta::parse(text, {.variables = {"x1", "x2", "x3"}, .operators = ops}).value();
}

// Rows of x1, x2, x3; what is not given is 0.
vieta::Evaluation<double> values(const Expr& expr, std::vector<Column> columns) {
  const std::size_t rows = columns.front().size();
  columns.resize(3, Column(rows, 0.0));
  const std::vector<std::span<const double>> views(columns.begin(), columns.end());
  return vieta::evaluate(expr, Matrix(views));
}

void expect_values(const Expr& expr, const std::vector<Column>& columns, const Column& wanted) {
  const auto found = values(expr, columns);
  EXPECT_TRUE(found.status.ok) << vieta::print(expr);
  ASSERT_EQ(found.values.size(), wanted.size());
  for (std::size_t r = 0; r < wanted.size(); ++r) {
    EXPECT_NEAR(found.values[r], wanted[r], kTolerance * (1 + std::fabs(wanted[r])))
        << vieta::print(expr) << " row " << r;
  }
}

TEST(EngineFacts, EveryFusedShapeIsItsElementWiseFormula) {
  struct Shape {
    const char* text;
    std::function<double(double, double, double)> value;
  };
  using std::cos, std::sin;
  const std::vector<Shape> shapes{
      {"x1*x2", [](double a, double b, double) { return a * b; }},
      {"x1*3", [](double a, double, double) { return a * 3; }},
      {"3*x2", [](double, double b, double) { return 3 * b; }},
      {"3*6", [](double, double, double) { return 18.0; }},
      {"x1*sin(x2)", [](double a, double b, double) { return a * sin(b); }},
      {"3*sin(x2)", [](double, double b, double) { return 3 * sin(b); }},
      {"sin(x1)*x2", [](double a, double b, double) { return sin(a) * b; }},
      {"sin(x1)*3", [](double a, double, double) { return sin(a) * 3; }},
      {"(x1*x2) + x3", [](double a, double b, double c) { return a * b + c; }},
      {"(3*x2) + x3", [](double, double b, double c) { return 3 * b + c; }},
      {"(x1*3) + x3", [](double a, double, double c) { return a * 3 + c; }},
      {"(x1*x2) + 3", [](double a, double b, double) { return a * b + 3; }},
      {"x1 + (x2*x3)", [](double a, double b, double c) { return a + b * c; }},
      {"3 + (x2*x3)", [](double, double b, double c) { return 3 + b * c; }},
      {"x1 + (3*x3)", [](double a, double, double c) { return a + 3 * c; }},
      {"x1 + (x2*3)", [](double a, double b, double) { return a + b * 3; }},
      {"cos(x1*x2)", [](double a, double b, double) { return cos(a * b); }},
      {"cos(x1*3)", [](double a, double, double) { return cos(a * 3); }},
      {"cos(3*x2)", [](double, double b, double) { return cos(3 * b); }},
      {"cos(3*-0.5)", [](double, double, double) { return cos(-1.5); }},
      {"cos(sin(x1))", [](double a, double, double) { return cos(sin(a)); }},
      {"cos(sin(3))", [](double, double, double) { return cos(sin(3.0)); }},
      {"(sin(cos(sin(cos(x1)*x3)*3)*-0.5) + 2)*5",
       [](double a, double, double c) { return (sin(cos(sin(cos(a) * c) * 3) * -0.5) + 2) * 5; }},
  };
  std::mt19937_64 source(1);
  std::normal_distribution<double> normal;
  std::vector<Column> x(3, Column(100));
  for (Column& column : x) {
    for (double& v : column) v = normal(source);
  }
  for (const Shape& shape : shapes) {
    Column wanted;
    for (std::size_t r = 0; r < 100; ++r) wanted.push_back(shape.value(x[0][r], x[1][r], x[2][r]));
    expect_values(formula(shape.text), x, wanted);
  }
}

TEST(EngineFacts, ValuesAtGivenPoints) {
  expect_values(formula("x1 + x2*x3"), {{1, 2}, {3, 4}, {5, 6}}, {16, 26});
  expect_values(formula("0.5*x1 + cos(x2 - 0.2)"), {{1, 2, 3}, {4, 5, 6}},
                {-0.29096771191441684, 1.0874989834394464, 2.385519516941319});
  expect_values(formula("cos(2.1*x1) + sin(x2)"), {Column(10, 1), Column(10, 1)},
                Column(10, 0.33662488020803893));
  expect_values(formula("max(x1, x2)"), {{1, 3}, {2, 1}}, {2, 3});
  expect_values(formula("min(x1, x2)"), {{1, 3}, {2, 1}}, {1, 1});
  expect_values(formula("fmod(x1, x2)"), {{5, 3}, {7, 2}}, {5, 1});
  expect_values(formula("clamp(x1, 0, 1)"), {{-0.5, 0.5, 1.5}}, {0, 0.5, 1});
  for (const auto& [text, wanted] :
       std::vector<std::pair<std::string, double>>{{"x1^1", 2},
                                                   {"x1^0", 1},
                                                   {"x1^-1", 0.5},
                                                   {"x1^3", 8},
                                                   {"x1^-3", 0.125},
                                                   {"sin(x1^2)", -0.7568024953079282},
                                                   {"(x1^2)*x2", 12},
                                                   {"x1*x2*x3", 24},
                                                   {"x1^x2", 8}}) {
    expect_values(formula(text), {{2}, {3}, {4}}, {wanted});
  }
}

TEST(EngineFacts, OperatorsOfTheUserOfAnyArity) {
  vieta::Operators ops;
  ASSERT_TRUE(ops.add("cubed", [](auto x, auto y) { return x + y * y * y; }));
  ASSERT_TRUE(ops.define("t(x, y, z) = x*y - z"));
  ASSERT_TRUE(ops.define("b(x, y) = x^2 + y"));
  ASSERT_TRUE(ops.define("max3(x, y, z) = max(max(x, y), z)"));
  expect_values(formula("cubed(x1, sin(x2) + 0.3)", &ops), {{1}, {1}}, {2.487286478935302});
  expect_values(formula("t(sin(0.5), 1.5, b(0.5, 2.5))", &ops), {{0}}, {-2.0308616920936955});
  expect_values(formula("max3(cos(x1), x2*x3, x2 + 1.5)", &ops), {{1}, {2}, {3}}, {6});
}

TEST(EngineFacts, AHundredEqualOperatorsAreNoOther) {
  vieta::Operators ops;
  for (int i = 1; i <= 100; ++i) {
    ASSERT_TRUE(ops.define("u" + std::to_string(i) + "(x) = x^2"));
    ASSERT_TRUE(ops.define("v" + std::to_string(i) + "(x, y) = x + y"));
  }
  expect_values(formula("u1(v50(3, x2))", &ops), {{0, 0}, {1, -4}}, {16, 1});
}

TEST(EngineFacts, WhatIsNotFiniteIsToldAndThrowsNothing) {
  EXPECT_FALSE(values(formula("exp(exp(exp(exp(x1 + 1))))"), {Column(10, 100)}).status.ok);
  EXPECT_FALSE(values(formula("cos(x1/0)"), {Column(10, 100)}).status.ok);
  EXPECT_FALSE(values(formula("1/0"), {{1}}).status.ok);
  EXPECT_FALSE(values(formula("log(x1)"), {{-1}}).status.ok);
  EXPECT_TRUE(std::isnan(values(formula("sin(x1/0)"), {{1}}).values[0]));
  for (const double odd : {kInf, -kInf, kNaN}) {
    EXPECT_FALSE(values(formula("cos(x1 + x2)"), {{100}, {odd}}).status.ok);
    for (const char* text : {"min(x1/x2, x3)", "min(x1, x2/x3)", "min(x1, min(x2, x3))"}) {
      EXPECT_FALSE(values(formula(text), {{odd}, {1}, {1}}).status.ok) << text;
      EXPECT_FALSE(values(formula(text), {{1}, {odd}, {1}}).status.ok) << text;
      EXPECT_FALSE(values(formula(text), {{1}, {1}, {odd}}).status.ok) << text;
    }
  }
  EXPECT_FALSE(values(formula("min(x1/x2, x3)"), {{1}, {0}, {2}}).status.ok);
  EXPECT_FALSE(values(formula("min(x1, x2/x3)"), {{2}, {1}, {0}}).status.ok);
  // The sum of the results overflows, the results do not.
  EXPECT_TRUE(values(formula("x1"), {{1e308, 1e308}}).status.ok);
  // An infinity that the result hides.
  const auto hidden = values(formula("exp(x1/x2)"), {{-1}, {0}});
  EXPECT_FALSE(hidden.status.ok);
  EXPECT_EQ(hidden.values[0], 0);
}

TEST(EngineFacts, TheOtherRowsOfAFailureAreTheirValues) {
  const auto roots = values(formula("(-x2 - sqrt(x2^2 - 4*x1*x3))/(2*x3)"),
                            {{-1, -1}, {1, std::numeric_limits<double>::max()}, {1, 1}});
  EXPECT_FALSE(roots.status.ok);
  EXPECT_EQ(roots.status.first_bad_row, 1U);
  EXPECT_NEAR(roots.values[0], -std::numbers::phi, kTolerance);
  EXPECT_FALSE(std::isfinite(roots.values[1]));
}

TEST(EngineFacts, DerivativesAtGivenPoints) {
  using vieta::wrt::constants;
  using vieta::wrt::variables;
  const Expr expr = vieta::parse("0.5*x1 + cos(x2 - 0.2)", {.variables = {"x1", "x2"}}).value();
  const Column x{1, 2, 3, 4, 5, 6};
  const auto by_x = vieta::gradient(expr, Matrix(x.data(), 3, 2), {}, variables);
  // Given to six digits.
  const Column wanted{0.611858, 0.996165, 0.464602};
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_EQ(by_x.gradient_column(0)[r], 0.5);
    EXPECT_NEAR(by_x.gradient_column(1)[r], wanted[r], 5e-7);
  }
  const Column one{1, 1};
  const auto by_c = vieta::gradient(expr, Matrix(one.data(), 1, 2), {}, constants);
  EXPECT_EQ(by_c.gradient_column(0)[0], 1);
  EXPECT_NEAR(by_c.gradient_column(1)[0], 0.717356, 5e-7);
  const Column two{2, 0, 0};
  EXPECT_EQ(vieta::gradient(formula("x1^2"), Matrix(two.data(), 1, 3), {}, variables).gradient[0],
            4);
  // d sqrt(x1) + c / dc where the other derivative is infinite
  const Column zero{0, 0, 0};
  EXPECT_EQ(vieta::gradient(formula("sqrt(x1) + 2"), Matrix(zero.data(), 1, 3), {}, constants)
                .gradient[0],
            1);
}

TEST(EngineFacts, TheGradientOfAMean) {
  const Expr expr = formula("sin(x1*3.2 - 0.9) + 0.2*x2 - x3");
  const Column x{1, 2, 3, 4, 5, 6, 7, 8, 9};
  const auto g = vieta::gradient(expr, Matrix(x.data(), 3, 3), {}, vieta::wrt::constants);
  const auto mean = [](std::span<const double> v) { return (v[0] + v[1] + v[2]) / 3; };
  EXPECT_NEAR(mean(g.values), -6.76562196110383, 1e-14);
  EXPECT_NEAR(mean(g.gradient_column(0)), -0.4982921364965014, 1e-15);
  EXPECT_NEAR(mean(g.gradient_column(1)), 0.2354176308619881, 1e-15);
  EXPECT_NEAR(mean(g.gradient_column(2)), 5, 1e-15);
}

TEST(EngineFacts, AFitFindsTheConstants) {
  std::mt19937_64 source(2);
  std::uniform_real_distribution<double> uniform;
  Column x1, x2, y;
  for (int r = 0; r < 100; ++r) {
    x1.push_back(uniform(source));
    x2.push_back(uniform(source));
    y.push_back(std::exp(x1.back() * 2.1 - 0.9) - 0.9 * x2.back());
  }
  const Expr expr = vieta::parse("exp(x1*0.8 - 0.0) + 5.2*x2", {.variables = {"x1", "x2"}}).value();
  const std::vector<std::span<const double>> columns{x1, x2};
  const Matrix X(columns);
  const auto fitted = vieta::fit(expr, {X.view(), y, {}, {}});
  ASSERT_TRUE(fitted);
  ASSERT_EQ(fitted->estimates.size(), 3U);
  const Column wanted{2.1, 0.9, -0.9};
  // Where the data has no noise the constants come out to the digits of the stopping rule.
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(fitted->estimates[k].value, wanted[k], 1e-6);
  EXPECT_EQ(expr.constants(), (Column{0.8, 0, 5.2}));
}

TEST(EngineFacts, SinglePrecision) {
  const Expr f = formula("x1*x1 - cos(2.5*x2 - 0.5)");
  const Expr g = formula("exp(-(x2*x2))");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x1{0, -1, nan, 0};
  const std::vector<float> x2{0, -1, 0, 1e5F};
  const std::vector<float> x3(4);
  const vieta::ColumnsView<float> view{{x1.data(), x2.data(), x3.data()}, 4, 4};
  const auto of_f = vieta::evaluate<float>(f, view, {}, {}, 0);
  // Four units in the last place of a result near 1: three roundings and a cosine.
  EXPECT_NEAR(of_f.values[0], -0.8775826F, 2.4e-7);
  EXPECT_NEAR(of_f.values[1], 1.9899925F, 4.8e-7);
  EXPECT_TRUE(std::isnan(of_f.values[2]));
  EXPECT_EQ(of_f.status.first_bad_row, 2U);
  const auto of_g = vieta::evaluate<float>(g, view, {}, {}, 0);
  EXPECT_NEAR(of_g.values[1], 0.36787944F, 6e-8);
  EXPECT_EQ(of_g.values[3], 0);
  EXPECT_TRUE(of_g.status.ok);
}

TEST(EngineFacts, AParameterOfEachClass) {
  // A value a class is a choice by a column of classes.
  const Expr expr = vieta::parse("sin(x) + (c == 1 ? p1 : c == 2 ? p2 : p3)",
                                 {.variables = {"x", "c"}, .parameters = {"p1", "p2", "p3"}})
                        .value();
  const double pi = std::numbers::pi;
  const Column x{0, pi / 2, pi, 3 * pi / 2, 2 * pi};
  const Column params{1, 2, 3};
  for (const auto& [classes, wanted] : std::vector<std::pair<Column, Column>>{
           {{1, 1, 1, 1, 1}, {1, 2, 1, 0, 1}}, {{1, 2, 2, 3, 1}, {1, 3, 2, 2, 1}}}) {
    const std::vector<std::span<const double>> columns{x, classes};
    const auto g = vieta::gradient(expr, Matrix(columns), params, vieta::wrt::parameters);
    ASSERT_TRUE(g.status.ok);
    for (std::size_t r = 0; r < x.size(); ++r) {
      EXPECT_NEAR(g.values[r], wanted[r], kTolerance);  // pi is rounded
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_EQ(g.gradient_column(k)[r], classes[r] == static_cast<double>(k + 1) ? 1 : 0);
    }
  }
}

TEST(EngineFacts, UndefinedValuesAndDerivatives) {
  vieta::Operators ops;
  ASSERT_TRUE(ops.define("safe_log(x) = x > 0 ? log(x) : 0/0"));
  const Column minus{-1, 0, 0};
  const auto at_minus = [&](const char* text) {
    return vieta::gradient(formula(text, &ops), Matrix(minus.data(), 1, 3), {},
                           vieta::wrt::variables);
  };
  EXPECT_TRUE(std::isnan(at_minus("safe_log(x1 + 0.5)").values[0]));
  EXPECT_FALSE(at_minus("safe_log(x1 + 0.5)").status.ok);
  const auto kept = at_minus("x1 + 0.5 >= 0 ? x1 + 0.5 : 0");
  EXPECT_EQ(kept.values[0], 0);
  EXPECT_EQ(kept.gradient[0], 0);
}

TEST(EngineFacts, ConstantsAreOrderedFromLeftToRight) {
  Expr expr = formula("x1 + 0.0 - sin(x2 - 0.5)");
  EXPECT_EQ(expr.constants(), (Column{0, 0.5}));
  expr.set_constants(Column{1, 2});
  EXPECT_EQ(vieta::print(expr), "x1 + 1 - sin(x2 - 2)");
  expr.set_constants(Column{kInf, kInf});
  EXPECT_FALSE(values(expr, {{0}}).status.ok);
}

TEST(EngineFacts, FoldingAndCombining) {
  const auto simplified = [](const char* text) {
    return vieta::print(vieta::simplify(formula(text)));
  };
  EXPECT_EQ(simplified("cos(0)"), "1");
  EXPECT_EQ(simplified("sin(2 + 1 + x1)"), simplified("sin(3 + x1)"));
  EXPECT_EQ(simplified("(2 + x1) + 3"), simplified("x1 + 5"));
  EXPECT_EQ(simplified("0.5 - (0.25 - x1)"), simplified("x1 + 0.25"));
  EXPECT_EQ(simplified("(0.5 - x1) - 0.25"), simplified("0.25 - x1"));
  EXPECT_EQ(simplified("0.5 - (x1 - 0.25)"), simplified("0.75 - x1"));
  EXPECT_EQ(simplified("(x1 - 0.25) - 0.5"), simplified("x1 - 0.75"));
}

TEST(EngineFacts, DepthsAndSizes) {
  const auto depth = [](const char* text) { return formula(text).depth(); };
  EXPECT_EQ(depth("x1"), 1U);
  EXPECT_EQ(depth("x1 + x1"), 2U);
  EXPECT_EQ(depth("(x1 + x1) + (x1 + x1) + (x1 + x1)"), 4U);
  EXPECT_EQ(depth("x1 + (x1 + (x1 + (x1 + (x1 + x1))))"), 6U);
  EXPECT_EQ(depth("exp(exp(exp(x2)))"), 4U);
  const Expr expr = formula("cos(x1*3.2 - 5.8)*0.2 - 0.5*x2*x3*x3 + 0.9/(x1*x1 + 1)");
  EXPECT_EQ(expr.size(), 24U);
  EXPECT_EQ(expr.count_constants(), 6U);
}

}  // namespace
