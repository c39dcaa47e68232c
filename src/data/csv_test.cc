#include "data/csv.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "data/cell_number.h"

namespace vieta {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

Table read(std::string_view text, const CsvOptions& options = {}) {
  auto table = read_csv_text(text, "t.csv", options);
  if (!table) throw std::runtime_error(describe(table.error()));
  return std::move(*table);
}

std::vector<std::string> names(std::string_view text) { return read(text).names(); }

std::vector<double> column(const Table& table, std::size_t i) {
  const auto values = table.numeric_column(i);
  if (!values) throw std::runtime_error(describe(values.error()));
  return {values->begin(), values->end()};
}

using Names = std::vector<std::string>;
using Values = std::vector<double>;

TEST(Csv, ReadsNamesAndNumbers) {
  const Table table = read("a,b\n1,2.5\n-3e2,+.5\n");
  EXPECT_EQ(table.names(), (Names{"a", "b"}));
  EXPECT_EQ(column(table, 0), (Values{1, -300}));
  EXPECT_EQ(column(table, 1), (Values{2.5, 0.5}));
  EXPECT_EQ(table.column(0).data()[table.readable() - 1], 0.0);
}

TEST(Csv, TakesEveryLineEnd) {
  for (const char* text : {"a,b\n1,2\n3,4", "a,b\n1,2\n3,4\n", "a,b\r\n1,2\r\n3,4\r\n",
                           "a,b\r1,2\r3,4\r", "a,b\r\n1,2\n3,4\r", "a,b\n1,2\n3,4\n\n\r\n  \n"}) {
    const Table table = read(text);
    ASSERT_EQ(table.rows(), 2U) << text;
    EXPECT_EQ(column(table, 1), (Values{2, 4})) << text;
  }
}

TEST(Csv, FindsTheSeparatorInTheHeaderOutsideQuotes) {
  EXPECT_EQ(names("a;b\n1;2\n"), (Names{"a", "b"}));
  EXPECT_EQ(names("a\tb\n1\t2\n"), (Names{"a", "b"}));
  EXPECT_EQ(names("\"a,b,c\";d\n1;2\n"), (Names{"a,b,c", "d"}));
  EXPECT_EQ(names("\"a\";\"b\"\n1;2\n"), (Names{"a", "b"}));
  EXPECT_EQ(names("\"x;\"\"y;\",b\n1,2\n"), (Names{"x;\"y;", "b"}));
  EXPECT_EQ(names("a b\n1\n"), (Names{"a b"}));
  EXPECT_EQ(names("a;b,c\n1,2\n"), (Names{"a;b", "c"})) << "a tie goes to the comma";
  EXPECT_EQ(names("a,x;b;c\n1;2;3\n"), (Names{"a,x", "b", "c"}));
}

TEST(Csv, TakesAnyName) {
  EXPECT_EQ(names("load_%, air temp ,π₁,\" kept \"\n1,2,3,4\n"),
            (Names{"load_%", "air temp", "π₁", " kept "}));
  EXPECT_EQ(names("\"two\nlines\",5\" pipe\n1,2\n"), (Names{"two\nlines", "5\" pipe"}));
  EXPECT_EQ(names("\xEF\xBB\xBFтемпература\n1\n"), (Names{"температура"}));
  const std::string long_name(300, 'n');
  EXPECT_EQ(names(long_name + "\n1\n"), (Names{long_name}));
}

TEST(Csv, ReadsQuotedCellsAndBlanksAroundCells) {
  const Table table = read("a,b,c\n \"1\" ,\t2\t,\" 3 \"\n\"4\",\"5\",6\r\n");
  EXPECT_EQ(column(table, 0), (Values{1, 4}));
  EXPECT_EQ(column(table, 1), (Values{2, 5}));
  EXPECT_EQ(column(table, 2), (Values{3, 6}));
}

TEST(Csv, LetsASeparatorEndARow) {
  for (const char* text : {"a,b,\n1,2,\n3,4,\n", "a,b,\n1,2\n3,4\n", "a,b\n1,2,\n3,4\n",
                           "a;b;\r\n1;2;\r\n3;4;", "a\tb\t\n1\t2\t\n3\t4\t\n"}) {
    const Table table = read(text);
    ASSERT_EQ(table.columns(), 2U) << text;
    EXPECT_EQ(column(table, 1), (Values{2, 4})) << text;
  }
}

TEST(Csv, ReadsTabsAsSeparatorsAndNotAsBlanks) {
  const Table table = read("a\tb\tc\n1\t\t3\n");
  EXPECT_EQ(column(table, 2), (Values{3}));
  EXPECT_FALSE(table.numeric_column(1).has_value());
}

TEST(Csv, ReadsADecimalCommaWhereTheSeparatorIsNone) {
  const Table table = read("a;b;c\n1,5;2;1e5\n-,25;3;2\n");
  EXPECT_EQ(column(table, 0), (Values{1.5, -0.25}));
  EXPECT_EQ(column(table, 1), (Values{2, 3}));
  EXPECT_EQ(column(table, 2), (Values{1e5, 2}));
  EXPECT_EQ(column(read("a\tb\n1,5\t2\n"), 0), (Values{1.5}));
  EXPECT_EQ(column(read("a;b\n1.5;2\n"), 0), (Values{1.5}));
}

TEST(Csv, DoesNotLetTextColumnsDecideTheDecimalMark) {
  const Table table = read("version;x\n1.5;2,5\n1.5.1;3,5\n");
  EXPECT_EQ(column(table, 1), (Values{2.5, 3.5}));
}

TEST(Csv, MakesMissingCellsNaNWhenAllowed) {
  const Table table =
      read("a,b\n,1\nNA,2\n n/a ,3\nNaN,4\n.,5\nnull,6\n7,7\n", {.allow_missing = true});
  const Values a = column(table, 0);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_TRUE(std::isnan(a[i])) << i;
  EXPECT_EQ(a[6], 7.0);
  EXPECT_FALSE(read("a,b\nx,1\n", {.allow_missing = true}).numeric_column(0).has_value());
  EXPECT_FALSE(read("a,b\ninf,1\n", {.allow_missing = true}).numeric_column(0).has_value());
}

TEST(Csv, TakesInfinitiesWhenAllowed) {
  const Table table = read("a\ninf\n-Infinity\n1e999\n2\n", {.allow_infinite = true});
  EXPECT_EQ(column(table, 0), (Values{kInf, -kInf, kInf, 2}));
}

TEST(Csv, CountsBlankLinesInAColumnAsMissing) {
  const Table table = read("a\n1\n\n \n2\n\n\n", {.allow_missing = true});
  const Values a = column(table, 0);
  ASSERT_EQ(a.size(), 4U);
  EXPECT_TRUE(std::isnan(a[1]));
  EXPECT_TRUE(std::isnan(a[2]));
  EXPECT_EQ(a[3], 2.0);
  EXPECT_EQ(read("a\n1\n\n2\n").numeric_column(0).error().place.row, 3U);
  EXPECT_EQ(read("a\n1\n\"\"\n", {.allow_missing = true}).rows(), 2U);
}

TEST(Csv, ATextColumnStopsOnlyWhoUsesIt) {
  const Table table = read("name,x\nanna,1\nbert,2\n");
  EXPECT_EQ(column(table, 1), (Values{1, 2}));
  EXPECT_EQ(table.rows(), 2U);
  ASSERT_TRUE(table.column_error(0).has_value());
}

TEST(Csv, ReadsOnlyTheColumnsAskedFor) {
  const Table table = read("a,b,c\n1,2,3\n4,5,6\n", {.only = {"c", "a"}});
  EXPECT_EQ(table.columns(), 3U);
  EXPECT_EQ(column(table, 0), (Values{1, 4}));
  EXPECT_EQ(column(table, 2), (Values{3, 6}));
  EXPECT_EQ(table.numeric_column(1).error().message, "column 'b' was not read; ask for it as well");
}

TEST(Csv, ReadsTheSameBitsAsWereWritten) {
  const Table table = read("x\n0.1\n-0\n5e-324\n1.7976931348623157e308\n1e-400\n");
  EXPECT_EQ(column(table, 0), (Values{0.1, 0, 5e-324, 1.7976931348623157e308, 0}));
  EXPECT_TRUE(std::signbit(table.column(0)[1]));
}

TEST(Csv, ReadsManyColumnsAndManyRows) {
  std::string text = "c0";
  for (int i = 1; i < 2000; ++i) text += ",c" + std::to_string(i);
  for (int row = 0; row < 5; ++row) {
    text += "\n" + std::to_string(row);
    for (int i = 1; i < 2000; ++i) text += "," + std::to_string(i * row);
  }
  const Table wide = read(text);
  EXPECT_EQ(wide.columns(), 2000U);
  EXPECT_EQ(wide.column(1999)[4], 1999.0 * 4);
  text = "x\n";
  for (int row = 0; row < 30000; ++row) text += std::to_string(row) + "\n";
  const Table tall = read(text);
  EXPECT_EQ(tall.rows(), 30000U);
  EXPECT_EQ(tall.column(0)[29999], 29999.0);
}

TEST(CellNumber, TellsKindsApart) {
  const auto kind = [](std::string_view text) { return read_cell(text, false).kind; };
  for (const char* text : {"1", " -2.5 ", "+3", "1e-400", "\t4"}) {
    EXPECT_EQ(kind(text), CellKind::number) << text;
  }
  for (const char* text :
       {"", "  ", "NA", "n/a", "#N/A", "<NA>", "Null", "None", "-", ".", "?", "missing"}) {
    EXPECT_EQ(kind(text), CellKind::missing) << text;
  }
  for (const char* text : {"nan", "NaN", "-NAN"}) EXPECT_EQ(kind(text), CellKind::nan) << text;
  for (const char* text : {"inf", "-Inf", "INFINITY", "1e999", "-1e999"}) {
    EXPECT_EQ(kind(text), CellKind::infinite) << text;
  }
  for (const char* text : {"x", "1x", "1 2", "0x10", "1,5", "--1", "1e", "NAN(1)", "1_000"}) {
    EXPECT_EQ(kind(text), CellKind::text) << text;
  }
}

TEST(CellNumber, TakesOneCommaForThePoint) {
  const CellNumber number = read_cell(" -1,5e2 ", true);
  EXPECT_EQ(number.kind, CellKind::number);
  EXPECT_EQ(number.value, -150.0);
  EXPECT_TRUE(number.decimal_comma);
  EXPECT_FALSE(read_cell("1.5", true).decimal_comma);
  for (const std::string& text :
       Names{"1,234,5", "1.234,5", "1,234.5", ",", "1,x", "1," + std::string(2000, '0')}) {
    EXPECT_EQ(read_cell(text, true).kind, CellKind::text) << text;
  }
}

}  // namespace
}  // namespace vieta
