// search_bench: evaluations a second of the whole search, on data of three sizes, one thread and
// two. Prints a table, writes JSON to the file named by the first argument.

#include <fmt/core.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/rng.h"
#include "expr/print.h"
#include "search/search.h"

int main(int argc, char** argv) {
  using namespace vieta;
  nlohmann::json json = nlohmann::json::array();
  fmt::print(
      "Search. Target 2.5*x1*exp(-0.7*x2) + 1.5*x3 + noise, default options.\n{:>7} {:>8} {:>12} "
      "{:>9} {:>14}\n",
      "rows", "threads", "evaluations", "seconds", "evaluations/s");
  for (const std::size_t rows : {10U, 100U, 1000U, 10000U}) {
    Rng rng(3, 0, 0);
    std::vector<std::vector<double>> x(3, std::vector<double>(rows));
    std::vector<double> y(rows);
    for (std::size_t r = 0; r < rows; ++r) {
      for (auto& column : x) column[r] = 0.5 + 2 * rng.uniform();
      y[r] = 2.5 * x[0][r] * std::exp(-0.7 * x[1][r]) + 1.5 * x[2][r] + 0.05 * rng.normal();
    }
    const FitData data{{{x[0].data(), x[1].data(), x[2].data()}, rows, rows}, y, {}};
    for (const std::size_t threads : {1U, 2U}) {
      TaskPool pool(threads);
      const Budget budget{.evaluations = rows > 1000 ? 50'000U : 400'000U};
      const auto report = run_search(data, {"x1", "x2", "x3"}, {}, budget, pool).value();
      const double rate = static_cast<double>(report.n_evaluations) / report.seconds;
      fmt::print("{:>7} {:>8} {:>12} {:>9.2f} {:>14.0f}\n", rows, threads, report.n_evaluations,
                 report.seconds, rate);
      json.push_back({{"rows", rows},
                      {"threads", threads},
                      {"evaluations_per_second", rate},
                      {"selected", print(report.front[report.selected].expr)}});
    }
  }
  if (argc > 1) std::ofstream(argv[1]) << json.dump(1) << "\n";
}
