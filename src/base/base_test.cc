#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

#include "base/aligned.h"
#include "base/budget.h"
#include "base/check.h"
#include "base/hash.h"
#include "base/number_text.h"
#include "base/result.h"
#include "base/rng.h"
#include "base/task_pool.h"

namespace vieta {
namespace {

TEST(NumberText, ReadsBackToTheSameBits) {
  Rng rng(7, 0, 0);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::bit_cast<double>(rng());
    if (std::isnan(x)) continue;
    const auto back = read_number(number_text(x));
    ASSERT_TRUE(back.has_value()) << number_text(x);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*back), std::bit_cast<std::uint64_t>(x));
  }
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(0.1F), "0.1");
  EXPECT_EQ(number_text(-0.0), "-0");
  EXPECT_EQ(number_text(100000.0), "100000");
  EXPECT_EQ(number_text(1e300), "1e+300");
  EXPECT_EQ(number_text(-0.0001), "-0.0001");
  EXPECT_EQ(number_text(1.5e-7), "1.5e-07");
  EXPECT_TRUE(std::isnan(read_number("NaN").value()));
}

TEST(NumberText, RefusesWhatIsNoNumber) {
  for (const char* text :
       {"", "+", "-", "1..2", "1e", "1e+", "x", "1x", " 1", "--1", "+-1", "0x10"}) {
    EXPECT_FALSE(read_number(text).has_value()) << text;
  }
  EXPECT_EQ(read_number("1e999").value(), HUGE_VAL);
  EXPECT_EQ(read_number("-1e-999").value(), 0.0);
  EXPECT_EQ(read_number("5e-324").value(), 5e-324);
}

TEST(Rng, GivesThePublishedPhiloxWords) {
  // Known answer of Philox4x32-10 for key 0 and counter 0 (Random123, kat_vectors).
  Rng rng(0, 0, 0);
  EXPECT_EQ(rng(), 0xE169C58D6627E8D5U);
  EXPECT_EQ(rng(), 0x9B00DBD8BC57AC4CU);
}

TEST(Rng, StreamsDifferAndRepeat) {
  Rng a(1, 2, 3);
  Rng same(1, 2, 3);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t word = a();
    EXPECT_EQ(word, same());
    seen.insert(word);
  }
  for (Rng other : {Rng(2, 2, 3), Rng(1, 3, 3), Rng(1, 2, 4)}) {
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(seen.contains(other()));
  }
}

TEST(Rng, HasTheMomentsOfItsDistributions) {
  Rng rng(5, 0, 0);
  constexpr int n = 100000;
  double sum = 0;
  double sum_of_squares = 0;
  std::vector<int> count(7);
  for (int i = 0; i < n; ++i) {
    const double z = rng.normal();
    sum += z;
    sum_of_squares += z * z;
    ++count[rng.below(7)];
  }
  EXPECT_NEAR(sum / n, 0.0, 5 / std::sqrt(n));  // five standard errors
  EXPECT_NEAR(sum_of_squares / n, 1.0, 5 * std::sqrt(2.0 / n));
  for (const int c : count) EXPECT_NEAR(c, n / 7.0, 5 * std::sqrt(n / 7.0));
}

TEST(TaskPool, RunsEveryPieceOnceAtAnyThreadCount) {
  for (const std::size_t threads : {1U, 2U, 5U}) {
    TaskPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (int round = 0; round < 50; ++round) {
      std::vector<std::atomic<int>> hits(round);
      pool.run(hits.size(), [&](std::size_t piece, std::size_t thread) {
        ASSERT_LT(thread, threads);
        ++hits[piece];
      });
      for (const auto& hit : hits) EXPECT_EQ(hit, 1);
    }
  }
}

TEST(TaskPool, HandsAnExceptionToTheCallerAndGoesOn) {
  TaskPool pool(3);
  EXPECT_THROW(pool.run(10,
                        [](std::size_t piece, std::size_t) {
                          if (piece == 4) throw std::runtime_error("piece 4");
                        }),
               std::runtime_error);
  std::atomic<int> count = 0;
  pool.run(10, [&](std::size_t, std::size_t) { ++count; });
  EXPECT_EQ(count, 10);
}

TEST(Check, ThrowsOnABrokenPromise) {
  EXPECT_THROW(VIETA_CHECK(1 + 1 == 3), InternalError);
  EXPECT_NO_THROW(VIETA_CHECK(1 + 1 == 2));
}

TEST(Describe, PutsTheCaretUnderTheCharacter) {
  const Error error{ErrorCode::usage, "unknown name 'q'", {"formula", 0, 5, "\xC3\xA9 + q"}};
  EXPECT_EQ(describe(error),
            "formula, column 5: unknown name 'q'\n  \xC3\xA9 + q\n     ^" + std::string());
}

TEST(Describe, ShowsALongFormulaThroughAWindow) {
  const std::string text = std::string(100000, '(') + "x";
  const std::string shown = describe({ErrorCode::usage, "too deep", {"formula", 0, 5000, text}});
  EXPECT_LT(shown.size(), 400U);
}

TEST(Aligned, StartsOnACacheLine) {
  for (std::size_t n = 1; n < 50; ++n) {
    const AlignedVector<double> v(n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(v.data()) % kAlignment, 0U);
    EXPECT_EQ(padded<double>(n) % 8, 0U);
    EXPECT_GE(padded<double>(n), n);
  }
}

TEST(Hash, SeesOrder) {
  EXPECT_NE(combine(combine(0, 1), 2), combine(combine(0, 2), 1));
  EXPECT_NE(combine(0, 0), 0U);
}

}  // namespace
}  // namespace vieta
