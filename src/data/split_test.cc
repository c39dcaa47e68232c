#include "data/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace vieta {
namespace {

TEST(Split, PutsEveryRowOnOneSideInOrder) {
  for (std::size_t rows = 0; rows < 50; ++rows) {
    const Split split = split_rows(rows, 0.25, 3).value();
    EXPECT_TRUE(std::ranges::is_sorted(split.train));
    EXPECT_TRUE(std::ranges::is_sorted(split.validation));
    std::vector<std::size_t> all = split.train;
    all.insert(all.end(), split.validation.begin(), split.validation.end());
    std::ranges::sort(all);
    ASSERT_EQ(all.size(), rows);
    for (std::size_t i = 0; i < rows; ++i) EXPECT_EQ(all[i], i);
  }
}

TEST(Split, RoundsTheFractionAndLeavesARowOnEachSide) {
  const auto drawn = [](std::size_t rows, double fraction) {
    return split_rows(rows, fraction, 1).value().validation.size();
  };
  EXPECT_EQ(drawn(100, 0.2), 20U);
  EXPECT_EQ(drawn(10, 0.26), 3U);
  EXPECT_EQ(drawn(10, 0.0), 0U);
  EXPECT_EQ(drawn(10, 1e-9), 1U);
  EXPECT_EQ(drawn(10, 0.999), 9U);
  EXPECT_EQ(drawn(1, 0.5), 0U);
  EXPECT_EQ(drawn(0, 0.5), 0U);
}

TEST(Split, RepeatsForASeedAndDiffersBetweenSeeds) {
  const Split first = split_rows(1000, 0.3, 42).value();
  EXPECT_EQ(split_rows(1000, 0.3, 42).value().validation, first.validation);
  EXPECT_NE(split_rows(1000, 0.3, 43).value().validation, first.validation);
}

TEST(Split, DrawsEveryRowEquallyOften) {
  constexpr int kSeeds = 4000;
  constexpr double kFraction = 0.3;
  std::vector<int> count(10);
  for (int seed = 0; seed < kSeeds; ++seed) {
    const Split split =
        split_rows(count.size(), kFraction, static_cast<std::uint64_t>(seed)).value();
    for (const std::size_t row : split.validation) ++count[row];
  }
  // Five standard deviations of a binomial count.
  const double allowed = 5 * std::sqrt(kSeeds * kFraction * (1 - kFraction));
  for (const int c : count) EXPECT_NEAR(c, kSeeds * kFraction, allowed);
}

TEST(Split, RefusesWhatIsNoFraction) {
  for (const double fraction : {-0.1, 1.0, 2.0, std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()}) {
    const auto split = split_rows(10, fraction, 1);
    ASSERT_FALSE(split.has_value()) << fraction;
    EXPECT_EQ(split.error().code, ErrorCode::usage);
  }
  EXPECT_EQ(split_rows(10, 1.5, 1).error().message,
            "met a validation fraction of 1.5, wanted one from 0 to below 1");
}

}  // namespace
}  // namespace vieta
