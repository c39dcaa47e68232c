// Losses other than squares, against figures of other programs: GLM (IRLS) and QuantReg of
// statsmodels 0.15, a linear program by HiGHS, minimisers of SciPy 1.17.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/rng.h"
#include "eval/hostile.h"
#include "expr/parse.h"
#include "fit/constant_fitter.h"
#include "fit/fit.h"
#include "fit/loss_function.h"

namespace vieta {
namespace {

const std::vector<double> kX{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
// A line with two wild rows.
const std::vector<double> kLine{2.1, 3.9, 6.2, 7.8, 10.1, 30, 14.2, 15.8, 18.1, 20.2, -5, 24.1};

Expr formula(const char* text) {
  return parse(text, {.variables = {"x"}, .new_parameters = true}).value();
}

FitReport fitted(const char* text, const char* loss, const std::vector<double>& y,
                 const std::vector<double>& weights = {}, const FitOptions& options = {}) {
  const FitData data{{{kX.data()}, kX.size(), kX.size()}, y, weights, parse_loss(loss).value()};
  return fit(formula(text), data, options).value();
}

double total(const FitReport& report) { return report.loss * static_cast<double>(report.rows); }

TEST(Losses, PoissonIsTheGeneralisedLinearModel) {
  const std::vector<double> counts{2, 3, 6, 7, 8, 9, 10, 12, 15, 21, 26, 40};
  const FitReport r = fitted("exp(a + b*x)", "poisson", counts);
  // Ten digits: the other program stops at 1e-14 of the deviance, 1e-7 of the estimates' errors,
  // and one Newton step more.
  EXPECT_NEAR(r.estimates[0].value, 0.7722004471164363, 1e-10);
  EXPECT_NEAR(r.estimates[1].value, 0.2321908046164487, 1e-11);
  EXPECT_NEAR(r.estimates[0].std_error, 0.2579729978312138, 1e-9);
  EXPECT_NEAR(r.estimates[1].std_error, 0.02739047477841094, 1e-10);
  EXPECT_NEAR(total(r), 2.9579760692580814, 1e-11);
  EXPECT_EQ(r.stop_reason, StopReason::converged);
}

TEST(Losses, BinomialTakesTrialsAsWeights) {
  const std::vector<double> trials{20, 20, 18, 22, 20, 19, 21, 20, 20, 20, 20, 20};
  std::vector<double> share{1, 2, 2, 5, 6, 9, 11, 12, 15, 17, 18, 19};
  for (std::size_t r = 0; r < share.size(); ++r) share[r] /= trials[r];
  const FitReport r = fitted("logistic(a + b*x)", "binomial", share, trials);
  EXPECT_NEAR(r.estimates[0].value, -3.332360938592192, 1e-9);
  EXPECT_NEAR(r.estimates[1].value, 0.49883240691005654, 1e-10);
  EXPECT_NEAR(r.estimates[0].std_error, 0.43977154858932127, 1e-8);
  EXPECT_NEAR(r.estimates[1].std_error, 0.06141120415142703, 1e-9);
  double sum = 0;
  for (const double t : trials) sum += t;
  EXPECT_NEAR(r.loss * sum, 0.9061839446597736, 1e-11);
}

TEST(Losses, FractionsOfZeroAndOneAndCountsOfZeroAreFine) {
  const std::vector<double> share{0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1};
  EXPECT_TRUE(std::isfinite(fitted("logistic(a + b*x)", "binomial", share).loss));
  const std::vector<double> counts{0, 0, 1, 0, 2, 1, 3, 5, 4, 8, 9, 12};
  EXPECT_TRUE(std::isfinite(fitted("exp(a + b*x)", "poisson", counts).loss));
}

TEST(Losses, LeastAbsoluteDeviationsAndQuantilesMeetRowsExactly) {
  // The linear program's corner, so to rounding.
  const FitReport l1 = fitted("a + b*x", "l1", kLine);
  EXPECT_NEAR(l1.estimates[0].value, 0.1, 1e-12);
  EXPECT_NEAR(l1.estimates[1].value, 2, 1e-12);
  EXPECT_NEAR(l1.loss, 2 * 1.9208333333333334, 1e-12);
  // Six digits, because the other program ends 1e-7 beside the corner; it counts the rows that it
  // meets by their sign there, and here they count as below.
  EXPECT_NEAR(l1.estimates[1].std_error, 0.0491032229616668, 1e-6 * 0.0491);
  EXPECT_NEAR(l1.estimates[0].std_error, 0.3613900362458319, 1e-9);
  EXPECT_NEAR(l1.estimates[1].std_error, 0.04910323660918062, 1e-10);
  const FitReport q90 = fitted("a + b*x", "quantile:0.9", kLine);
  EXPECT_NEAR(q90.loss, 1.5741666666666665, 1e-12);
  const FitReport q25 = fitted("a + b*x", "quantile:0.25", kLine);
  EXPECT_NEAR(q25.estimates[0].value, -0.06666666666666703, 1e-11);
  EXPECT_NEAR(q25.estimates[1].value, 1.9833333333333334, 1e-12);
  EXPECT_NEAR(q25.loss, 2.1013888888888888, 1e-12);
  // Its bandwidth would reach below 0 and is halved, as R's quantreg does.
  EXPECT_NEAR(q25.estimates[1].std_error, 0.04860682691431278, 1e-10);
}

TEST(Losses, HuberAndLogCoshAreSmoothAndRobust) {
  const FitReport huber = fitted("a + b*x", "huber:1.5", kLine);
  EXPECT_NEAR(huber.estimates[0].value, 0.37543422408023025, 1e-6);
  EXPECT_NEAR(huber.estimates[1].value, 1.9466501255955238, 1e-7);
  EXPECT_NEAR(total(huber), 65.19044665012406, 1e-10);
  const FitReport cosh = fitted("a + b*x", "log_cosh", kLine);
  EXPECT_NEAR(cosh.estimates[0].value, 0.25568685299405286, 1e-6);
  EXPECT_NEAR(cosh.estimates[1].value, 1.9663796171725398, 1e-7);
  EXPECT_NEAR(total(cosh), 43.65924944156523, 1e-10);
  EXPECT_GT(huber.estimates[1].std_error, 0);
}

TEST(Losses, ATextDoesWhatTheBuiltInOneDoes) {
  const struct {
    const char* text;
    const char* built_in;
  } pairs[] = {{"(prediction - target)^2", "l2"},
               {"abs(f - y)", "l1"},
               {"if(y > f, 0.25*(y - f), 0.75*(f - y))", "quantile:0.25"},
               {"log(cosh(prediction - target))", "log_cosh"}};
  for (const auto& pair : pairs) {
    const FitReport text = fitted("a + b*x", pair.text, kLine);
    const FitReport built_in = fitted("a + b*x", pair.built_in, kLine);
    EXPECT_NEAR(text.loss, built_in.loss, 1e-12 * built_in.loss) << pair.text;
    EXPECT_NEAR(text.estimates[1].value, built_in.estimates[1].value, 1e-7) << pair.text;
  }
}

TEST(Losses, ACallableDoesWhatTheBuiltInOneDoes) {
  const struct {
    Loss callable;
    const char* built_in;
  } pairs[] = {{loss_function("mine", [](auto f, auto y) { return (f - y) * (f - y); }), "l2"},
               {loss_function("mine", [](auto f, auto y) { return f > y ? f - y : y - f; }), "l1"},
               {loss_function("mine",
                              [](auto f, auto y) {
                                const auto r = f - y;
                                if (r > 1.5) return 1.5 * (r - 0.75);
                                if (r < -1.5) return -1.5 * (r + 0.75);
                                return r * r / 2;
                              }),
                "huber:1.5"}};
  for (const auto& pair : pairs) {
    const FitData data{{{kX.data()}, kX.size(), kX.size()}, kLine, {}, pair.callable};
    const FitReport callable = fit(formula("a + b*x"), data).value();
    const FitReport built_in = fitted("a + b*x", pair.built_in, kLine);
    EXPECT_NEAR(callable.loss, built_in.loss, 1e-12 * built_in.loss) << pair.built_in;
    EXPECT_NEAR(callable.estimates[1].value, built_in.estimates[1].value, 1e-7) << pair.built_in;
  }
}

TEST(Losses, ACallableLikelihoodHasItsStandardErrors) {
  const std::vector<double> counts{2, 3, 6, 7, 8, 9, 10, 12, 15, 21, 26, 40};
  const Loss poisson = loss_function(
      "poisson by hand", [](auto f, auto y) { return 2 * (f - y * log(f)); },
      LossFamily::likelihood);
  const FitData data{{{kX.data()}, kX.size(), kX.size()}, counts, {}, poisson};
  const FitReport r = fit(formula("exp(a + b*x)"), data).value();
  EXPECT_NEAR(r.estimates[1].value, 0.2321908046164487, 1e-9);
  EXPECT_NEAR(r.estimates[1].std_error, 0.02739047477841094, 1e-9);
  EXPECT_LT(r.loss, 0);  // a sum that is negative is no reason to stop
}

TEST(Losses, EveryPassOverTheDataIsCountedOnce) {
  if (hostile_tile_rows() > 0)
    GTEST_SKIP() << "a pass is one call only where all rows are one tile";
  const std::vector<double> counts{2, 3, 6, 7, 8, 9, 10, 12, 15, 21, 26, 40};
  const auto likelihood = LossFamily::likelihood;
  const struct {
    Loss loss;
    std::uint64_t besides;  // four that look for kinks, and one for the pulls of a sandwich
  } cases[] = {
      {loss_function("kinked", [](auto f, auto y) { return f > y ? f - y : y - f; }), 5},
      {loss_function("smooth", [](auto f, auto y) { return (f - y) * (f - y) / 3; }), 5},
      {loss_function("likely", [](auto f, auto y) { return f - y * log(f); }, likelihood), 4}};
  for (const auto& c : cases) {
    std::uint64_t calls = 0;  // one a pass: the rows are one tile
    Loss counted = c.loss;
    counted.function = [&](const double* f, const double* y, std::size_t rows, int order,
                           double* const* results) {
      ++calls;
      c.loss.function(f, y, rows, order, results);
    };
    const FitData data{{{kX.data()}, kX.size(), kX.size()}, counts, {}, counted};
    const bool profile = counted.family == likelihood;
    const FitReport r = fit(formula("exp(a + b*x)"), data, {.profile = profile}).value();
    EXPECT_EQ(r.n_evaluations + c.besides, calls) << counted.name;
  }
}

TEST(Losses, ANegativeCostHasItsProfileToo) {
  const std::vector<double> counts{2, 3, 6, 7, 8, 9, 10, 12, 15, 21, 26, 40};
  const FitReport deviance = fitted("exp(a + b*x)", "poisson", counts, {}, {.profile = true});
  // With the second, a millionth of the cost is more than the whole rise to the ends.
  for (const double constant : {0.0, -1e6}) {
    const Loss by_hand = loss_function(
        "poisson by hand", [constant](auto f, auto y) { return 2 * (f - y * log(f)) + constant; },
        LossFamily::likelihood);
    const FitData data{{{kX.data()}, kX.size(), kX.size()}, counts, {}, by_hand};
    const FitReport r = fit(formula("exp(a + b*x)"), data, {.profile = true}).value();
    ASSERT_LT(r.loss, 0);
    EXPECT_TRUE(r.warnings.empty()) << r.warnings.front();
    for (std::size_t i = 0; i < 2; ++i) {
      // Ends are found to 1e-8 of the width, below 1; the cost is known to 1e-9 with the constant.
      const double tolerance = constant == 0 ? 2e-8 : 1e-6;
      const Estimate& wanted = deviance.estimates[i];
      EXPECT_NEAR(r.estimates[i].profile95_low, wanted.profile95_low, tolerance) << i;
      EXPECT_NEAR(r.estimates[i].profile95_high, wanted.profile95_high, tolerance) << i;
    }
  }
}

TEST(Losses, NonlinearFormulasUnderEveryLoss) {
  Rng rng(3, 0, 0);
  std::vector<double> y;
  for (const double x : kX) y.push_back(5 * std::exp(-0.3 * x) + 1 + 0.01 * rng.normal());
  for (const char* loss :
       {"l1", "huber:0.02", "log_cosh", "quantile:0.5", "abs(f - y)^1.5", "poisson"}) {
    const FitReport r = fitted("a*exp(-b*x) + c", loss, y);
    EXPECT_NEAR(r.estimates[0].value, 5, 0.2) << loss;  // the noise is 0.01 on twelve rows
    EXPECT_NEAR(r.estimates[1].value, 0.3, 0.02) << loss;
    EXPECT_EQ(r.stop_reason, StopReason::converged) << loss;
  }
}

TEST(Losses, RowsOfWeightZeroDoNotCount) {
  std::vector<double> weights(kX.size(), 1.0);
  weights[5] = weights[10] = 0;
  for (const char* loss : {"l1", "huber:1", "log_cosh", "l2"}) {
    const FitReport r = fitted("a + b*x", loss, kLine, weights);
    EXPECT_EQ(r.rows, 10U);
    EXPECT_NEAR(r.estimates[1].value, 2, 0.02) << loss;
  }
}

TEST(Losses, TheSearchFitterUsesThemToo) {
  const FitData data{{{kX.data()}, kX.size(), kX.size()}, kLine, {}, parse_loss("l1").value()};
  ConstantFitter fitter(data, kernels::best_target());
  const Expr start = formula("1*x + 0.5");
  std::vector<Node> nodes(start.nodes().begin(), start.nodes().end());
  const double before = fitter.loss(nodes);
  const auto outcome = fitter.fit(nodes, 100);
  EXPECT_LT(outcome.loss, before);
  EXPECT_EQ(fitter.loss(nodes), outcome.loss);
  // Within the rounding of the kink, 1e-4 of the spread.
  EXPECT_NEAR(outcome.loss, 2 * 1.9208333333333334, 1e-3);
}

TEST(Losses, WhatIsNoneIsRefused) {
  for (const char* text : {"l3", "huber", "huber:0", "huber:-1", "huber:x", "quantile:1", "l2:3",
                           "target", "f - z", "", "abs(f -", "quantile"}) {
    const auto loss = parse_loss(text);
    ASSERT_FALSE(loss.has_value()) << text;
    EXPECT_EQ(loss.error().code, ErrorCode::usage) << text;
  }
  EXPECT_NE(parse_loss("l3").error().message.find("huber:d"), std::string::npos);
  const std::vector<double> negative{1, -1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const FitData data{
      {{kX.data()}, kX.size(), kX.size()}, negative, {}, parse_loss("poisson").value()};
  const auto refused = fit(formula("a*x"), data);
  EXPECT_EQ(refused.error().code, ErrorCode::data);
  EXPECT_EQ(refused.error().place.row, 2U);
}

}  // namespace
}  // namespace vieta
