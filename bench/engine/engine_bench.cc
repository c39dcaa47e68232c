// engine_bench: value, gradient and Hessian of the suite's formulas beside hand-written loops, in
// one run and on one thread. Prints a table, writes JSON to the file named by the first argument.

#include <fmt/core.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/aligned.h"
#include "base/rng.h"
#include "engine/loops.h"
#include "engine/suite.h"
#include "eval/evaluate.h"
#include "expr/operators.h"
#include "expr/parse.h"
#include "fit/loss_derivatives.h"
#include "program/lower.h"
#include "timing.h"

namespace {

using namespace vieta;
using bench::SuiteFormula;

// Geometric means by group.
class Means {
 public:
  void add(const std::string& group, double ratio) {
    auto& [sum, count] = groups_[group];
    sum += std::log(ratio);
    ++count;
  }
  std::map<std::string, double> values() const {
    std::map<std::string, double> out;
    for (const auto& [group, g] : groups_) out[group] = std::exp(g.first / g.second);
    return out;
  }

 private:
  std::map<std::string, std::pair<double, int>> groups_;
};

template <class T>
struct Columns {
  std::vector<AlignedVector<T>> memory;
  ColumnsView<T> view;
  explicit Columns(std::size_t rows) {
    Rng rng(5, 0, 0);
    for (std::size_t v = 0; v < bench::kVariables; ++v) {
      memory.emplace_back(rows + 16);
      for (T& x : memory.back()) x = static_cast<T>(0.5 + 1.5 * rng.uniform());
    }
    for (const auto& column : memory) view.pointers.push_back(column.data());
    view.rows = rows;
    view.readable = rows + 16;
  }
};

// Code of one order, with memory for its outputs.
template <class T>
struct Runner {
  TileCode code;
  std::vector<AlignedVector<T>> memory;
  std::vector<T*> outputs;
  std::vector<Workspace<T>> workspaces{1};

