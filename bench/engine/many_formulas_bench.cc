// many_formulas_bench: the suite's formulas over the same rows, in one call and one by one; one
// thread. Prints a table.

#include <fmt/core.h>

#include <vector>

#include "base/aligned.h"
#include "base/rng.h"
#include "engine/suite.h"
#include "eval/evaluate_all.h"
#include "eval/prepared_formula.h"
#include "timing.h"

namespace {

using namespace vieta;

struct Columns {
  std::vector<AlignedVector<double>> memory;
  ColumnsView<double> view;
  explicit Columns(std::size_t rows) {
    Rng rng(5, 0, 0);
    for (std::size_t v = 0; v < bench::kVariables; ++v) {
      memory.emplace_back(rows + 16);
      for (double& x : memory.back()) x = 0.5 + 1.5 * rng.uniform();
    }
    for (const auto& column : memory) view.pointers.push_back(column.data());
    view.rows = rows;
    view.readable = rows + 16;
  }
};

}  // namespace

int main() {
  std::vector<Expr> exprs;
  for (const auto& f : bench::make_suite()) exprs.push_back(f.expr);
  TaskPool two(2);
  fmt::print("{} formulas, ns a row and formula\n{:>9} {:>11} {:>9} {:>12}\n", exprs.size(), "rows",
             "one by one", "one call", "two threads");
  for (const std::size_t rows : {100U, 1000U, 100000U, 1000000U}) {
    const Columns x(rows);
    const EvalOptions one{.target = kernels::fast_target()};
    const EvalOptions threads{.target = kernels::fast_target(), .pool = &two};
    const auto t =
        bench::best_times({[&] {
                             // All results are kept, as the one call keeps them.
                             std::vector<Evaluation<double>> all;
                             for (const Expr& expr : exprs)
                               all.push_back(evaluate<double>(expr, x.view, {}, {}, 0, one));
                           },
                           [&] { (void)evaluate_all<double>(exprs, x.view, {}, {}, 0, one); },
                           [&] { (void)evaluate_all<double>(exprs, x.view, {}, {}, 0, threads); }},
                          5);
    const double scale = 1e9 / static_cast<double>(rows * exprs.size());
    fmt::print("{:>9} {:>11.3f} {:>9.3f} {:>12.3f}\n", rows, t[0] * scale, t[1] * scale,
               t[2] * scale);
  }
}
