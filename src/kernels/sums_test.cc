#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/rng.h"
#include "kernels/kernel_table.h"

namespace vieta::kernels {
namespace {

std::vector<Target> targets() {
  std::vector<Target> all;
  for (const Target target : kTargets) {
    if (has_target(target)) all.push_back(target);
  }
  return all;
}

// Columns with garbage behind the rows that count.
std::vector<std::vector<double>> columns(std::size_t count, std::size_t rows) {
  Rng rng(9, static_cast<std::uint32_t>(rows), 0);
  std::vector<std::vector<double>> all(count);
  for (auto& column : all) {
    for (std::size_t r = 0; r < rows; ++r) column.push_back(rng.normal());
    column.resize(rows + kMaxLanes, std::numeric_limits<double>::quiet_NaN());
  }
  return all;
}

TEST(Sums, GramIsEveryProductAndTheSameOnEveryTarget) {
  for (const std::size_t count : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 9U, 13U}) {
    for (std::size_t rows = 0; rows <= 37; ++rows) {
      const auto all = columns(count, rows);
      std::vector<const double*> pointers;
      for (const auto& column : all) pointers.push_back(column.data());
      std::vector<double> first;
      for (const Target target : targets()) {
        std::vector<double> sums(count * count, 1.0);  // added to
        kernel_table<double>(target).add_gram(pointers.data(), count, rows, sums.data(), count);
        if (first.empty()) first = sums;
        EXPECT_EQ(sums, first) << to_text(target);
      }
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
          long double wanted = 1;
          long double size = 1;
          for (std::size_t r = 0; j <= i && r < rows; ++r) {
            wanted += static_cast<long double>(all[i][r]) * all[j][r];
            size += std::fabs(static_cast<long double>(all[i][r]) * all[j][r]);
          }
          // A sum of n terms in four parts has at most n/4 + 3 roundings.
          EXPECT_NEAR(first[i * count + j], static_cast<double>(wanted),
                      static_cast<double>(size) * 16 * 1.2e-16);
        }
      }
    }
  }
}

TEST(Sums, ResidualGramIsTheGramOfItsColumns) {
  for (const std::size_t count : {1U, 2U, 3U, 6U}) {
    for (std::size_t combined = 0; combined <= count; ++combined) {
      for (const std::size_t rows : {0U, 1U, 2U, 3U, 4U, 7U, 8U, 21U, 100U}) {
        const auto all = columns(count + 1, rows);
        const std::vector<double> target(all[count].begin(), all[count].begin() + long(rows));
        const std::vector<double> coefficients{0.5, -2, 3, 0.25, 1, -1};
        std::vector<std::vector<double>> wanted_columns(all.begin(), all.begin() + long(count));
        wanted_columns.emplace_back(rows, 0.0);
        for (std::size_t r = 0; r < rows; ++r) {
          double v = 0.75 - target[r];
          for (std::size_t i = 0; i < combined; ++i) v += coefficients[i] * all[i][r];
          wanted_columns.back()[r] = v;
        }
        wanted_columns.emplace_back(rows, 1.0);
        const std::size_t stride = count + 2;
        std::vector<double> first;
        for (const Target t : targets()) {
          std::vector<const double*> pointers;
          for (std::size_t i = 0; i < count; ++i) pointers.push_back(all[i].data());
          pointers.push_back(nullptr);
          std::vector<double> residual(rows);
          std::vector<double> sums(stride * stride, 0.0);
          kernel_table<double>(t).residual_gram(pointers.data(), count, combined,
                                                coefficients.data(), 0.75, target.data(),
                                                residual.data(), rows, sums.data());
          if (first.empty()) first = sums;
          EXPECT_EQ(sums, first) << to_text(t);
        }
        for (std::size_t i = 0; i < stride; ++i) {
          for (std::size_t j = 0; j <= i; ++j) {
            double wanted = 0;
            double size = 0;
            for (std::size_t r = 0; r < rows; ++r) {
              wanted += wanted_columns[i][r] * wanted_columns[j][r];
              size += std::fabs(wanted_columns[i][r] * wanted_columns[j][r]);
            }
            // At most `rows` roundings here and there, 100 of 1.1e-16.
            EXPECT_NEAR(first[i * stride + j], wanted, size * 2.2e-14);
          }
        }
      }
    }
  }
}

TEST(Sums, ResidualsAndDotAgreeOnEveryTarget) {
  for (std::size_t rows = 0; rows <= 70; ++rows) {
    const auto all = columns(2, rows);
    std::vector<double> first;
    for (const Target target : targets()) {
      const auto& table = kernel_table<double>(target);
      std::vector<double> out(rows, 7.0);  // exactly rows
      const double sum = table.residuals(all[0].data(), all[1].data(), out.data(), rows);
      for (std::size_t r = 0; r < rows; ++r) EXPECT_EQ(out[r], all[0][r] - all[1][r]);
      EXPECT_EQ(sum, table.dot(out.data(), out.data(), rows));
      EXPECT_EQ(sum, table.squared_distance(all[0].data(), all[1].data(), rows));
      out.push_back(sum);
      out.push_back(table.dot(all[0].data(), all[1].data(), rows));
      if (first.empty()) first = out;
      EXPECT_EQ(out, first) << to_text(target) << ' ' << rows;
    }
  }
}

TEST(Sums, ANanOfARowIsInItsSumsOnly) {
  auto all = columns(3, 21);
  all[1][20] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<const double*> pointers{all[0].data(), all[1].data(), all[2].data()};
  for (const Target target : targets()) {
    std::vector<double> sums(9, 0.0);
    kernel_table<double>(target).add_gram(pointers.data(), 3, 21, sums.data(), 3);
    EXPECT_TRUE(std::isfinite(sums[0]) && std::isfinite(sums[6]) && std::isfinite(sums[8]));
    EXPECT_TRUE(std::isnan(sums[3]) && std::isnan(sums[4]) && std::isnan(sums[7]));
  }
}

}  // namespace
}  // namespace vieta::kernels
