#include "fit/loss_derivatives.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/counting_new.h"
#include "base/rng.h"
#include "eval/reference.h"
#include "expr/parse.h"

namespace vieta {
namespace {

const char* const kLosses[] = {"l2",      "huber:0.3",      "log_cosh",
                               "poisson", "abs(f - y)^1.5", "quantile:0.3"};

struct Case {
  Expr expr =
      parse("a*exp(-0.7*x*b) + log(2 + b^2)", {.variables = {"x"}, .parameters = {"a", "b"}})
          .value();
  std::vector<double> parameters{1.5, 0.8};
  std::vector<Leaf> leaves{
      {Leaf::Kind::parameter, 0}, {Leaf::Kind::parameter, 1}, {Leaf::Kind::constant, 0}};
  std::vector<double> x, y, w;

  Case() {
    Rng rng(6, 0, 0);
    for (int r = 0; r < 200; ++r) {
      x.push_back(3 * rng.uniform());
      y.push_back(0.5 + 2 * rng.uniform());
      w.push_back(r % 17 == 0 ? 0 : 0.5 + rng.uniform());
    }
  }
};

// The chain rule by hand, from the reference's derivatives of the formula and of the loss.
TEST(LossDerivatives, AreThoseOfTheReference) {
  const Case c;
  const std::size_t n = c.leaves.size();
  for (const char* text : kLosses) {
    const Loss loss = parse_loss(text).value();
    const FitData data{{{c.x.data()}, c.x.size(), c.x.size()}, c.y, c.w, loss};
    const LossDerivatives got = loss_derivatives(c.expr, data, c.parameters, c.leaves, 2);
    EXPECT_TRUE(got.finite);
    // The loss of squares is not kept as a formula.
    const Expr formula =
        loss.squares() ? parse("(f - y)^2", {.variables = {"f", "y"}}).value() : loss.formula;
    long double value = 0;
    std::vector<long double> gradient(n, 0.0L);
    std::vector<long double> hessian(n * n, 0.0L);
    for (std::size_t r = 0; r < c.x.size(); ++r) {
      if (c.w[r] == 0) continue;
      const auto f =
          reference::evaluate(c.expr, std::vector<double>{c.x[r]}, c.parameters, c.leaves, 2);
      const std::vector<Leaf> prediction{{Leaf::Kind::variable, 0}};
      const auto l = reference::evaluate(
          formula, std::vector<double>{static_cast<double>(f.value), c.y[r]}, {}, prediction, 2);
      value += c.w[r] * l.value;
      for (std::size_t i = 0; i < n; ++i) {
        gradient[i] += c.w[r] * l.gradient[0] * f.gradient[i];
        for (std::size_t j = 0; j < n; ++j) {
          const std::size_t a = std::min(i, j);
          const std::size_t b = std::max(i, j);
          hessian[i * n + j] +=
              c.w[r] * (l.hessian[0] * f.gradient[i] * f.gradient[j] +
                        l.gradient[0] * f.hessian[a * n - a * (a - 1) / 2 + (b - a)]);
        }
      }
    }
    // 200 terms of size 1 to 10, each within a few ULP; the reference rounds the prediction to
    // double before the loss, which bends by 1 / |r| at most near a residual of 1e-3.
    const double tolerance = 1e-9;
    EXPECT_NEAR(got.value, static_cast<double>(value), tolerance) << text;
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(got.gradient[i], static_cast<double>(gradient[i]), tolerance) << text;
      for (std::size_t j = 0; j < n; ++j)
        EXPECT_NEAR(got.hessian[i * n + j], static_cast<double>(hessian[i * n + j]), tolerance)
            << text;
    }
  }
}

TEST(LossDerivatives, GaussNewtonIsTwiceJTransposedJForSquares) {
  const Case c;
  const FitData data{{{c.x.data()}, c.x.size(), c.x.size()}, c.y, c.w};
  const LossDerivatives got = loss_derivatives(c.expr, data, c.parameters, c.leaves, 1);
  EXPECT_TRUE(got.hessian.empty());
  long double wanted = 0;
  for (std::size_t r = 0; r < c.x.size(); ++r) {
    const auto f =
        reference::evaluate(c.expr, std::vector<double>{c.x[r]}, c.parameters, c.leaves, 1);
    wanted += 2 * c.w[r] * f.gradient[0] * f.gradient[1];
  }
  EXPECT_NEAR(got.gauss_newton[1], static_cast<double>(wanted), 1e-11);
}

TEST(LossDerivatives, SayWhereTheyAreNotFinite) {
  Case c;
  c.parameters[1] = -1000;  // exp overflows
  const FitData data{{{c.x.data()}, c.x.size(), c.x.size()}, c.y, c.w};
  EXPECT_FALSE(loss_derivatives(c.expr, data, c.parameters, c.leaves, 2).finite);
}

Expr growth(double rate) {
  return parse("a*exp(x*b*" + std::to_string(rate) + ") + log(2 + b^2)",
               {.variables = {"x"}, .parameters = {"a", "b"}})
      .value();
}

// At new numbers, without lowering the formula again.
TEST(LossGradient, IsThatOfLossDerivatives) {
  const Case c;
  const Expr expr = growth(0.2);
  for (const char* text : kLosses) {
    for (const bool weighted : {false, true}) {
      SCOPED_TRACE(text);
      const FitData data{{{c.x.data()}, c.x.size(), c.x.size()},
                         c.y,
                         weighted ? std::span<const double>(c.w) : std::span<const double>{},
                         parse_loss(text).value()};
      LossGradient loss(expr, data, c.parameters, c.leaves);
      std::vector<double> gradient(c.leaves.size());
      // The formula's first constant is the third leaf: a formula with another one is the judge.
      for (const double rate : {0.3, 0.1}) {
        Case moved;
        moved.expr = growth(rate);
        moved.parameters = {1.2, 0.9};
        const LossDerivatives wanted =
            loss_derivatives(moved.expr, data, moved.parameters, c.leaves, 1);
        const std::vector<double> point{1.2, 0.9, rate};
        const double value = loss(point, gradient);
        // Sums of 200 rows of one sign or nearly, added in another order.
        EXPECT_NEAR(value, wanted.value, 1e-13 * std::fabs(wanted.value));
        for (std::size_t i = 0; i < gradient.size(); ++i)
          EXPECT_NEAR(gradient[i], wanted.gradient[i], 1e-12 * (1 + std::fabs(wanted.gradient[i])));
      }
    }
  }
}

// Numbers of all kinds: made of others, under a choice, chosen among, divided by, used twice, used
// nowhere; rows that fill several tiles and that do not fill a vector.
TEST(LossGradient, SumsWhatFlowsToNumbers) {
  const std::vector<std::string> formulas{"2.5",
                                          "x + 1.5",
                                          "1.5 - x/0.8",
                                          "(1.5 - 0.3*2)*x + (0.5 + 1.2)/(x + 0.1*3)",
                                          "if(x > 1, 2*3*x, sqrt(0.2 - 0.1*1.5)/x) + 0.7",
                                          "if(x > 100, sqrt(0.5 - 0.5)*x, 2*x + exp(0.1*0.3))",
                                          "max(0.4*0.7, x - 1.1) + min(x, 1.2 - 0.1)*abs(0.3 - 1)",
                                          "sin(1.3*x + 0.2)*exp(-x*0.4) + log(2.1 + x^1.5)/1.7",
                                          "a*x + a/(b + x) + a*b*0.5",
                                          "x/(a/b) - b/(x/(0.3 - 1.1))"};
  Rng rng(9, 0, 0);
  for (const std::size_t rows : {1U, 3U, 64U, 1003U}) {
    std::vector<double> x(rows), y(rows), w(rows);
    for (std::size_t r = 0; r < rows; ++r) {
      x[r] = 0.2 + 2 * rng.uniform();
      y[r] = rng.uniform();
      w[r] = 0.5 + rng.uniform();
    }
    for (const std::string& text : formulas) {
      const Expr expr = parse(text, {.variables = {"x"}, .parameters = {"a", "b"}}).value();
      std::vector<Leaf> leaves{{Leaf::Kind::parameter, 0}, {Leaf::Kind::parameter, 1}};
      std::vector<double> point{1.5, 0.8};
      for (std::size_t c = 0; c < expr.count_constants(); ++c) {
        leaves.push_back({Leaf::Kind::constant, c});
        point.push_back(expr.constants()[c]);
      }
      for (const bool weighted : {false, true}) {
        for (const kernels::Target target : kernels::kTargets) {
          if (!kernels::has_target(target)) continue;
          SCOPED_TRACE(text + ", rows " + std::to_string(rows) + (weighted ? ", weighted" : "") +
                       ", " + std::string(kernels::to_text(target)));
          const FitData data{{{x.data()}, rows, rows},
                             y,
                             weighted ? std::span<const double>(w) : std::span<const double>{},
                             parse_loss("log_cosh").value()};
          const LossDerivatives wanted =
              loss_derivatives(expr, data, std::vector<double>{1.5, 0.8}, leaves, 1, target);
          LossGradient loss(expr, data, std::vector<double>{1.5, 0.8}, leaves, target);
          std::vector<double> gradient(leaves.size(), -1.0);
          for (int again = 0; again < 2; ++again) {
            // Terms of a few ULP each, of both signs, and up to a thousand of them.
            const double value = loss(point, gradient);
            EXPECT_NEAR(value, wanted.value, 1e-14 * static_cast<double>(rows));
            for (std::size_t i = 0; i < leaves.size(); ++i)
              EXPECT_NEAR(gradient[i], wanted.gradient[i], 1e-14 * static_cast<double>(rows + 9))
                  << "leaf " << i;
          }
        }
      }
    }
  }
}

TEST(LossGradient, AllocatesNothingAfterTheFirstCall) {
  const Case c;
  const Expr expr = growth(0.2);
  for (const char* text : kLosses) {
    const FitData data{{{c.x.data()}, c.x.size(), c.x.size()}, c.y, c.w, parse_loss(text).value()};
    LossGradient loss(expr, data, c.parameters, c.leaves);
    std::vector<double> gradient(c.leaves.size());
    std::vector<double> point{1.2, 0.9, 0.3};
    loss(point, gradient);
    const std::size_t before = allocations;
    for (int i = 0; i < 5; ++i) {
      point[2] += 0.01;
      loss(point, gradient);
    }
    EXPECT_EQ(allocations, before) << text;
  }
}

TEST(LossGradient, SaysWhenTheFormulaIsNotFinite) {
  const Case c;
  const Expr expr = growth(0.2);
  const FitData data{{{c.x.data()}, c.x.size(), c.x.size()}, c.y, {}, {}};
  LossGradient loss(expr, data, c.parameters, c.leaves);
  std::vector<double> gradient(c.leaves.size());
  EXPECT_TRUE(std::isinf(loss(std::vector<double>{1.0, 1.0, 1000.0}, gradient)));
  EXPECT_TRUE(std::isfinite(loss(std::vector<double>{1.0, 1.0, -1.0}, gradient)));
}

}  // namespace
}  // namespace vieta
