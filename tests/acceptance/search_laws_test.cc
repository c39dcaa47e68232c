// The laws of the PySR paper's benchmark in measured data: each must stand on the front, for seeds
// 1 to 5, with the default options. A formula states a law if it is the law's function for some
// constants, on a grid wider than the data.

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "data/csv.h"
#include "eval/evaluate.h"
#include "expr/print.h"
#include "search/search.h"

namespace vieta {
namespace {

std::string shared_data() {
  const char* set = std::getenv("VIETA_SHARED_DATA");
  return set != nullptr ? set : std::string(VIETA_SOURCE_DIR) + "/../shared/data";
}

using Row = std::vector<double>;

struct Law {
  const char* file;
  const char* target;
  std::vector<std::string> inputs;
  /// Functions whose linear combination the formula must be, after `link` is applied to its values.
  std::vector<std::function<double(const Row&)>> basis;
  std::function<double(double)> link;
  std::vector<Row> grid;
};

std::vector<Row> line(double low, double high) {
  std::vector<Row> grid;
  for (int i = 0; i <= 20; ++i) grid.push_back({low + (high - low) * i / 20});
  return grid;
}

std::vector<Row> box() {
  std::vector<Row> grid;
  for (const double n : {1.0, 7.0, 40.0}) {
    for (const double t : {200.0, 300.0, 400.0}) {
      for (const double v : {2.0, 30.0, 90.0}) grid.push_back({n, t, v});
    }
  }
  return grid;
}

double same(double y) { return y; }

// Share of the linked values that the basis leaves unexplained, as a root of a mean square relative
// to their spread.
double misfit(const Expr& expr, const Law& law) {
  const std::size_t rows = law.grid.size();
  std::vector<std::vector<double>> columns(law.inputs.size(), std::vector<double>(rows));
  ColumnsView<double> view;
  for (std::size_t v = 0; v < columns.size(); ++v) {
    for (std::size_t r = 0; r < rows; ++r) columns[v][r] = law.grid[r][v];
    view.pointers.push_back(columns[v].data());
  }
  view.rows = view.readable = rows;
  const auto result = evaluate<double>(expr, view, {}, {}, 0);
  if (!result.status.ok) return HUGE_VAL;
  const auto n = static_cast<Eigen::Index>(rows);
  Eigen::MatrixXd a(n, static_cast<Eigen::Index>(law.basis.size()));
  Eigen::VectorXd b(n);
  for (Eigen::Index r = 0; r < n; ++r) {
    const auto row = static_cast<std::size_t>(r);
    for (std::size_t k = 0; k < law.basis.size(); ++k)
      a(r, static_cast<Eigen::Index>(k)) = law.basis[k](law.grid[row]);
    b(r) = law.link(result.values[row]);
  }
  if (!b.allFinite()) return HUGE_VAL;
  const double spread = (b.array() - b.mean()).matrix().norm();
  if (!(spread > 0)) return HUGE_VAL;
  const Eigen::VectorXd x = a.colPivHouseholderQr().solve(b);
  return (a * x - b).norm() / spread;
}

std::vector<Law> laws() {
  const auto first = [](const Row& x) { return x[0]; };
  const auto one = [](const Row&) { return 1.0; };
  return {
      {"kepler.csv",
       "target",
       {"a"},
       {[](const Row& x) { return std::pow(x[0], 1.5); }},
       same,
       line(0.3, 40)},
      {"hubble.csv", "target", {"D"}, {first}, same, line(0.02, 2.5)},
      {"leavitt.csv",
       "target",
       {"P"},
       {[](const Row& x) { return std::log(x[0]); }, one},
       same,
       line(1, 150)},
      // y = log(c + c exp(c n)): exp(y) is a constant and an exponential; the base is 2 to within
      // the noise.
      {"bode.csv",
       "target_log",
       {"n"},
       {one, [](const Row& x) { return std::pow(1.9874, x[0]); }},
       [](double y) { return std::exp(y); },
       line(0, 8)},
      {"ideal_gas.csv",
       "target_log",
       {"n", "T", "V"},
       {[](const Row& x) { return std::log(x[0] * x[1] / x[2]); }, one},
       same,
       box()},
  };
}

TEST(SearchLaws, StandOnTheFrontForEverySeed) {
  const std::string folder = shared_data() + "/empiricalbench/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared data here";
  TaskPool pool(2);
  for (const Law& law : laws()) {
    const Table table = read_csv(folder + law.file, {}).value();
    std::vector<std::size_t> columns;
    for (const std::string& name : law.inputs) columns.push_back(table.find(name).value());
    const FitData data{view(table, columns).value(),
                       table.numeric_column(table.find(law.target).value()).value(),
                       {}};
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      SearchOptions options;
      options.seed = seed;
      const SearchReport report = run_search(data, law.inputs, options, {}, pool).value();
      double best = HUGE_VAL;
      std::string front;
      for (const FrontEntry& entry : report.front) {
        best = std::min(best, misfit(entry.expr, law));
        front += "\n  " + print(entry.expr, {.digits = 5});
      }
      // The function of the law itself, up to rounding of constants; Bode's base is fitted to noisy
      // data.
      EXPECT_LE(best, std::string(law.file) == "bode.csv" ? 1e-2 : 1e-6)
          << law.file << " seed " << seed << front;
    }
  }
}

}  // namespace
}  // namespace vieta