  void reserve(std::size_t rows) {
    for (std::size_t j = 0; j < code.outputs; ++j) memory.emplace_back(rows);
    for (auto& m : memory) outputs.push_back(m.data());
  }
  void run(const Columns<T>& x, std::span<const double> uniforms, kernels::Target target) {
    run(code, x, uniforms, target);
  }
  // Other code of as many outputs, in the same memory: where that lies makes a difference too.
  void run(const TileCode& other, const Columns<T>& x, std::span<const double> uniforms,
           kernels::Target target) {
    run_code<T>(other, x.view, uniforms, outputs, workspaces, {.target = target});
  }
};

template <class T>
void measure(const std::vector<SuiteFormula>& suite, std::size_t rows, Means& means,
             nlohmann::json& json) {
  const Columns<T> x(rows);
  const char* type = sizeof(T) == 8 ? "f64" : "f32";
  fmt::print("\n{}, {} rows\n{:<28} {:>9} {:>9} {:>9} {:>9} {:>6} {:>6} {:>8} {:>8}\n", type, rows,
             "formula", "loop ns", "exact", "fast", "Gnode/s", "grad", "hess", "fast/loop",
             "consts");
  for (std::size_t i = 0; i < suite.size(); ++i) {
    const Expr& expr = suite[i].expr;
    const Program exact_program = lower(expr, {.tunable = true});
    const Program program = lower(expr, {.tunable = true, .reciprocals = true});
    const std::vector<double> uniforms = uniforms_of(program, {});
    std::vector<Operand> leaves;
    for (const std::uint32_t u : program.uniform_of_constant)
      leaves.push_back({Operand::Kind::uniform, u});
    TileCoder coder;
    TileCode exact_code;
    Runner<T> value;
    Runner<T> gradient;
    Runner<T> hessian;
    coder.value(exact_program, exact_code);
    coder.value(program, value.code);
    coder.gradient(program, leaves, gradient.code);
    // The goal speaks of four constants.
    const std::span<const Operand> four =
        std::span(leaves).first(std::min<std::size_t>(4, leaves.size()));
    coder.hessian(program, four, hessian.code);
    for (Runner<T>* runner : {&value, &gradient, &hessian}) runner->reserve(rows);
    AlignedVector<T> out(rows);
    const auto fast = kernels::fast_target();
    const auto exact = kernels::best_target();
    const auto t = bench::best_times({
        [&] { bench::loops<T>()[i](x.view.pointers.data(), out.data(), rows); },
        [&] { value.run(exact_code, x, uniforms, exact); },
        [&] { value.run(x, uniforms, fast); },
        [&] { gradient.run(x, uniforms, fast); },
        [&] { hessian.run(x, uniforms, fast); },
    });
    const double n = static_cast<double>(rows);
    const double nodes = static_cast<double>(expr.size());
    const char* const kind = suite[i].arithmetic ? "arithmetic" : "functions";
    const bool four_or_more = leaves.size() >= 4;
    for (const std::string& group :
         {fmt::format("{} {} {}", type, rows, kind), fmt::format("{} all rows {}", type, kind)}) {
      means.add(group + ": value fast / loop", t[2] / t[0]);
      means.add(group + ": value exact / loop", t[1] / t[0]);
      if (four_or_more) means.add(group + ": gradient (>= 4 constants) / value", t[3] / t[2]);
      if (four_or_more) means.add(group + ": hessian (4 constants) / value", t[4] / t[2]);
    }
    if (four_or_more) {
      means.add(fmt::format("{} all: gradient (>= 4 constants) / value", type), t[3] / t[2]);
      means.add(fmt::format("{} all: hessian (4 constants) / value", type), t[4] / t[2]);
    }
    fmt::print("{:<28} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.2f} {:>6.2f} {:>6.2f} {:>8.2f} {:>8}\n",
               suite[i].name, t[0] / n * 1e9, t[1] / n * 1e9, t[2] / n * 1e9,
               nodes * n / t[2] * 1e-9, t[3] / t[2], t[4] / t[2], t[2] / t[0], leaves.size());
    json.push_back({{"formula", suite[i].name},
                    {"type", type},
                    {"rows", rows},
                    {"loop_s", t[0]},
                    {"exact_s", t[1]},
                    {"fast_s", t[2]},
                    {"gradient_s", t[3]},
                    {"hessian_s", t[4]},
                    {"constants", leaves.size()},
                    {"nodes", expr.size()}});
  }
}

// Two threads against one, and float against double, on the same formulas.
template <class T>
double total_seconds(const std::vector<SuiteFormula>& suite, std::size_t rows, TaskPool* pool) {
  const Columns<T> x(rows);
  double sum = 0;
  for (const SuiteFormula& f : suite) {
    const Program program = lower(f.expr, {.reciprocals = true});
    Runner<T> value;
    TileCoder coder;
    coder.value(program, value.code);
    value.reserve(rows);
    value.workspaces = std::vector<Workspace<T>>(pool == nullptr ? 1 : pool->threads());
    const std::vector<double> uniforms = uniforms_of(program, {});
    sum += bench::best_times({[&] {
      run_code<T>(value.code, x.view, uniforms, value.outputs, value.workspaces,
                  {.target = kernels::fast_target(), .pool = pool});
    }})[0];
  }
  return sum;
}

// The gradient of a sum of squares with respect to five constants against the plain loop's value.
// `first`: where the formulas' loops begin.
void measure_loss_gradients(const std::vector<SuiteFormula>& suite, std::size_t first,
                            std::size_t rows, Means& means) {
  const Columns<double> x(rows);
  AlignedVector<double> target(rows, 1.0);
  AlignedVector<double> out(rows);
  fmt::print("\nloss and its gradient by five constants, f64, {} rows\n{:<28} {:>9} {:>9} {:>6}\n",
             rows, "formula", "loop ns", "ours ns", "ratio");
  for (std::size_t i = 0; i < suite.size(); ++i) {
    const Expr& expr = suite[i].expr;
    std::vector<Leaf> leaves;
    for (std::size_t c = 0; c < expr.count_constants(); ++c)
      leaves.push_back({Leaf::Kind::constant, c});
    const FitData data{x.view, {target.data(), rows}, {}, {}};
    LossGradient loss(expr, data, {}, leaves, kernels::fast_target());
    const std::vector<double> point = expr.constants();
    std::vector<double> gradient(point.size());
    if (!std::isfinite(loss(point, gradient))) continue;  // would be done after a tile
    const auto t = bench::best_times({
        [&] { bench::loops<double>()[first + i](x.view.pointers.data(), out.data(), rows); },
        [&] { loss(point, gradient); },
    });
    const double n = static_cast<double>(rows);
    for (const char* group : {suite[i].arithmetic ? "arithmetic" : "functions", "all"})
      means.add(fmt::format("loss gradient, {} rows, {} / loop", rows, group), t[1] / t[0]);
    fmt::print("{:<28} {:>9.3f} {:>9.3f} {:>6.2f}\n", suite[i].name, t[0] / n * 1e9, t[1] / n * 1e9,
               t[1] / t[0]);
  }
}

// The same formula, read, lowered and evaluated, where its operator is one of 64 of the user's
// against one of 8.
double many_operators_over_few() {
  const std::size_t rows = 1000;
  const Columns<double> x(rows);
  std::vector<std::string> names;
  for (std::size_t v = 0; v < bench::kVariables; ++v) names.push_back("x" + std::to_string(v + 1));
  const auto with = [&](int count) {
    Operators ops;
    for (int i = 0; i < count; ++i) {
      const std::string number = std::to_string(i);
      ops.define("soft" + number + "(a, b) = a > b ? a*b + " + number + " : exp(a - b)").value();
    }
    return ops;
  };
  const Operators few = with(8);
  const Operators many = with(64);
  const auto evaluated = [&](const Operators& ops) {
    const Expr expr =
        parse("x1*soft5(x1, x2) + soft7(x2, 0.5)", {.variables = names, .operators = &ops}).value();
    return evaluate<double>(expr, x.view, {}, {}, 0);
  };
  const auto t = bench::best_times({[&] { evaluated(few); }, [&] { evaluated(many); }});
  return t[1] / t[0];
}

}  // namespace

