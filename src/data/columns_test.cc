#include "data/columns.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "data/utf8.h"

namespace vieta {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

Table text_and_number() {
  std::vector<Table::Column> columns;
  columns.push_back({"note", {}, Error{ErrorCode::data, "met 'abc'", {}}});
  columns.push_back({"x", {1.0}});
  return Table::assemble(std::move(columns), 1).value();
}

TEST(ColumnsView, PointsIntoTheTableInTheOrderAsked) {
  const Table table = Table::from_columns({"a", "b", "c"}, {{1, 2}, {3, 4}, {5, 6}}).value();
  const auto seen = view(table, std::vector<std::size_t>{2, 0, 2}).value();
  ASSERT_EQ(seen.columns(), 3U);
  EXPECT_EQ(seen.rows, 2U);
  EXPECT_EQ(seen.readable, table.readable());
  EXPECT_EQ(seen.pointers[0], table.column(2).data());
  EXPECT_EQ(seen.pointers[1], table.column(0).data());
  EXPECT_EQ(view(table, {}).value().rows, 2U);
}

TEST(ColumnsView, FailsWithTheErrorOfAColumnThatIsNotNumeric) {
  const Table table = text_and_number();
  EXPECT_TRUE(view(table, std::vector<std::size_t>{1}).has_value());
  EXPECT_EQ(view(table, std::vector<std::size_t>{1, 0}).error().message, "met 'abc'");
  EXPECT_EQ(FloatColumns::from(table, std::vector<std::size_t>{0}).error().message, "met 'abc'");
}

TEST(FloatColumns, RoundsAlignsAndPads) {
  for (std::size_t rows = 0; rows < 40; ++rows) {
    const std::vector<double> values(rows, 0.1);
    const Table table = Table::from_columns({"a", "b"}, {values, values}).value();
    FloatColumns floats = FloatColumns::from(table, std::vector<std::size_t>{1, 0}).value();
    const ColumnsView<float> seen = std::as_const(floats).view();
    const FloatColumns moved = std::move(floats);  // the view stays valid
    EXPECT_EQ(seen.rows, rows);
    EXPECT_GE(seen.readable, rows + 16);
    for (const float* p : seen.pointers) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % kAlignment, 0U);
      for (std::size_t k = 0; k < rows; ++k) EXPECT_EQ(p[k], 0.1F);
      for (std::size_t k = rows; k < seen.readable; ++k) EXPECT_EQ(p[k], 0.0F);
    }
  }
}

TEST(FloatColumns, KeepsNaNAndInfinityAndRefusesWhatDoesNotFit) {
  const std::vector<std::size_t> first{0};
  const Table odd = Table::from_columns({"a"}, {{std::nan(""), kInf, -kInf, 1e-60}}).value();
  const FloatColumns floats = FloatColumns::from(odd, first).value();
  const float* p = floats.view().pointers[0];
  EXPECT_TRUE(std::isnan(p[0]));
  EXPECT_EQ(p[1], std::numeric_limits<float>::infinity());
  EXPECT_EQ(p[2], -std::numeric_limits<float>::infinity());
  EXPECT_EQ(p[3], 0.0F);
  const Table large = Table::from_columns({"mass"}, {{1, -1e39}}).value();
  EXPECT_EQ(FloatColumns::from(large, first).error().message,
            "column 'mass', value 2 is -1e+39, beyond the range of 32-bit numbers; rescale the "
            "column, or compute in 64 bits");
}

TEST(Utf8, KnowsWellFormedText) {
  for (const char* text : {"", "load_%", "π₁", "температура", "\xF0\x9D\x91\xA5"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
  for (const char* text : {"\xFF", "\x80", "\xC3", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80",
                           "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "a\xE2\x82", "\xC3("}) {
    EXPECT_FALSE(is_utf8(text)) << in_quotes(text);
  }
}

TEST(InQuotes, FitsOnALine) {
  EXPECT_EQ(in_quotes("a\nb\tc"), "'a?b?c'");
  EXPECT_EQ(in_quotes("caf\xE9"), "'caf?'");
  EXPECT_EQ(in_quotes("π"), "'π'");
  EXPECT_EQ(in_quotes(std::string(60, 'x')), "'" + std::string(60, 'x') + "'");
  EXPECT_EQ(in_quotes(std::string(61, 'x')), "'" + std::string(60, 'x') + "...'");
  // The cut would fall into the two bytes of a letter.
  EXPECT_EQ(in_quotes(std::string(59, 'x') + "ππ"), "'" + std::string(59, 'x') + "...'");
}

}  // namespace
}  // namespace vieta
