// fit_bench: seconds that a fit of a formula takes, on one thread. Reads from standard input the
// formula in x and parameters, each of them once and in the order of their starts (a line), the
// starts (a line), then problems: rows, x and y of each row, one problem after another. Prints
// JSON: for each way to fit, the seconds of one fit, best of three rounds, and the constants found.
// bench/fit/run.py times other programs beside it.

#include <fmt/core.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "expr/parse.h"
#include "expr/walk.h"
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

std::vector<double> read_starts(std::istream& in) {
  std::string line;
  std::getline(in, line);
  std::istringstream numbers(line);
  std::vector<double> starts;
  for (double v = 0; numbers >> v;) starts.push_back(v);
  return starts;
}

}  // namespace

int main() {
  using namespace vieta;
  std::string text;
  std::getline(std::cin, text);
  const std::vector<double> starts = read_starts(std::cin);
  const auto parsed = parse(text, {.variables = {"x"}, .new_parameters = true});
  const std::vector<Problem> problems = read_problems(std::cin);
  if (!parsed || problems.empty() || parsed->symbols().parameters.size() != starts.size()) {
    fmt::print(stderr, "fit_bench: no problem on standard input; run it by bench/fit/run.py\n");
    return 2;
  }
  std::vector<FitData> data;
  for (const Problem& problem : problems) data.push_back(problem.data());

  const Expr& named = *parsed;
  FitOptions start;
  for (std::size_t p = 0; p < starts.size(); ++p)
    start.start.emplace(named.symbols().parameters[p], starts[p]);
  const Expr numbers = mapped(named, [&](const Node& node) {
    return node.kind == NodeKind::parameter ? Node::constant(starts[node.index]) : node;
  });
  // As many fits a call as a search does on one table, so that what a table costs once is spread.
  const std::vector<Expr> copies(100, numbers);

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
      fit_found[p].clear();
      for (const Estimate& estimate : done.estimates) fit_found[p].push_back(estimate.value);
    }
  };
  const auto seconds = bench::best_times({batch, report}, 3, 1e-2);
  const auto count = static_cast<double>(problems.size());
  nlohmann::json json;
  json["batch"] = {{"seconds", seconds[0] / count / 100}, {"found", batch_found}};
  json["fit"] = {{"seconds", seconds[1] / count}, {"found", fit_found}};
  std::cout << json.dump() << "\n";
}
