#include "eval/products.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/rng.h"
#include "eval/reference.h"
#include "expr/parse.h"
#include "program/lower.h"
#include "program/tile_code.h"

namespace vieta {
namespace {

struct Case {
  Expr expr = parse("k*sin(x*y) + exp(0.5*x)/y - log(m + y^2)",
                    {.variables = {"x", "y"}, .parameters = {"k", "m"}})
                  .value();
  std::vector<double> parameters{1.5, 2.0};
  std::vector<Leaf> leaves{{Leaf::Kind::variable, 0},
                           {Leaf::Kind::variable, 1},
                           {Leaf::Kind::constant, 0},
                           {Leaf::Kind::parameter, 1}};
  std::vector<double> direction{0.3, -2, 0.7, 1.1};
  std::vector<double> x, y, weights;

  explicit Case(std::size_t rows) {
    Rng rng(4, 0, 0);
    for (std::size_t r = 0; r < rows; ++r) {
      x.push_back(rng.normal());
      y.push_back(0.5 + rng.uniform());
      weights.push_back(rng.normal());
    }
  }
  ColumnsView<double> view() const { return {{x.data(), y.data()}, x.size(), x.size()}; }
  reference::Derivatives at(std::size_t r) const {
    return reference::evaluate(expr, std::vector<double>{x[r], y[r]}, parameters, leaves, 2);
  }
};

// Sums of a few terms of size 10, each within some ULP.
constexpr double kTolerance = 1e-13;

TEST(Products, AreTheReferencesDerivativesTimesTheVector) {
  const Case c(53);
  const std::size_t n = c.leaves.size();
  const auto forward = jvp<double>(c.expr, c.view(), c.parameters, c.leaves, c.direction);
  const auto reverse =
      vjp<double>(c.expr, c.view(), c.parameters, c.leaves, std::span<const double>(c.weights));
  const auto second = hvp<double>(c.expr, c.view(), c.parameters, c.leaves, c.direction);
  std::vector<long double> adjoints(n, 0.0L);
  for (std::size_t r = 0; r < c.x.size(); ++r) {
    const auto wanted = c.at(r);
    long double tangent = 0;
    for (std::size_t j = 0; j < n; ++j) {
      tangent += wanted.gradient[j] * c.direction[j];
      adjoints[j] += wanted.gradient[j] * c.weights[r];
      long double product = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t a = std::min(i, j);
        const std::size_t b = std::max(i, j);
        product += wanted.hessian[a * n - a * (a - 1) / 2 + (b - a)] * c.direction[i];
      }
      EXPECT_NEAR(second.column(j)[r], static_cast<double>(product), 10 * kTolerance);
    }
    EXPECT_NEAR(forward.tangents[r], static_cast<double>(tangent), kTolerance);
    EXPECT_NEAR(forward.values[r], static_cast<double>(wanted.value), kTolerance);
  }
  for (std::size_t j = 0; j < n; ++j)
    EXPECT_NEAR(reverse.adjoints[j], static_cast<double>(adjoints[j]), 53 * kTolerance);
  EXPECT_TRUE(forward.status.ok && reverse.status.ok && second.status.ok);
}

TEST(Products, DoNotDependOnTheThreads) {
  const Case c(50'001);
  TaskPool pool(3);
  const EvalOptions threaded{.pool = &pool};
  const std::span<const double> weights(c.weights);
  EXPECT_EQ(vjp<double>(c.expr, c.view(), c.parameters, c.leaves, weights).adjoints,
            vjp<double>(c.expr, c.view(), c.parameters, c.leaves, weights, threaded).adjoints);
  EXPECT_EQ(jvp<double>(c.expr, c.view(), c.parameters, c.leaves, c.direction).tangents,
            jvp<double>(c.expr, c.view(), c.parameters, c.leaves, c.direction, threaded).tangents);
}

TEST(Products, WhatTakesNoPartDoesNotPoison) {
  Case c(10);
  c.y[7] = 0;  // exp(..)/y is infinite there
  c.weights.assign(10, 1.0);
  c.weights[7] = 0;
  const auto reverse =
      vjp<double>(c.expr, c.view(), c.parameters, c.leaves, std::span<const double>(c.weights));
  for (const double a : reverse.adjoints) EXPECT_TRUE(std::isfinite(a));
  EXPECT_FALSE(reverse.status.ok);
  EXPECT_EQ(reverse.status.first_bad_row, 7U);
  const std::vector<double> along_m{0, 0, 0, 1};
  const auto forward = jvp<double>(c.expr, c.view(), c.parameters, c.leaves, along_m);
  EXPECT_TRUE(std::isfinite(forward.tangents[7]));
}

TEST(Products, AgreeWithTheWholeHessian) {
  const Case c(37);
  const std::vector<Leaf> leaves{{Leaf::Kind::variable, 0},
                                 {Leaf::Kind::variable, 1},
                                 {Leaf::Kind::parameter, 0},
                                 {Leaf::Kind::parameter, 1}};
  const std::vector<double> direction{0.5, -1.25, 0, 2};
  for (const char* text :
       {"x", "k", "x*y", "x*x*y + k", "if(x > y, sin(x*y), x^3*y)", "max(x, y)*x^2",
        "sqrt(x*x) + y", "clamp(x*y, -0.5, 0.5)*x", "x > 0 ? log(x)*y : y^2*x",
        "exp(-x^2 - y^2)*k/m", "fma(x, y, x*x)", "relu(x - y)^2", "2 - x", "log(exp(x) + exp(y*y))",
        "hypot(x, y)*k", "abs(x)*abs(y)"}) {
    const Expr expr = parse(text, {.variables = {"x", "y"}, .parameters = {"k", "m"}}).value();
    const auto whole = evaluate<double>(expr, c.view(), c.parameters, leaves, 2);
    const auto products = hvp<double>(expr, c.view(), c.parameters, leaves, direction);
    const std::size_t n = leaves.size();
    for (std::size_t r = 0; r < 37; ++r) {
      for (std::size_t i = 0; i < n; ++i) {
        double wanted = 0;
        double size = 1;
        for (std::size_t j = 0; j < n; ++j) {
          const double term =
              whole.hessian_column(std::min(i, j), std::max(i, j))[r] * direction[j];
          wanted += term;
          size += std::abs(term);
        }
        // The sums are taken in another order: some roundings of their largest term.
        EXPECT_NEAR(products.column(i)[r], wanted, 1e-14 * size) << text << ", row " << r;
      }
    }
  }
}

TEST(Products, AHessianTimesADirectionTakesOneSweepMore) {
  // Steps do not grow with the number of leaves: a sum of n products of neighbours.
  const auto steps = [](std::size_t n) {
    std::vector<std::string> names;
    std::string text = "1";
    for (std::size_t i = 0; i < n; ++i) {
      names.push_back("x" + std::to_string(i));
      if (i > 0) text += " + x" + std::to_string(i - 1) + "*x" + std::to_string(i);
    }
    const Program program = lower(parse(text, {.variables = names}).value());
    std::vector<Operand> leaves;
    for (std::uint32_t i = 0; i < n; ++i) leaves.push_back({Operand::Kind::variable, i});
    TileCode code;
    TileCoder().hessian_product(program, leaves, std::vector<std::uint8_t>(n, 1), code);
    return code.each_tile.size();
  };
  EXPECT_LE(steps(40), 6 * steps(8));  // 39 products against 7
}

TEST(Products, TellWhichRowsAreOk) {
  Case c(20'000);
  c.y[7] = c.y[19'000] = 0;
  std::vector<std::uint8_t> wanted(c.x.size(), 1);
  wanted[7] = wanted[19'000] = 0;
  TaskPool pool(2);
  const EvalOptions options{.row_mask = true, .pool = &pool};
  const std::span<const double> weights(c.weights);
  EXPECT_EQ(jvp<double>(c.expr, c.view(), c.parameters, c.leaves, c.direction, options).ok_rows,
            wanted);
  EXPECT_EQ(vjp<double>(c.expr, c.view(), c.parameters, c.leaves, weights, options).ok_rows,
            wanted);
  EXPECT_EQ(hvp<double>(c.expr, c.view(), c.parameters, c.leaves, c.direction, options).ok_rows,
            wanted);
}

TEST(Products, FloatsAndWrongSizes) {
  const Case c(4);
  std::vector<float> x(c.x.begin(), c.x.end());
  std::vector<float> y(c.y.begin(), c.y.end());
  const ColumnsView<float> view{{x.data(), y.data()}, 4, 4};
  const auto single = jvp<float>(c.expr, view, c.parameters, c.leaves, c.direction);
  const auto wanted = jvp<double>(c.expr, c.view(), c.parameters, c.leaves, c.direction);
  // Rounded inputs of size 1, slopes of some ten.
  for (std::size_t r = 0; r < 4; ++r) EXPECT_NEAR(single.tangents[r], wanted.tangents[r], 1e-4);
  const std::vector<double> short_direction{1};
  EXPECT_THROW((void)jvp<double>(c.expr, c.view(), c.parameters, c.leaves, short_direction),
               InternalError);
}

}  // namespace
}  // namespace vieta
