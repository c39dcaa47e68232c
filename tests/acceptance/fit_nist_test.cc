// NIST StRD nonlinear regression: parameters and standard errors certified to 11 digits, from both
// published starts, and from none.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/number_text.h"
#include "data/csv.h"
#include "expr/parse.h"
#include "fit/fit.h"

namespace vieta {
namespace {

std::string folder() {
  const char* set = std::getenv("VIETA_SHARED_DATA");
  return (set != nullptr ? set : std::string(VIETA_SOURCE_DIR) + "/../shared/data") + "/nist/";
}

std::vector<double> numbers(const std::string& text) {
  std::vector<double> values;
  std::istringstream words(text);
  for (std::string word; words >> word;) values.push_back(read_number(word).value());
  return values;
}

struct Problem {
  std::string name;
  std::string model;
  std::vector<double> starts[2];
  std::vector<double> certified;
  std::vector<double> certified_sd;
};

std::vector<Problem> problems() {
  std::vector<Problem> all;
  std::ifstream file(folder() + "problems.csv");
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    std::string cell;
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        cells.push_back(cell);
        cell.clear();
      } else if (c != '\r') {
        cell += c;
      }
    }
    cells.push_back(cell);
    if (cells.size() < 16) continue;
    all.push_back({cells[0],
                   cells[5],
                   {numbers(cells[12]), numbers(cells[13])},
                   numbers(cells[14]),
                   numbers(cells[15])});
  }
  return all;
}

// Correct digits: log relative error, at most the 11 that are certified.
double digits(double value, double certified) {
  const double error = std::fabs(value - certified) / std::fabs(certified);
  if (!std::isfinite(error)) return 0;
  return error == 0 ? 11 : std::clamp(-std::log10(error), 0.0, 11.0);
}

struct Outcome {
  double parameters = 0;  ///< digits of the worst parameter
  double errors = 0;      ///< digits of the worst standard error
};

// `start` null: none is given.
Outcome solve(const Problem& problem, const std::vector<double>* start) {
  const Table table = read_csv(folder() + problem.name + ".csv", {}).value();
  const Expr expr = parse(problem.model, {.variables = {"y", "x"}, .new_parameters = true}).value();
  const std::vector<double> y(table.column(0).begin(), table.column(0).end());
  const std::vector<std::size_t> columns{0, 1};
  const FitData data{view(table, columns).value(), y, {}};
  FitOptions options;
  for (std::size_t i = 0; start != nullptr && i < start->size(); ++i)
    options.start["b" + std::to_string(i + 1)] = (*start)[i];
  const auto report = fit(expr, data, options);
  if (!report) return {};
  Outcome outcome{11, 11};
  for (const Estimate& estimate : report->estimates) {
    const auto b = static_cast<std::size_t>(std::stoi(estimate.name.substr(1)) - 1);
    outcome.parameters = std::min(outcome.parameters, digits(estimate.value, problem.certified[b]));
    // The residuals of Lanczos1 are rounding: its certified errors belong to the decimals of the
    // data.
    if (problem.name != "Lanczos1")
      outcome.errors =
          std::min(outcome.errors, digits(estimate.std_error, problem.certified_sd[b]));
  }
  return outcome;
}

TEST(NistStRD, ReachesTheCertifiedDigitsFromBothStarts) {
  if (!std::filesystem::exists(folder())) GTEST_SKIP() << "no shared data here";
  const auto all = problems();
  ASSERT_GE(all.size(), 14U);
  for (const int which : {0, 1}) {
    int missed = 0;
    std::vector<double> reached;
    for (const Problem& problem : all) {
      const Outcome outcome = solve(problem, &problem.starts[which]);
      reached.push_back(outcome.parameters);
      missed += outcome.parameters < 6 ? 1 : 0;
      std::printf("%-10s start %d: %.1f %.1f\n", problem.name.c_str(), which + 1,
                  outcome.parameters, outcome.errors);
      RecordProperty(problem.name + std::to_string(which + 1), std::to_string(outcome.parameters));
      if (outcome.parameters >= 6) {
        EXPECT_GE(outcome.errors, 5) << problem.name << " start " << which + 1;
      } else {
        std::printf("%s from start %d: %.1f digits\n", problem.name.c_str(), which + 1,
                    outcome.parameters);
      }
    }
    EXPECT_LE(missed, 1) << "start " << which + 1;
    std::nth_element(reached.begin(),
                     reached.begin() + static_cast<std::ptrdiff_t>(reached.size() / 2),
                     reached.end());
    EXPECT_GE(reached[reached.size() / 2], 9) << "median, start " << which + 1;
  }
}

TEST(NistStRD, FindsHalfOfThemWithoutAStart) {
  if (!std::filesystem::exists(folder())) GTEST_SKIP() << "no shared data here";
  const auto all = problems();
  std::size_t solved = 0;
  for (const Problem& problem : all) {
    const Outcome outcome = solve(problem, nullptr);
    solved += outcome.parameters >= 6 ? 1 : 0;
    std::printf("%-10s %.1f digits\n", problem.name.c_str(), outcome.parameters);
  }
  EXPECT_GE(2 * solved, all.size());
}

}  // namespace
}  // namespace vieta
