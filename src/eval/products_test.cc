#include "eval/products.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/check.h"
#include "base/rng.h"
#include "eval/reference.h"
#include "expr/parse.h"

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
