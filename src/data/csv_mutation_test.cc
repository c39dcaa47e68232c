// Damaged files must be read or refused, and what is read must be a sound table.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/rng.h"
#include "data/csv.h"

namespace vieta {
namespace {

constexpr std::string_view kCommas =
    "\xEF\xBB\xBFload_%,\"air \"\"temp\"\"\",π,note\r\n"
    "1,2.5,-3e-2,\"two\nlines, quoted\"\r\n"
    "\"4\", 5 ,+.5,x\r\n"
    "NA,inf,1e999,\r\n"
    "7,8,9,last\r\n\r\n";
constexpr std::string_view kSemicolons = "a;b;c;\n1,5;2;x\n-,5;3;\"y\";\n1e5;4;\n\n";

char interesting_byte(Rng& rng) {
  constexpr std::string_view kBytes("\",;\t\r\n .-+eE01nNaAi\0\x1F\x8B\xEF\xFF\xC3", 25);
  return rng.chance(0.7) ? kBytes[rng.below(kBytes.size())] : static_cast<char>(rng() & 0xFFU);
}

std::string mutated(std::string_view text, Rng& rng) {
  std::string copy(text);
  for (std::size_t edits = 1 + rng.below(6); edits > 0 && !copy.empty(); --edits) {
    const std::size_t at = rng.below(copy.size());
    switch (rng.below(5)) {
      case 0:
        copy[at] = interesting_byte(rng);
        break;
      case 1:
        copy.insert(at, 1, interesting_byte(rng));
        break;
      case 2:
        copy.erase(at, 1 + rng.below(4));
        break;
      case 3:
        copy.resize(at);
        break;
      default:
        copy.insert(at, copy.substr(rng.below(copy.size()), 1 + rng.below(30)));
    }
  }
  return copy;
}

void expect_sound(const Table& table, const CsvOptions& options) {
  ASSERT_GT(table.rows(), 0U);
  ASSERT_GT(table.columns(), 0U);
  for (std::size_t i = 0; i < table.columns(); ++i) {
    EXPECT_EQ(table.find(table.name(i)), i);
    const auto values = table.numeric_column(i);
    if (!values) {
      EXPECT_FALSE(values.error().message.empty());
      continue;
    }
    ASSERT_EQ(values->size(), table.rows());
    for (const double x : *values) {
      EXPECT_TRUE(std::isfinite(x) || (options.allow_missing && std::isnan(x)) ||
                  (options.allow_infinite && std::isinf(x)));
    }
  }
}

void expect_one_line(const Error& error) {
  EXPECT_FALSE(error.message.empty());
  EXPECT_LT(error.message.size(), 500U);
  EXPECT_EQ(describe(error).find('\n'), std::string::npos);
}

TEST(CsvMutation, NeitherCrashesNorGivesAnUnsoundTable) {
  Rng rng(20240, 0, 0);
  std::size_t read = 0;
  std::size_t refused = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string text = mutated(i % 2 == 0 ? kCommas : kSemicolons, rng);
    const CsvOptions options{.allow_missing = rng.chance(0.5), .allow_infinite = rng.chance(0.5)};
    const auto table = read_csv_text(text, "t.csv", options);
    if (table) {
      ++read;
      expect_sound(*table, options);
    } else {
      ++refused;
      expect_one_line(table.error());
    }
    if (testing::Test::HasFailure()) FAIL() << "after mutation " << i << ":\n" << text;
  }
  // Both happen often, or the mutations test nothing.
  EXPECT_GT(read, 1000U);
  EXPECT_GT(refused, 1000U);
}

TEST(CsvMutation, TakesSeparatorsAndQuotesOfAnyNumber) {
  Rng rng(7, 0, 0);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t n = rng.below(25); n > 0; --n) text += "a1\",;\t\r\n "[rng.below(9)];
    const auto table = read_csv_text(text, "t.csv");
    if (table) {
      expect_sound(*table, {});
    } else {
      expect_one_line(table.error());
    }
    if (testing::Test::HasFailure()) FAIL() << "after text " << i << ":\n" << text;
  }
}

}  // namespace
}  // namespace vieta
