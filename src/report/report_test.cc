#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "expr/parse.h"
#include "report/files.h"
#include "report/fit_text.h"
#include "report/front_table.h"
#include "report/model.h"

namespace vieta {
namespace {

Expr over(const char* text, std::vector<std::string> variables = {"x", "y", "z"}) {
  return parse(text, {.variables = std::move(variables), .new_parameters = true}).value();
}

SearchReport report() {
  SearchReport r;
  r.front.push_back({over("2.5", {"x", "a b"}), 1, 4.0, 0.0, 0.0});
  r.front.push_back(
      {parse("0.1*x + `a b`", {.variables = {"x", "a b"}}).value(), 5, 1e-30, 1.0, 15.0});
  r.selected = 1;
  r.seed = 7;
  r.stop_reason = StopReason::converged;
  return r;
}

TEST(Model, ReadsBackWhatItWrote) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "vieta_model_test.json").string();
  ASSERT_TRUE(write_model(path, {{"x", "a b"}, "y", {}, report()}, {}).has_value());
  const Model model = read_model(path).value();
  EXPECT_EQ(model.variables, (std::vector<std::string>{"x", "a b"}));
  EXPECT_EQ(model.report.selected, 1U);
  ASSERT_EQ(model.report.front.size(), 2U);
  EXPECT_EQ(model.report.front[1].expr, report().front[1].expr);
  EXPECT_EQ(model.report.front[1].loss, 1e-30);
  std::filesystem::remove(path);
}

TEST(Model, RefusesWhatIsNone) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "vieta_bad_model_test.json").string();
  EXPECT_EQ(read_model(path + ".none").error().code, ErrorCode::data);
  for (const char* text : {"", "{", "[]", "{}", "{\"format\": \"vieta model\"}",
                           "{\"format\": \"vieta model\", \"version\": 99}",
                           "{\"format\": \"vieta model\", \"version\": 1, \"variables\": [\"x\"], "
                           "\"target\": \"y\", \"definitions\": [], "
                           "\"front\": [{\"formula\": \"x +\"}], \"selected\": 0, \"seed\": 1}"}) {
    ASSERT_TRUE(write_file(path, text).has_value());
    const auto model = read_model(path);
    ASSERT_FALSE(model.has_value()) << text;
    EXPECT_EQ(model.error().code, ErrorCode::data);
    EXPECT_EQ(model.error().place.source, path);
  }
  std::filesystem::remove(path);
}

TEST(FrontTable, LinesUpAndMarksTheSelected) {
  const std::string table = front_table(report());
  EXPECT_EQ(table,
            "  complexity         loss        R2   score  formula\n"
            "           1            4  0.000000   0.000  2.5\n"
            ">          5        1e-30  1.000000  15.000  0.1*x + `a b`\n");
  EXPECT_EQ(front_csv(report()),
            "complexity,loss,r2,score,formula\n1,4,0,0,\"2.5\"\n5,1e-30,1,15,\"0.1*x + `a b`\"\n");
  EXPECT_EQ(front_json(report())["front"][1]["formula"], "0.1*x + `a b`");
}

TEST(FitText, WritesAValueToThePlaceOfItsError) {
  EXPECT_EQ(value_with_error(238.94212918, 2.7070075241), "238.9 ± 2.7");
  EXPECT_EQ(value_with_error(5.5015643181e-4, 7.2668688436e-6), "0.0005502 ± 0.0000073");
  EXPECT_EQ(value_with_error(1.0, 0.0996), "1.00 ± 0.10");
  EXPECT_EQ(value_with_error(123456789.0, 1234.0), "(1.234568 ± 0.000012)e8");
  EXPECT_EQ(value_with_error(12345.0, 100.0), "(1.234 ± 0.010)e4");
  EXPECT_EQ(value_with_error(2.0, std::nan("")), "2 ± ?");
}

TEST(Files, ReplacesWholeOrNotAtAll) {
  EXPECT_EQ(write_file("/nonexistent-folder/x", "a").error().code, ErrorCode::data);
  const std::string path = (std::filesystem::temp_directory_path() / "vieta_files_test").string();
  ASSERT_TRUE(write_file(path, "one").has_value());
  ASSERT_TRUE(write_file(path, "two").has_value());
  EXPECT_EQ(read_file(path).value(), "two");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace vieta
