#include "fit/row_loss.h"

#include <gtest/gtest.h>

#include <vector>

#include "fit/loss_function.h"

namespace vieta {
namespace {

const std::vector<double> kTarget{1, 2, 3, 4, 5};
const std::vector<double> kMetTwice{1, 2.5, 3, 3.5, 7};

FitData data(const Loss& loss) { return {{{}, kTarget.size(), kTarget.size()}, kTarget, {}, loss}; }

TEST(RowLoss, AKinkThatIsMetHasItsMeanSlopeAndNoCurvature) {
  const struct {
    const char* loss;
    double mean_slope;
  } cases[] = {{"l1", 0}, {"quantile:0.25", 0.25}, {"abs(f - y) + 0.5*(f - y)", 0.5}};
  for (const auto& c : cases) {
    const FitData rows = data(parse_loss(c.loss).value());
    RowLoss loss(rows, kernels::Target::scalar, kTarget.size());
    ASSERT_TRUE(loss.kinked()) << c.loss;
    loss.set_rounding(0);
    const double sum = loss.sum(kMetTwice.data(), 0, kTarget.size());
    EXPECT_DOUBLE_EQ(loss.derivatives(kMetTwice.data(), 0, kTarget.size(), Curvature::exact), sum);
    for (const std::size_t r : {0U, 1U, 2U, 3U, 4U}) EXPECT_EQ(loss.bend()[r], 0) << c.loss << r;
    EXPECT_DOUBLE_EQ(loss.pull()[0], c.mean_slope / 2) << c.loss;
    EXPECT_DOUBLE_EQ(loss.pull()[2], c.mean_slope / 2) << c.loss;
  }
}

TEST(RowLoss, OnePassGivesTheSumAndItsDerivatives) {
  Loss counted = loss_function("squares", [](auto f, auto y) { return (f - y) * (f - y); });
  int passes = 0;
  counted.function = [&passes, once = counted.function](const double* prediction,
                                                        const double* target, std::size_t rows,
                                                        int order, double* const* results) {
    ++passes;
    once(prediction, target, rows, order, results);
  };
  const FitData rows = data(counted);
  RowLoss loss(rows, kernels::Target::scalar, kTarget.size());
  passes = 0;
  EXPECT_DOUBLE_EQ(loss.derivatives(kMetTwice.data(), 0, kTarget.size(), Curvature::exact), 4.5);
  EXPECT_EQ(passes, 1);
  EXPECT_DOUBLE_EQ(loss.pull()[1], 0.5);
  EXPECT_DOUBLE_EQ(loss.bend()[4], 1);
}

}  // namespace
}  // namespace vieta
