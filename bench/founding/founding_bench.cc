// The founding example beside the engine: the same formula as a tree that a recursive evaluator
// walks, differentiated by the tape, and as a program. Prints a table, writes JSON.
#include <fmt/format.h>

#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "eval/evaluate.h"
#include "expr/parse.h"
#include "founding/formula.h"
#include "founding/gradient.h"
#include "founding/operators.h"
#include "program/lower.h"
#include "program/tile_code.h"
#include "timing.h"

namespace {

using founding::Matrix;
using founding::Node;
using founding::Tree;
using Ops = founding::FirstOperators<4, 4>;

constexpr std::size_t kRows = 1000;
constexpr std::size_t kFeatures = 3;

// Places in FirstOperators<4, 4>.
enum Place : std::size_t { add = 0, subtract = 1, multiply = 2, cosine = 0, sine = 2 };

Tree twenty_nodes() {
  using namespace founding;
  Tree a = unary(cosine, binary(multiply, feature(0), constant(2.1)));
  Tree b = binary(subtract, feature(1), constant(0.3));
  Tree c = unary(sine, binary(add, feature(2), binary(multiply, constant(0.7), feature(0))));
  Tree d = binary(multiply, unary(cosine, feature(1)),
                  unary(sine, binary(subtract, feature(0), feature(2))));
  return binary(add, binary(multiply, std::move(a), std::move(b)),
                binary(add, std::move(c), std::move(d)));
}

// Code of one order with memory for what it writes.
struct Runner {
  vieta::TileCode code;
  std::vector<std::vector<double>> memory;
  std::vector<double*> outputs;
  std::vector<vieta::Workspace<double>> workspaces{1};

  void reserve() {
    memory.assign(code.outputs, std::vector<double>(kRows));
    for (auto& column : memory) outputs.push_back(column.data());
  }
  void run(const vieta::ColumnsView<double>& columns, const std::vector<double>& uniforms) {
    vieta::run_code<double>(code, columns, uniforms, outputs, workspaces, {});
  }
};

void report(const std::string& name, const Node<double>& tree, nlohmann::json& json) {
  Matrix<double> data(kFeatures, kRows);
  vieta::Rng rng(1, 0, 0);
  for (double& cell : data.cells) cell = 4 * rng.uniform() - 2;
  Matrix<double> shadow(kFeatures, kRows);
  std::vector<double> out(kRows);
  std::vector<double> weights(kRows);

  const vieta::Expr expr =
      vieta::parse(founding::formula_text(tree), {.variables = {"x1", "x2", "x3"}}).value();
  const vieta::Program program = vieta::lower(expr);
  vieta::ColumnsView<double> columns{.pointers = {}, .rows = kRows, .readable = kRows};
  std::vector<vieta::Operand> leaves;
  for (std::size_t f = 0; f < kFeatures; ++f) columns.pointers.push_back(data.column(f));
  for (const std::uint32_t v : program.variables)
    leaves.push_back({vieta::Operand::Kind::variable, v});
  const std::vector<double> uniforms = vieta::uniforms_of(program, {});
  vieta::TileCoder coder;
  Runner value;
  Runner gradient;
  coder.value(program, value.code);
  coder.gradient(program, leaves, gradient.code);
  value.reserve();
  gradient.reserve();

  const auto t = vieta::bench::best_times({
      [&] { out = founding::evaluate<2>(tree, data, Ops()).values; },
      [&] {
        weights.assign(kRows, 1);
        founding::gradient<2>(tree, data, Ops(), out, weights, shadow);
      },
      [&] { value.run(columns, uniforms); },
      [&] { gradient.run(columns, uniforms); },
  });
  fmt::print("{:<14} {:>10.1f} {:>10.1f} {:>10.1f} {:>10.1f}   {:>8.2f} {:>8.2f}\n", name,
             t[0] * 1e6, t[1] * 1e6, t[2] * 1e6, t[3] * 1e6, t[1] / t[0], t[3] / t[0]);
  json.push_back({{"tree", name},
                  {"primal_us", t[0] * 1e6},
                  {"tape_gradient_us", t[1] * 1e6},
                  {"engine_value_us", t[2] * 1e6},
                  {"engine_gradient_us", t[3] * 1e6}});
}

}  // namespace

int main(int count, char** arguments) {
  using namespace founding;
  nlohmann::json json = nlohmann::json::array();
  fmt::print("The founding example and the engine, {} rows, microseconds\n", kRows);
  fmt::print("{:<14} {:>10} {:>10} {:>10} {:>10}   {:>8} {:>8}\n", "tree", "primal", "gradient",
             "engine", "gradient", "gradient", "engine's");
  fmt::print("{:<14} {:>10} {:>10} {:>10} {:>10}   {:>8} {:>8}\n", "", "(plain)", "(tape)", "value",
             "(engine)", "/ primal", "/ primal");
  report("x1 + cos(x2)", *binary(add, feature(0), unary(cosine, feature(1))), json);
  report("20 nodes", *twenty_nodes(), json);
  if (count > 1) std::ofstream(arguments[1]) << json.dump(1) << "\n";
}
