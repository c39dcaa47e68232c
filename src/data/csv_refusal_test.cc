// Every way in which CSV text is refused, with the whole line that people read.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "data/csv.h"

namespace vieta {
namespace {

std::string refusal(std::string_view text, const CsvOptions& options = {}) {
  const auto table = read_csv_text(text, "t.csv", options);
  return table ? "no error" : describe(table.error());
}

// What the user of column i meets, given that the table can be read.
std::string column_refusal(std::string_view text, std::size_t i = 0,
                           const CsvOptions& options = {}) {
  const auto table = read_csv_text(text, "t.csv", options);
  if (!table) return "the table: " + describe(table.error());
  const auto column = table->numeric_column(i);
  return column ? "no error" : describe(column.error());
}

TEST(CsvRefusal, NothingToRead) {
  EXPECT_EQ(refusal(""), "t.csv: met nothing at all, wanted a header and rows");
  EXPECT_EQ(refusal("\xEF\xBB\xBF"), "t.csv: met nothing at all, wanted a header and rows");
  for (const char* text : {"a,b", "a,b\n", "a,b\r\n\r\n  \n"}) {
    EXPECT_EQ(refusal(text), "t.csv: met a header and no rows, wanted at least one row") << text;
  }
}

TEST(CsvRefusal, NotText) {
  EXPECT_EQ(refusal(std::string_view("a,b\n1,\0\n", 8)),
            "t.csv, row 2: met a NUL byte, wanted text; is this a CSV file in UTF-8?");
  EXPECT_EQ(refusal(std::string_view("\xFF\xFE"
                                     "a\0\n\0",
                                     6)),
            "t.csv: this is UTF-16, wanted UTF-8; save it as UTF-8");
}

TEST(CsvRefusal, BadHeader) {
  EXPECT_EQ(refusal("\n1,2\n"),
            "t.csv, row 1: the first line is blank, wanted a header: a name for each column");
  EXPECT_EQ(refusal(",a\n1,2\n"),
            "t.csv, row 1, column 1: column 1 has no name; give it one, or take it out");
  EXPECT_EQ(refusal("a,\"\"\n1,2\n"),
            "t.csv, row 1, column 2: column 2 has no name; give it one, or take it out");
  EXPECT_EQ(refusal("a,b,,\n1,2,,\n"),
            "t.csv, row 1, column 3: column 3 has no name; give it one, or take it out");
  EXPECT_EQ(refusal("a,b, a\n1,2,3\n"),
            "t.csv, row 1, column 3: columns 1 and 3 are both named 'a'; rename one of them");
  EXPECT_EQ(refusal("a,caf\xE9\n1,2\n"),
            "t.csv, row 1, column 2: the name of column 2, 'caf?', is not UTF-8; save the text as "
            "UTF-8");
}

TEST(CsvRefusal, RaggedRows) {
  EXPECT_EQ(
      refusal("a,b,c\n1,2,3\n4,5\n"),
      "t.csv, row 3: met 2 cells, wanted 3 as the header has; fill the row up, or take it out");
  EXPECT_EQ(
      refusal("a,b\n1\n"),
      "t.csv, row 2: met 1 cell, wanted 2 as the header has; fill the row up, or take it out");
  EXPECT_EQ(refusal("a,b\n1,2,3\n"),
            "t.csv, row 2: met 3 cells, wanted 2 as the header has; quote cells that hold the "
            "separator");
  EXPECT_EQ(refusal("a,b\n1,2,,\n"),
            "t.csv, row 2: met 4 cells, wanted 2 as the header has; quote cells that hold the "
            "separator");
  EXPECT_EQ(refusal("a,b,\n1,2,3\n"),
            "t.csv, row 2: met 3 cells, wanted 2 as the header has; quote cells that hold the "
            "separator");
  EXPECT_NE(refusal("a,b\n1,2,\"\"\n"), "no error") << "a quoted cell is a cell, even if empty";
}

TEST(CsvRefusal, BlankLineBetweenRows) {
  EXPECT_EQ(refusal("a,b\n1,2\n\n\n3,4\n"),
            "t.csv, row 3: met a blank line between rows, wanted a row; take the line out");
}

TEST(CsvRefusal, BrokenQuotes) {
  EXPECT_EQ(refusal("a,b\n1,\"2\n3,4\n"),
            "t.csv, row 2, column 2: a quote opens here and never closes; close it");
  EXPECT_EQ(refusal("a,\"b\n1,2\n"),
            "t.csv, row 1, column 2: a quote opens here and never closes; close it");
  EXPECT_EQ(
      refusal("a,b\n1,\"2\"x\n"),
      "t.csv, row 2, column 2: text follows a closing quote, wanted a separator or the end of "
      "the line; write a quote inside a quoted cell twice");
  EXPECT_EQ(
      refusal("\"a\"b,c\n1,2\n"),
      "t.csv, row 1, column 1: text follows a closing quote, wanted a separator or the end of "
      "the line; write a quote inside a quoted cell twice");
}

TEST(CsvRefusal, ColumnThatIsNotThere) {
  EXPECT_EQ(refusal("a,b\n1,2\n", {.only = {"a", "q"}}),
            "t.csv: there is no column 'q', wanted one of 'a', 'b'");
  EXPECT_EQ(read_csv_text("a\n1\n", "t.csv", {.only = {"q"}}).error().code, ErrorCode::usage);
}

TEST(CsvRefusal, CellThatIsNoNumber) {
  EXPECT_EQ(column_refusal("a,b\n1,2\n3,ab c\nx,y\n", 1),
            "t.csv, row 3, column 2: column 'b': met 'ab c', wanted a number; correct the cell, or "
            "do without the column");
  EXPECT_EQ(
      column_refusal("a,b\n\"1,234\",2\n"),
      "t.csv, row 2, column 1: column 'a': met '1,234', wanted a number; write a decimal point "
      "and no thousands separators, or do without the column");
}

TEST(CsvRefusal, MissingCell) {
  EXPECT_EQ(column_refusal("load_%,b\n1,2\n,3\n"),
            "t.csv, row 3, column 1: column 'load_%': met an empty cell, wanted a number; fill it "
            "in, or take the row out");
  EXPECT_EQ(
      column_refusal("a,b\n N/A,2\n"),
      "t.csv, row 2, column 1: column 'a': met 'N/A' (a missing value), wanted a number; fill "
      "it in, or take the row out");
  EXPECT_EQ(
      column_refusal("a\n1\n\n2\n"),
      "t.csv, row 3, column 1: column 'a': met an empty cell, wanted a number; fill it in, or "
      "take the row out");
}

TEST(CsvRefusal, CellThatIsNotFinite) {
  EXPECT_EQ(column_refusal("a\nNaN\n"),
            "t.csv, row 2, column 1: column 'a': met 'NaN', wanted a finite number; fill it in, or "
            "take the row out");
  EXPECT_EQ(column_refusal("a\n-inf\n"),
            "t.csv, row 2, column 1: column 'a': met '-inf', wanted a finite number; correct the "
            "cell, or take the row out");
  EXPECT_EQ(column_refusal("a\n1e999\n"),
            "t.csv, row 2, column 1: column 'a': met '1e999' (beyond the range of 64-bit numbers), "
            "wanted a finite number; correct the cell, or take the row out");
}

TEST(CsvRefusal, TellsTheLineOfACellAfterLineEndsInQuotes) {
  EXPECT_EQ(column_refusal("a,b\n\"x\r\ny\nz\",oops\n1,2\n", 1),
            "t.csv, row 4, column 2: column 'b': met 'oops', wanted a number; correct the cell, or "
            "do without the column");
}

TEST(CsvRefusal, DecimalCommasBesideDecimalPoints) {
  const char* text = "a;b\n1,234;2\n3;0.5\n";
  EXPECT_EQ(
      column_refusal(text),
      "t.csv, row 2, column 1: column 'a': met '1,234' and, in row 3, column 2, '0.5', wanted "
      "one decimal mark in all of the file; write points only");
  EXPECT_EQ(column_refusal(text, 1), "no error");
  EXPECT_EQ(column_refusal(text, 0, {.only = {"a"}}), "no error");
  EXPECT_NE(column_refusal("a\tb\n1,5\t2\n1.5\t3\n"), "no error");
  EXPECT_NE(column_refusal("a;b\n1.234,5;2\n"), "no error");
}

TEST(CsvRefusal, StaysOnOneShortLine) {
  const std::string text = "a,b\n\"" + std::string(100000, 'x') + "\n\",1\n";
  const std::string line = column_refusal(text);
  EXPECT_LT(line.size(), 300U);
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace vieta
