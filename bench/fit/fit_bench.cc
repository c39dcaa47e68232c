// fit_bench: seconds a fit of a*exp(-b*x) + c takes, from a start that is far off, on one thread.
// Reads problems from standard input (rows, then x and y of each row, one problem after another;
// the starts are the first line: a b c) and prints JSON: for each way to fit, the seconds of one
// fit, best of many rounds, and the constants found. bench/fit/run.py times other programs beside
// it.

#include <fmt/core.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "expr/parse.h"
#include "fit/batch.h"
#include "fit/fit.h"
#include "timing.h"

namespace {

struct Problem {
  std::vector<double> x;
  std::vector<double> y;
  vieta::FitData data() const { return {{{x.data()}, x.size(), x.size()}, y, {}}; }
};

std::vector<Problem> read_problems(std::istream& in) {
  std::vector<Problem> problems;
  for (std::size_t rows = 0; in >> rows;) {
    Problem problem;
    for (std::size_t r = 0; r < rows; ++r) {
      double x = 0;
      double y = 0;
      in >> x >> y;
      problem.x.push_back(x);
      problem.y.push_back(y);
    }
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace

int main() {
  using namespace vieta;
  double a = 0;
  double b = 0;
  double c = 0;
  std::cin >> a >> b >> c;
  const std::vector<Problem> problems = read_problems(std::cin);
  if (problems.empty()) {
    fmt::print(stderr, "fit_bench: no problems on standard input; run it by bench/fit/run.py\n");
    return 2;
  }
  std::vector<FitData> data;
  for (const Problem& problem : problems) data.push_back(problem.data());

  Expr numbers = parse("1*exp(-1*x) + 0.5", {.variables = {"x"}}).value();
  numbers.set_constants(std::vector<double>{a, -b, c});
  // As many fits a call as a search does on one table, so that what a table costs once is spread.
  const std::vector<Expr> copies(100, numbers);
  const Expr named = parse("a*exp(-b*x) + c", {.variables = {"x"}, .new_parameters = true}).value();
  const FitOptions start{.start = {{"a", a}, {"b", b}, {"c", c}}};

  TaskPool one(1);
  std::vector<std::vector<double>> batch_found(problems.size());
  std::vector<std::vector<double>> fit_found(problems.size());
  const auto batch = [&] {
    for (std::size_t p = 0; p < data.size(); ++p)
      batch_found[p] = fit_batch(copies, data[p], one).value().front().constants;
  };
  const auto report = [&] {
    for (std::size_t p = 0; p < data.size(); ++p) {
      const FitReport done = fit(named, data[p], start).value();
      fit_found[p] = {done.estimates[0].value, done.estimates[1].value, done.estimates[2].value};
    }
  };
  const auto seconds = bench::best_times({batch, report}, 7, 2e-2);
  for (auto& found : batch_found) found[1] = -found[1];
  const auto count = static_cast<double>(problems.size());
  nlohmann::json json;
  json["batch"] = {{"seconds", seconds[0] / count / 100}, {"found", batch_found}};
  json["fit"] = {{"seconds", seconds[1] / count}, {"found", fit_found}};
  std::cout << json.dump() << "\n";
}