int main(int argc, char** argv) {
  const auto suite = bench::make_suite();
  Means means;
  nlohmann::json json;
  nlohmann::json& runs = json["runs"] = nlohmann::json::array();
  fmt::print(
      "Engine. One thread; nanoseconds a row, best of 15; grad and hess as multiples of the fast "
      "value.\n");
  for (const std::size_t rows : {1000U, 100000U}) {
    measure<double>(suite, rows, means, runs);
    measure<float>(suite, rows, means, runs);
  }
  for (const std::size_t rows : {1000U, 100000U})
    measure_loss_gradients(bench::make_loss_suite(), suite.size(), rows, means);
  TaskPool two(2);
  fmt::print("\n{:<62} {:>8}\n", "geometric means", "ratio");
  for (const auto& [group, ratio] : means.values()) fmt::print("{:<62} {:>8.2f}\n", group, ratio);
  const double one_thread = total_seconds<double>(suite, 100000, nullptr);
  const double two_threads = total_seconds<double>(suite, 100000, &two);
  const double f64 = total_seconds<double>(suite, 1000, nullptr);
  const double f32 = total_seconds<float>(suite, 1000, nullptr);
  fmt::print("{:<62} {:>8.2f}\n{:<62} {:>8.2f}\n", "two threads / one, throughput, 100000 rows",
             one_thread / two_threads, "f32 / f64, throughput, 1000 rows", f64 / f32);
  const double many = many_operators_over_few();
  fmt::print("{:<62} {:>8.2f}\n", "64 operators of the user's / 8, the same formula", many);
  json["many_operators_over_few"] = many;
  json["means"] = means.values();
  json["two_threads_over_one"] = one_thread / two_threads;
  json["f32_over_f64"] = f64 / f32;
  if (argc > 1) std::ofstream(argv[1]) << json.dump(1) << "\n";
}
