#include "engine/suite.h"

#include <fmt/format.h>

#include <memory>

#include "base/check.h"
#include "base/rng.h"
#include "eval/evaluate.h"
#include "expr/parse.h"
#include "search/grammar.h"

namespace vieta::bench {
namespace {

const std::vector<std::string> kNames = {"x1", "x2", "x3", "x4", "x5"};

// Shapes that an engine with kernels for pairs and triples of operators has a kernel for.
constexpr const char* kShapes[] = {
    "x1 + x2",
    "x1*2.5",
    "x1 + cos(x2)",
    "x1*cos(x2 - 3.2)",
    "cos(x1 + x2)",
    "exp(x1*0.3)",
    "cos(exp(x1))",
    "tanh(x1 - x2)",
    "log(x1)*x2",
    "x1/(x2 + 1.5)",
    "(x1 + x2)*x3",
    "x1*(x2 - x3)",
    "(x1 - 0.5)*(x2 + x3)",
    "exp(-x1*x1)*x2",
    "x1*x2 + x3*x4 + x5",
    "x1*x1*x1 - 2*x1*x2 + 0.5",
};

// A constant is a variable now and then: random trees of the field's benchmarks are about half of
// each.
Expr random_tree(const Grammar& grammar, std::size_t size, Rng& rng,
                 const std::shared_ptr<const Symbols>& symbols) {
  Tree tree;
  append_random_tree(grammar, size, rng, tree);
  for (Node& node : tree) {
    if (node.is_constant()) node.value = 0.5 + rng.uniform();
  }
  return Expr(std::move(tree), symbols);
}

Grammar grammar_of(bool arithmetic) {
  return make_grammar(arithmetic ? "+ - * /" : "+ - * / exp cos log tanh", kVariables, 60).value();
}

bool is_finite(const Expr& expr) {
  constexpr std::size_t kRows = 1000;
  std::vector<std::vector<double>> columns(kVariables, std::vector<double>(kRows));
  ColumnsView<double> view;
  Rng rng(5, 0, 0);
  for (auto& column : columns) {
    for (double& x : column) x = 0.5 + 1.5 * rng.uniform();
    view.pointers.push_back(column.data());
  }
  view.rows = view.readable = kRows;
  return evaluate<double>(expr, view, {}, {}, 0).status.ok;
}

}  // namespace

std::vector<SuiteFormula> make_loss_suite() {
  constexpr std::size_t kConstants = 5;
  constexpr std::size_t kEach = 8;
  std::vector<SuiteFormula> suite;
  const auto symbols = std::make_shared<const Symbols>(Symbols{kNames, {}});
  for (const bool arithmetic : {true, false}) {
    const Grammar grammar = grammar_of(arithmetic);
    std::size_t found = 0;
    for (std::uint32_t i = 0; found < kEach; ++i) {
      Rng rng(2026, 5, i);
      Expr expr = random_tree(grammar, arithmetic ? 19 : 20, rng, symbols);
      if (expr.count_constants() != kConstants || !is_finite(expr)) continue;
      suite.push_back({fmt::format("{} #{}", arithmetic ? "arithmetic" : "functions", ++found),
                       std::move(expr), arithmetic});
    }
  }
  return suite;
}

std::vector<SuiteFormula> make_suite() {
  std::vector<SuiteFormula> suite;
  for (const char* text : kShapes) {
    const std::string shape = text;
    const bool arithmetic =
        shape.find_first_of("etg") == std::string::npos && shape.find("cos") == std::string::npos;
    suite.push_back({shape, parse(text, {.variables = kNames}).value(), arithmetic});
  }
  const auto symbols = std::make_shared<const Symbols>(Symbols{kNames, {}});
  for (const bool arithmetic : {true, false}) {
    const Grammar grammar = grammar_of(arithmetic);
    for (const std::size_t size : {20U, 48U}) {
      // Binary trees have an odd number of nodes.
      const std::size_t nodes = arithmetic ? size - 1 : size;
      for (std::uint32_t i = 0; i < 4; ++i) {
        Rng rng(2026, static_cast<std::uint32_t>(size), i + (arithmetic ? 0 : 100));
        suite.push_back(
            {fmt::format("random {} {} #{}", arithmetic ? "arithmetic" : "functions", nodes, i + 1),
             random_tree(grammar, nodes, rng, symbols), arithmetic});
      }
    }
  }
  return suite;
}

}  // namespace vieta::bench
