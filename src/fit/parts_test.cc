// What a fit is made of: linear unknowns, starts, batches, bands, criteria.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/rng.h"
#include "expr/parse.h"
#include "fit/bands.h"
#include "fit/batch.h"
#include "fit/criteria.h"
#include "fit/fit.h"
#include "fit/starts.h"
#include "fit/variable_projection.h"
#include "program/lower.h"

namespace vieta {
namespace {

const std::vector<double> kX{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
const std::vector<double> kDecay{4.7, 3.72, 3.05, 2.52, 2.1, 1.85,
                                 1.6, 1.44, 1.34, 1.25, 1.2, 1.13};

FitData decay() { return {{{kX.data()}, kX.size(), kX.size()}, kDecay, {}}; }

Expr formula(const char* text) {
  return parse(text, {.variables = {"x"}, .new_parameters = true}).value();
}

std::vector<std::uint8_t> linear(const char* text) {
  const Expr expr = formula(text);
  std::vector<Leaf> leaves;
  for (std::size_t p = 0; p < expr.symbols().parameters.size(); ++p)
    leaves.push_back({Leaf::Kind::parameter, p});
  const std::vector<std::uint8_t> all(leaves.size(), 1);
  return linear_leaves(expr, leaves, all);
}

TEST(VariableProjection, FindsWhatEntersLinearly) {
  using Flags = std::vector<std::uint8_t>;
  EXPECT_EQ(linear("a*exp(-b*x) + c"), (Flags{1, 0, 1}));
  EXPECT_EQ(linear("a*b*x"), (Flags{1, 0}));  // one of them, not both
  EXPECT_EQ(linear("(a + b*x)/(1 + c*x)"), (Flags{1, 1, 0}));
  EXPECT_EQ(linear("if(x > 2, a, b*x) - c"), (Flags{1, 1, 1}));
  EXPECT_EQ(linear("if(x > a, b, 1)"), (Flags{0, 1}));
  EXPECT_EQ(linear("x/a + fma(b, x, c)"), (Flags{0, 1, 1}));
  EXPECT_EQ(linear("exp(a) + abs(b)"), (Flags{0, 0}));
}

TEST(VariableProjection, EndsWhereTheWholeProblemEndsInFewerPasses) {
  const Expr expr = formula("a*exp(-b*x) + c");
  const Program program = lower(expr, {.tunable = true});
  const FitData data = decay();
  FormulaProblem problem(data, kernels::Target::scalar);
  const std::vector<double> uniforms{1, 1, 0};
  const std::vector<std::uint32_t> unknowns{0, 1, 2};
  problem.set(program, uniforms, unknowns);
  std::vector<double> whole = uniforms;
  std::vector<double> projected = uniforms;
  const std::vector<std::uint8_t> flags{1, 0, 1};
  const auto all = LevenbergMarquardt().minimize(problem, whole);
  const auto some = VariableProjection().minimize(problem, flags, projected);
  EXPECT_EQ(some.stop_reason, StopReason::converged);
  EXPECT_NEAR(some.cost, all.cost, 1e-12 * all.cost);
  // A cost known to 1e-14 tells the unknowns to 1e-7 of their errors, some 1e-9 here.
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(projected[i], whole[i], 1e-7);
  EXPECT_LT(some.evaluations, all.evaluations);
}

TEST(VariableProjection, IsNeverWorseThanTheStart) {
  const Expr expr = formula("a*exp(-b*x) + c");
  const Program program = lower(expr, {.tunable = true});
  const FitData data = decay();
  FormulaProblem problem(data, kernels::best_target());
  const std::vector<std::uint32_t> unknowns{0, 1, 2};
  const std::vector<std::uint8_t> flags{1, 0, 1};
  Rng rng(5, 0, 0);
  for (int i = 0; i < 200; ++i) {
    std::vector<double> x{10 * rng.normal(), 10 * rng.normal(), 10 * rng.normal()};
    problem.set(program, x, unknowns);
    const double before = problem.cost(x);
    const auto report = VariableProjection().minimize(problem, flags, x, {.max_iterations = i % 7});
    if (!std::isfinite(before)) continue;
    EXPECT_LE(problem.cost(x), before);
    EXPECT_EQ(problem.cost(x), report.cost);
  }
}

TEST(Starts, FollowTheStructure) {
  const Expr expr = formula("exp(-b*(x - m)/s)");
  const FitData data = decay();
  const Program program = lower(expr, {.tunable = true});
  std::vector<double> uniforms;
  const Unknowns unknowns = choose_unknowns(expr, program, {}, uniforms).value();
  const Starts starts(expr, data, unknowns, uniforms, kernels::best_target(), 1);
  // m is among the values of x; both others have the scale of what stands beside them.
  EXPECT_EQ(starts.hint(1).places.size(), kX.size());
  EXPECT_EQ(starts.hint(1).places.front(), kX.front());
  EXPECT_LT(starts.hint(0).size, 1);
  EXPECT_EQ(starts.draw(5), starts.draw(5));
  EXPECT_NE(starts.draw(5), starts.draw(6));
}

TEST(Batch, IsTheSameOnAnyNumberOfThreads) {
  Rng rng(2, 0, 0);
  std::vector<Expr> formulas;
  for (int i = 0; i < 100; ++i) {
    Expr e = formula("1*exp(-0.1*x) + 0.5");
    e.set_constants(std::vector<double>{5 * rng.uniform(), -0.05 - rng.uniform(), rng.uniform()});
    formulas.push_back(e);
  }
  formulas.push_back(formula("log(0 - x)"));
  TaskPool one(1);
  TaskPool two(2);
  const FitData data = decay();
  const auto a = fit_batch(formulas, data, one).value();
  const auto b = fit_batch(formulas, data, two).value();
  const double wanted = fit(formula("a*exp(-b*x) + c"), data).value().loss;
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    EXPECT_EQ(a[i].constants, b[i].constants);
    EXPECT_EQ(a[i].loss, b[i].loss);
    if (i == 100) break;
    EXPECT_NEAR(a[i].loss, wanted, 1e-6 * wanted) << i;
  }
  EXPECT_EQ(a.back().stop_reason, StopReason::not_finite);
  EXPECT_TRUE(std::isinf(a.back().loss));
  const std::vector<Expr> wrong{formula("k*x")};
  EXPECT_EQ(fit_batch(wrong, data, one).error().code, ErrorCode::usage);
}

TEST(Bands, AreTheTextbookOnesOfALine) {
  const FitData data = decay();
  const FitReport report = fit(formula("a*x + b"), data).value();
  const Bands all = bands(fitted_formula(report), data.x).value();
  const double n = 12, mean = 6.5, sxx = 143;
  for (std::size_t r = 0; r < kX.size(); ++r) {
    const double leverage = 1 / n + (kX[r] - mean) * (kX[r] - mean) / sxx;
    const double t = 2.2281388519862735;  // 10 degrees of freedom
    EXPECT_NEAR(all.confidence_high[r] - all.value[r], t * report.residual_sd * std::sqrt(leverage),
                1e-10);
    EXPECT_NEAR(all.value[r] - all.prediction_low[r],
                t * report.residual_sd * std::sqrt(1 + leverage), 1e-10);
  }
}

TEST(Bands, SayWhatTheyCannotKnow) {
  FitData data = decay();
  const FitReport redundant = fit(formula("a*b*x"), data).value();
  EXPECT_EQ(bands(fitted_formula(redundant), data.x).error().code, ErrorCode::numeric);
  data.loss = parse_loss("poisson").value();
  const FitReport poisson = fit(formula("exp(a + b*x)"), data).value();
  const Bands all = bands(fitted_formula(poisson), data.x).value();
  EXPECT_TRUE(std::isfinite(all.confidence_low[0]));
  EXPECT_TRUE(std::isnan(all.prediction_low[0]));
}

TEST(Criteria, CompareModelsAsTheTextbookDoes) {
  const FitSize gauss{LossFamily::squares, 0.5, 10, 10, 2, 7, 11};
  EXPECT_NEAR(akaike(gauss), 10 * std::log(0.5) + 6, 1e-12);
  EXPECT_NEAR(schwarz(gauss), 10 * std::log(0.5) + 3 * std::log(10.0), 1e-12);
  const FitSize deviance{LossFamily::likelihood, 0.5, 10, 10, 2, 7, 11};
  EXPECT_NEAR(akaike(deviance), 5 + 4, 1e-12);
  const FitSize robust{LossFamily::robust, 0.5, 10, 10, 2, 7, 11};
  EXPECT_TRUE(std::isnan(akaike(robust)));
  EXPECT_TRUE(std::isfinite(description_length(robust)));
}

}  // namespace
}  // namespace vieta
