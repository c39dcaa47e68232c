// many_formulas_bench: many formulas over the same rows, in one call and one by one, one thread and
// two: the suite's, populations of random trees that have little in common, and of their mutants as
// a search makes them. Prints tables.

#include <fmt/core.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/aligned.h"
#include "base/rng.h"
#include "engine/suite.h"
#include "eval/evaluate_all.h"
#include "eval/prepared_formula.h"
#include "search/grammar.h"
#include "search/variation.h"
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

// `parents` random trees of 10 to 39 nodes and of each `mutants` with one random change; without
// mutants the trees themselves.
std::vector<Expr> population(const char* operators, std::size_t parents, std::size_t mutants) {
  const auto symbols = std::make_shared<const Symbols>(Symbols{{"x1", "x2", "x3", "x4", "x5"}, {}});
  const Grammar grammar = make_grammar(operators, bench::kVariables, 60).value();
  Variation variation(grammar);
  Rng rng(7, 0, 0);
  std::vector<Expr> all;
  for (std::size_t p = 0; p < parents; ++p) {
    Tree tree;
    append_random_tree(grammar, 10 + rng.below(30), rng, tree);
    for (Node& node : tree) {
      if (node.is_constant()) node.value = 0.5 + rng.uniform();
    }
    for (std::size_t m = 0; m < mutants; ++m) {
      Tree changed = tree;
      variation.mutate(changed, rng);
      all.emplace_back(std::move(changed), symbols);
    }
    if (mutants == 0) all.emplace_back(std::move(tree), symbols);
  }
  return all;
}

void measure(const std::string& name, const std::vector<Expr>& exprs,
             const std::vector<std::size_t>& row_counts, TaskPool& two) {
  fmt::print("\n{}: {} formulas, ns a row and formula\n{:>9} {:>11} {:>9} {:>12} {:>6}\n", name,
             exprs.size(), "rows", "one by one", "one call", "two threads", "ratio");
  for (const std::size_t rows : row_counts) {
    const Columns x(rows);
    const EvalOptions one{.target = kernels::fast_target()};
    const EvalOptions threads{.target = kernels::fast_target(), .pool = &two};
    const auto t =
        bench::best_times({[&] {
                             // One scratch, and all results are kept, as the one call does.
                             PreparedFormula<double> formula;
                             std::vector<Evaluation<double>> all(exprs.size());
                             for (std::size_t i = 0; i < exprs.size(); ++i) {
                               formula.prepare(exprs[i], {}, 0, one);
                               all[i] = formula.evaluate(x.view, {}, one);
                             }
                           },
                           [&] { (void)evaluate_all<double>(exprs, x.view, {}, {}, 0, one); },
                           [&] { (void)evaluate_all<double>(exprs, x.view, {}, {}, 0, threads); }},
                          9);
    const double scale = 1e9 / static_cast<double>(rows * exprs.size());
    fmt::print("{:>9} {:>11.3f} {:>9.3f} {:>12.3f} {:>6.2f}\n", rows, t[0] * scale, t[1] * scale,
               t[2] * scale, t[0] / t[1]);
  }
}

}  // namespace

int main() {
  TaskPool two(2);
  std::vector<Expr> suite;
  for (const auto& f : bench::make_suite()) suite.push_back(f.expr);
  measure("suite", suite, {100, 1000, 100000, 1000000}, two);
  const std::vector<std::pair<std::string, const char*>> grammars{
      {"functions", "+ - * / exp cos log tanh"}, {"arithmetic", "+ - * /"}};
  for (const auto& [name, operators] : grammars) {
    measure(name + ", unrelated", population(operators, 256, 0), {100, 1000, 10000}, two);
    measure(name + ", mutants", population(operators, 32, 8), {100, 1000, 10000}, two);
  }
}
