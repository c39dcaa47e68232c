#include "data/table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/check.h"

namespace vieta {
namespace {

Table two_columns(std::size_t rows) {
  std::vector<double> a(rows);
  std::vector<double> b(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    a[i] = static_cast<double>(i) + 1;
    b[i] = -a[i];
  }
  return Table::from_columns({"a", "b"}, {a, b}).value();
}

Table with_text_column() {
  std::vector<Table::Column> columns;
  columns.push_back({"note", {}, Error{ErrorCode::data, "met 'abc'", {"f.csv", 2, 1, ""}}});
  columns.push_back({"x", {1.0, 2.0, 3.0}});
  return Table::assemble(std::move(columns), 3).value();
}

std::string message_of(const Result<Table>& table) {
  return table ? "no error" : table.error().message;
}

TEST(Table, KeepsNamesAndValues) {
  const Table table = two_columns(3);
  EXPECT_EQ(table.rows(), 3U);
  EXPECT_EQ(table.columns(), 2U);
  EXPECT_EQ(table.names(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(table.name(1), "b");
  EXPECT_EQ(table.find("b"), 1U);
  EXPECT_FALSE(table.find("B").has_value());
  ASSERT_EQ(table.column(1).size(), 3U);
  EXPECT_EQ(table.column(1)[2], -3.0);
}

TEST(Table, IsAlignedAndPaddedWithZerosByALineMore) {
  for (std::size_t rows = 0; rows < 40; ++rows) {
    const Table table = two_columns(rows);
    EXPECT_GE(table.readable(), rows + 8);
    EXPECT_EQ(table.readable() % 8, 0U);
    for (std::size_t i = 0; i < 2; ++i) {
      const double* p = table.column(i).data();
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % kAlignment, 0U);
      for (std::size_t k = rows; k < table.readable(); ++k) EXPECT_EQ(p[k], 0.0);
    }
  }
}

TEST(Table, TakesNaNAndInfinityAsData) {
  const double inf = std::numeric_limits<double>::infinity();
  const Table table = Table::from_columns({"a"}, {{std::nan(""), inf}}).value();
  EXPECT_TRUE(std::isnan(table.numeric_column(0).value()[0]));
  EXPECT_EQ(table.column(0)[1], inf);
}

TEST(Table, RefusesBadNamesAndLengths) {
  EXPECT_EQ(message_of(Table::from_columns({"a", "b", "a"}, {{1}, {2}, {3}})),
            "columns 1 and 3 are both named 'a'; rename one of them");
  EXPECT_EQ(message_of(Table::from_columns({"a", ""}, {{1}, {2}})),
            "column 2 has no name; give it one, or take it out");
  EXPECT_EQ(message_of(Table::from_columns({"a", "b"}, {{1, 2}, {2}})),
            "column 'b' has 1 values, wanted 2 as the other columns have");
  EXPECT_EQ(message_of(Table::from_columns({"a", "b"}, {{1, 2}})),
            "met 2 names for 1 columns, wanted one for each");
  EXPECT_EQ(message_of(Table::from_columns({"caf\xE9"}, {{1}})),
            "the name of column 1, 'caf?', is not UTF-8; save the text as UTF-8");
  EXPECT_EQ(Table::from_columns({""}, {{1}}).error().code, ErrorCode::data);
}

TEST(Table, MayBeEmpty) {
  EXPECT_EQ(Table().rows(), 0U);
  EXPECT_EQ(Table::from_columns({}, {}).value().columns(), 0U);
  EXPECT_EQ(Table::from_columns({"a"}, {{}}).value().rows(), 0U);
}

TEST(Table, AddsAColumnWithoutMovingTheOthers) {
  Table table = two_columns(5);
  const double* a = table.column(0).data();
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(table.add_column("a" + std::to_string(i), table.column(0)).has_value());
  }
  EXPECT_EQ(table.columns(), 22U);
  EXPECT_EQ(table.column(0).data(), a);
  EXPECT_EQ(table.column(21)[4], 5.0);
  EXPECT_EQ(table.column(21).data()[table.readable() - 1], 0.0);
  const Table moved = std::move(table);
  EXPECT_EQ(moved.column(0).data(), a);
}

TEST(Table, TheFirstAddedColumnGivesTheRows) {
  Table table;
  ASSERT_TRUE(table.add_column("a", std::vector<double>{1, 2, 3}).has_value());
  EXPECT_EQ(table.rows(), 3U);
}

TEST(Table, RefusesToAddAndStaysAsItWas) {
  Table table = two_columns(2);
  const std::vector<double> two{1, 2};
  EXPECT_EQ(table.add_column("b", two).error().message,
            "column 2 is named 'b' already; choose another name for the new one");
  EXPECT_EQ(table.add_column("", two).error().message, "the new column has no name; give it one");
  EXPECT_FALSE(table.add_column("\xFF", two).has_value());
  EXPECT_EQ(table.add_column("c", std::vector<double>{1}).error().message,
            "column 'c' has 1 values, wanted 2 as the other columns have");
  EXPECT_EQ(table.columns(), 2U);
  EXPECT_EQ(table.rows(), 2U);
}

TEST(Table, SelectsRowsInOrderWithRepeats) {
  const Table chosen = two_columns(4).select_rows(std::vector<std::size_t>{3, 0, 3});
  ASSERT_EQ(chosen.rows(), 3U);
  EXPECT_EQ(chosen.column(0)[0], 4.0);
  EXPECT_EQ(chosen.column(0)[1], 1.0);
  EXPECT_EQ(chosen.column(1)[2], -4.0);
  EXPECT_EQ(chosen.column(1).data()[3], 0.0);
  EXPECT_EQ(two_columns(4).select_rows({}).rows(), 0U);
  EXPECT_THROW(two_columns(4).select_rows(std::vector<std::size_t>{4}), InternalError);
}

TEST(Table, GivesAColumnsErrorOnlyToWhoAsksForIt) {
  Table table = with_text_column();
  EXPECT_EQ(table.numeric_column(1).value()[2], 3.0);
  EXPECT_FALSE(table.column_error(1).has_value());
  ASSERT_TRUE(table.column_error(0).has_value());
  EXPECT_EQ(table.numeric_column(0).error().message, "met 'abc'");
  EXPECT_EQ(table.numeric_column(0).error().place.row, 2U);
  EXPECT_THROW(table.column(0), InternalError);
  EXPECT_TRUE(table.add_column("y", std::vector<double>{1, 2, 3}).has_value());
  const Table chosen = table.select_rows(std::vector<std::size_t>{1});
  EXPECT_EQ(chosen.column(1)[0], 2.0);
  EXPECT_EQ(chosen.numeric_column(0).error().message, "met 'abc'");
}

TEST(Table, ChecksItsIndices) {
  const Table table = two_columns(1);
  EXPECT_THROW(table.name(2), InternalError);
  EXPECT_THROW(table.column(2), InternalError);
  EXPECT_THROW(static_cast<void>(table.numeric_column(2)), InternalError);
}

}  // namespace
}  // namespace vieta
