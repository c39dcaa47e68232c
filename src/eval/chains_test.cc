// Chains against the steps they are made of.

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/aligned.h"
#include "base/rng.h"
#include "eval/evaluate.h"
#include "expr/parse.h"
#include "program/lower.h"

namespace vieta {
namespace {

template <class T>
struct Result {
  std::vector<AlignedVector<T>> columns;
  EvalStatus status;
  std::vector<std::uint8_t> ok_rows;
};

template <class T>
Result<T> run(const TileCode& code, const ColumnsView<T>& x, const Program& program,
              kernels::Target target) {
  Result<T> result;
  std::vector<T*> outputs;
  for (std::size_t j = 0; j < code.outputs; ++j) result.columns.emplace_back(x.rows);
  for (auto& column : result.columns) outputs.push_back(column.data());
  result.ok_rows.resize(x.rows);
  std::vector<Workspace<T>> workspaces(1);
  result.status = run_code<T>(code, x, uniforms_of(program, {}), outputs, workspaces,
                              {.target = target}, result.ok_rows);
  return result;
}

template <class T>
void expect_same(const Expr& expr, std::size_t rows, bool broken) {
  std::vector<AlignedVector<T>> memory;
  ColumnsView<T> x;
  Rng rng(3, 0, 0);
  for (int v = 0; v < 3; ++v) {
    memory.emplace_back(rows);
    for (T& value : memory.back()) value = static_cast<T>(0.5 + rng.uniform());
  }
  if (broken) memory[0][rows - 1] = memory[1][rows / 2] = std::numeric_limits<T>::infinity();
  for (const auto& column : memory) x.pointers.push_back(column.data());
  x.rows = x.readable = rows;
  const Program program = lower(expr, {.tunable = true});
  std::vector<Operand> leaves;
  for (std::uint32_t v = 0; v < 3; ++v) leaves.push_back({Operand::Kind::variable, v});
  for (const std::uint32_t u : program.uniform_of_constant)
    leaves.push_back({Operand::Kind::uniform, u});
  for (const int order : {0, 1, 2}) {
    TileCoder coder;
    const auto coded = [&](bool chains) {
      TileCode code;
      coder.set_chains(chains);
      if (order == 0) coder.value(program, code);
      if (order == 1) coder.gradient(program, leaves, code);
      if (order == 2) coder.hessian(program, leaves, code);
      return code;
    };
    const TileCode code = coded(true);
    const TileCode steps = coded(false);
    for (const kernels::Target target : kernels::kTargets) {
      if (!kernels::has_target(target)) continue;
      const Result<T> chained = run<T>(code, x, program, target);
      const Result<T> stepped = run<T>(steps, x, program, target);
      EXPECT_EQ(chained.status.ok, stepped.status.ok);
      EXPECT_EQ(chained.status.first_bad_row, stepped.status.first_bad_row);
      EXPECT_EQ(chained.ok_rows, stepped.ok_rows);
      for (std::size_t j = 0; j < code.outputs; ++j) {
        for (std::size_t r = 0; r < rows; ++r) {
          const T a = chained.columns[j][r];
          const T b = stepped.columns[j][r];
          // Which of two NaN an operation passes on is nobody's promise.
          EXPECT_TRUE(std::memcmp(&a, &b, sizeof(T)) == 0 || (a != a && b != b))
              << "order " << order << ", output " << j << ", row " << r << ": " << a << ", " << b;
        }
      }
    }
  }
}

TEST(Chains, GiveTheBitsOfTheirSteps) {
  for (const std::string text :
       {"a*b + 2.5", "2 - a", "a/b - c/(a + 1.5)", "(a + b)*(b + c)/(a - c)", "-(a*a)*(b - 0.5)^2",
        "exp(a*b - 1) * log(c + a) - sqrt(a*b)*abs(c - 1)", "square(a - b)*cube(c) + inv(a*c)",
        "a*b + a*c + b*c + (a*b)*(a*c)", "(a - 1)*if(b > 1, a*c, b/c) + 3*a",
        "1/(1 + exp(-3*a*b)) - c*c", "atan(a*b)*tan(c) + a", "2*3 + 0.5", "b"}) {
    const Expr expr = parse(text, {.variables = {"a", "b", "c"}}).value();
    for (const std::size_t rows : {1U, 3U, 31U, 64U, 77U, 1500U}) {
      SCOPED_TRACE(text + ", rows " + std::to_string(rows));
      expect_same<double>(expr, rows, false);
      expect_same<float>(expr, rows, false);
      expect_same<double>(expr, rows, true);
      expect_same<float>(expr, rows, true);
    }
  }
}

// More operators than one chain has links.
TEST(Chains, LongFormulasAreSeveral) {
  std::string text = "a";
  for (int i = 0; i < 400; ++i) text = "(" + text + (i % 2 == 0 ? " + b)" : ")*0.99");
  expect_same<double>(parse(text, {.variables = {"a", "b", "c"}}).value(), 40, false);
}

}  // namespace
}  // namespace vieta
