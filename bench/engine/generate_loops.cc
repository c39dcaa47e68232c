// generate_loops: writes every formula of the suite as the C++ loop a person would write by hand.
// The build compiles them with -O3 -march=native -ffast-math: the limit the engine is measured
// against.

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "base/number_text.h"
#include "engine/suite.h"

namespace {

using namespace vieta;

std::string number(double value, bool single) {
  std::string text = number_text(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return single ? text + "F" : text;
}

std::string body(const Expr& expr, bool single) {
  std::vector<std::string> stack;
  for (const Node& node : expr.nodes()) {
    if (node.kind == NodeKind::variable) {
      stack.push_back(fmt::format("x{}[r]", node.index));
    } else if (node.kind == NodeKind::constant) {
      stack.push_back("(" + number(node.value, single) + ")");
    } else if (node.arity() == 1) {
      const std::string function =
          node.op == Op::neg ? "-" : "std::" + std::string(info(node.op).id);
      stack.back() = fmt::format("{}({})", function, stack.back());
    } else {
      const std::string right = stack.back();
      stack.pop_back();
      stack.back() = fmt::format("({} {} {})", stack.back(), info(node.op).name, right);
    }
  }
  return stack.back();
}

}  // namespace

int main() {
  auto suite = bench::make_suite();
  std::ranges::move(bench::make_loss_suite(), std::back_inserter(suite));
  fmt::print(
      "#include <cmath>\n#include <cstddef>\n#include \"engine/loops.h\"\nnamespace vieta::bench "
      "{{\nnamespace {{\n");
  for (const bool single : {false, true}) {
    const char* type = single ? "float" : "double";
    for (std::size_t i = 0; i < suite.size(); ++i) {
      fmt::print(
          "void loop_{0}_{1}([[maybe_unused]] const {0}* const* x, {0}* __restrict out, "
          "std::size_t n) {{\n",
          type, i);
      for (std::size_t v = 0; v < bench::kVariables; ++v) {
        fmt::print("  [[maybe_unused]] const {0}* __restrict x{1} = x[{1}];\n", type, v);
      }
      fmt::print("  for (std::size_t r = 0; r < n; ++r) out[r] = {};\n}}\n",
                 body(suite[i].expr, single));
    }
  }
  fmt::print("}}\n");
  for (const char* type : {"double", "float"}) {
    fmt::print(
        "template <> const Loop<{0}>* loops<{0}>() {{\n  static constexpr Loop<{0}> all[] = {{",
        type);
    for (std::size_t i = 0; i < suite.size(); ++i) fmt::print("loop_{}_{}, ", type, i);
    fmt::print("}};\n  return all;\n}}\n");
  }
  fmt::print("}}\n");
}
