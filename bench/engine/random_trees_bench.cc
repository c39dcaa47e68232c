// random_trees_bench: node evaluations a second on the suite's random trees, one thread. Writes
// JSON to standard output, the trees in postfix order with it: beside.py evaluates them with
// another program. Usage: random_trees_bench ROWS

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/aligned.h"
#include "base/rng.h"
#include "engine/suite.h"
#include "eval/evaluate.h"
#include "program/lower.h"
#include "timing.h"

namespace {

using namespace vieta;
using nlohmann::json;

template <class T>
class Runner {
 public:
  explicit Runner(std::size_t rows) : out_(rows) {
    Rng rng(5, 0, 0);
    for (std::size_t v = 0; v < bench::kVariables; ++v) {
      memory_.emplace_back(rows + 16);
      for (T& x : memory_.back()) x = static_cast<T>(0.5 + 1.5 * rng.uniform());
      view_.pointers.push_back(memory_.back().data());
    }
    view_.rows = rows;
    view_.readable = rows + 16;
  }

  void add(const Expr& expr) {
    const Program program = lower(expr);
    TileCoder().value(program, codes_.emplace_back());
    uniforms_.push_back(uniforms_of(program, {}));
  }

  void run(kernels::Target target) {
    T* const out = out_.data();
    for (std::size_t i = 0; i < codes_.size(); ++i)
      run_code<T>(codes_[i], view_, uniforms_[i], {&out, 1}, workspaces_, {.target = target});
  }

 private:
  std::vector<AlignedVector<T>> memory_;
  ColumnsView<T> view_;
  AlignedVector<T> out_;
  std::vector<TileCode> codes_;
  std::vector<std::vector<double>> uniforms_;
  std::vector<Workspace<T>> workspaces_{1};
};

json postfix(const Expr& expr) {
  json nodes = json::array();
  for (const Node& node : expr.nodes()) {
    if (node.kind == NodeKind::call) {
      nodes.push_back(std::string(info(node.op).name));
    } else if (node.kind == NodeKind::variable) {
      nodes.push_back({{"variable", node.index}});
    } else {
      nodes.push_back(node.value);
    }
  }
  return nodes;
}

json measure(const std::vector<Expr>& exprs, std::size_t rows) {
  Runner<float> f32(rows);
  Runner<double> f64(rows);
  for (const Expr& expr : exprs) {
    f32.add(expr);
    f64.add(expr);
  }
  const auto t = bench::best_times(
      {[&] { f32.run(kernels::fast_target()); }, [&] { f32.run(kernels::best_target()); },
       [&] { f64.run(kernels::fast_target()); }, [&] { f64.run(kernels::best_target()); }},
      5);
  return {{"f32 fast", t[0]}, {"f32 exact", t[1]}, {"f64 fast", t[2]}, {"f64 exact", t[3]}};
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t rows = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
  json out;
  for (const bool arithmetic : {true, false}) {
    std::vector<Expr> exprs;
    json trees = json::array();
    for (const auto& formula : bench::make_suite()) {
      if (formula.arithmetic != arithmetic || !formula.name.starts_with("random")) continue;
      exprs.push_back(formula.expr);
      trees.push_back(postfix(formula.expr));
    }
    out[arithmetic ? "arithmetic" : "functions"] = {{"trees", trees},
                                                    {"seconds", measure(exprs, rows)}};
  }
  std::cout << out << "\n";
}
