#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "base/counting_new.h"
#include "eval/evaluate.h"
#include "eval/prepared_formula.h"
#include "program/lower.h"

namespace vieta {
namespace {

Expr product_of_sines() {
  std::vector<Node> nodes{Node::variable(0), Node::constant(0.5)};
  append_call(nodes, Op::mul);
  append_call(nodes, Op::sin);
  nodes.push_back(Node::variable(1));
  append_call(nodes, Op::div);
  return Expr(nodes, std::make_shared<const Symbols>(Symbols{{"x", "y"}, {}}));
}

TEST(RunCode, AllocatesNothingOnceItsWorkspaceHasGrown) {
  const Program program = lower(product_of_sines(), {.tunable = true});
  const std::vector<Operand> leaves{{Operand::Kind::uniform, 0}, {Operand::Kind::variable, 1}};
  TileCoder coder;
  TileCode value;
  TileCode hessian;
  coder.value(program, value);
  coder.hessian(program, leaves, hessian);
  const std::vector<double> x(1003, 1.25);
  const ColumnsView<double> view{{x.data(), x.data()}, x.size(), x.size()};
  std::vector<Workspace<double>> workspaces(1);
  for (const TileCode* code : {&value, &hessian}) {
    std::vector<std::vector<double>> memory(code->outputs, std::vector<double>(x.size()));
    std::vector<double*> outputs;
    for (auto& m : memory) outputs.push_back(m.data());
    run_code<double>(*code, view, program.constants, outputs, workspaces);
    const std::size_t before = allocations;
    for (int i = 0; i < 10; ++i) {
      run_code<double>(*code, view, program.constants, outputs, workspaces);
    }
    EXPECT_EQ(allocations, before);
  }
}

TEST(RunCode, LeavesNaNWhereAnEarlyExitStopped) {
  std::vector<double> x(5000, 1.0);
  x[3] = 0;  // sin(x/2)/y with y = 0 is NaN there
  const ColumnsView<double> view{{x.data(), x.data()}, x.size(), x.size()};
  const auto all = evaluate<double>(product_of_sines(), view, {}, {}, 0);
  const auto some = evaluate<double>(product_of_sines(), view, {}, {}, 0, {.early_exit = true});
  EXPECT_FALSE(all.status.ok);
  EXPECT_FALSE(some.status.ok);
  EXPECT_EQ(some.status.first_bad_row, 3U);
  EXPECT_TRUE(std::isfinite(all.values.back()));
  EXPECT_TRUE(std::isnan(some.values.back()));
  EXPECT_EQ(some.values[0], all.values[0]);
}

TEST(RowMask, LeavesOutWhatAnEarlyExitDid) {
  std::vector<double> x(5000, 1.0);
  x[3] = 0;
  const ColumnsView<double> view{{x.data(), x.data()}, x.size(), x.size()};
  const auto found =
      evaluate<double>(product_of_sines(), view, {}, {}, 0, {.early_exit = true, .row_mask = true});
  EXPECT_EQ(found.ok_rows[0], 1);
  EXPECT_EQ(found.ok_rows[3], 0);
  EXPECT_EQ(found.ok_rows.back(), 0);
  EXPECT_TRUE(std::isnan(found.values.back()));
  EXPECT_TRUE(evaluate<double>(product_of_sines(), view, {}, {}, 0).ok_rows.empty());
}

TEST(RowMask, IsZeroEverywhereWhereAConstantIsNotFinite) {
  const Expr expr({Node::variable(0), Node::constant(HUGE_VAL), Node::call(Op::min, 3)},
                  std::make_shared<const Symbols>(Symbols{{"x"}, {}}));
  const std::vector<double> x(3000, 1.0);
  const ColumnsView<double> view{{x.data()}, x.size(), x.size()};
  TaskPool pool(2);
  for (TaskPool* threads : {static_cast<TaskPool*>(nullptr), &pool}) {
    const auto found = evaluate<double>(expr, view, {}, {}, 0, {.row_mask = true, .pool = threads});
    EXPECT_EQ(found.ok_rows, std::vector<std::uint8_t>(x.size(), 0));
    EXPECT_EQ(found.status.first_bad_row, 0U);
  }
}

struct Prepared {
  PreparedFormula<double> formula;
  std::vector<double> values, gradient, hessian;
  std::vector<std::uint8_t> ok_rows;

  Prepared(const std::vector<Leaf>& leaves, int order, std::size_t rows, EvalOptions options = {}) {
    formula.prepare(product_of_sines(), leaves, order, options);
    values.resize(rows);
    gradient.resize(rows * formula.gradient_columns());
    hessian.resize(rows * formula.hessian_columns());
    ok_rows.resize(rows);
  }
  EvalStatus run(const ColumnsView<double>& view, const EvalOptions& options = {}) {
    return formula.run(view, {}, {values, gradient, hessian, ok_rows}, options);
  }
};

const std::vector<Leaf> kLeaves{{Leaf::Kind::constant, 0}, {Leaf::Kind::variable, 1}};

TEST(PreparedFormula, AllocatesNothingAfterItsFirstRun) {
  const std::vector<double> x(5003, 1.25);
  const ColumnsView<double> view{{x.data(), x.data()}, x.size(), x.size()};
  TaskPool pool(3);
  for (int order = 0; order <= 2; ++order) {
    for (TaskPool* threads : {static_cast<TaskPool*>(nullptr), &pool}) {
      for (const bool early_exit : {false, true}) {
        const EvalOptions options{
            .early_exit = early_exit, .tunable_constants = true, .pool = threads};
        Prepared prepared(kLeaves, order, x.size(), options);
        prepared.run(view, options);
        const std::size_t before = allocations;
        for (int i = 0; i < 30; ++i) {
          prepared.formula.set_constants(std::span(x).first(1));
          prepared.run(view, options);
        }
        EXPECT_EQ(allocations, before) << order;
      }
    }
  }
}

TEST(PreparedFormula, GivesTheBitsOfEvaluateAtAnyConstants) {
  std::vector<double> x(1003, 1.25);
  x[5] = 0;
  const ColumnsView<double> view{{x.data(), x.data()}, x.size(), x.size()};
  for (int order = 0; order <= 2; ++order) {
    const EvalOptions options{.row_mask = true, .tunable_constants = true};
    Prepared prepared(kLeaves, order, x.size(), options);
    for (const double c : {0.5, -3.0, 1.0}) {
      Expr expr = product_of_sines();
      expr.set_constants(std::vector<double>{c});
      const auto wanted = evaluate<double>(expr, view, {}, kLeaves, order, options);
      prepared.formula.set_constants(std::vector<double>{c});
      EXPECT_EQ(prepared.run(view).first_bad_row, 5U);
      const auto same = [](double a, double b) { return a == b || (a != a && b != b); };
      EXPECT_TRUE(std::ranges::equal(prepared.values, wanted.values, same));
      EXPECT_TRUE(std::ranges::equal(prepared.gradient, wanted.gradient, same));
      EXPECT_TRUE(std::ranges::equal(prepared.hessian, wanted.hessian, same));
      EXPECT_EQ(prepared.ok_rows, wanted.ok_rows);
    }
  }
}

// Division by a number: on the fast target a product by its reciprocal, on exact ones a division.
TEST(PreparedFormula, DividesByNumbersWithinTheTargetsBound) {
  const std::vector<double> divisors{3, -0.7, 1e-300, 1.7e308, -1e308, 5.6e-309};
  std::vector<double> x;
  for (int r = 0; r < 100; ++r) x.push_back(std::ldexp(1 + r / 101.0, r % 7 - 3));
  for (const double divisor : divisors) {
    Expr expr(std::vector<Node>{Node::variable(0), Node::constant(divisor), Node::call(Op::div, 3)},
              std::make_shared<const Symbols>(Symbols{{"x"}, {}}));
    // What overflows is no matter of the bound.
    std::vector<double> scaled = x;
    for (double& v : scaled) v *= std::min(1.0, std::fabs(divisor));
    const ColumnsView<double> view{{scaled.data()}, x.size(), x.size()};
    const std::vector<Leaf> leaves{{Leaf::Kind::variable, 0}, {Leaf::Kind::constant, 0}};
    for (const kernels::Target target : kernels::kTargets) {
      if (!kernels::has_target(target)) continue;
      const auto got = evaluate<double>(expr, view, {}, leaves, 1, {.target = target});
      EXPECT_TRUE(got.status.ok) << divisor;
      const double ulps = kernels::is_fast(target) ? 4 : 0;
      for (std::size_t r = 0; r < x.size(); ++r) {
        const double wanted = scaled[r] / divisor;
        // A quotient below the smallest normal number has fewer digits.
        const double ulp = std::max(std::fabs(wanted) * 0x1p-52, 0x1p-1074);
        EXPECT_NEAR(got.values[r], wanted, ulps * ulp) << divisor;
      }
    }
  }
}

// Its reciprocal overflows: said, not hidden.
TEST(PreparedFormula, TheFastTargetRefusesDivisorsWithoutReciprocal) {
  if (!kernels::is_fast(kernels::fast_target())) GTEST_SKIP() << "no fast target here";
  const Expr expr(
      std::vector<Node>{Node::variable(0), Node::constant(1e-310), Node::call(Op::div, 3)},
      std::make_shared<const Symbols>(Symbols{{"x"}, {}}));
  const std::vector<double> x{0.0, 1e-310};
  const ColumnsView<double> view{{x.data()}, x.size(), x.size()};
  EXPECT_FALSE(
      evaluate<double>(expr, view, {}, {}, 0, {.target = kernels::fast_target()}).status.ok);
  EXPECT_TRUE(evaluate<double>(expr, view, {}, {}, 0).status.ok);
}

TEST(TileRows, KeepWholeTilesInTheCache) {
  for (const std::size_t buffers : {1U, 3U, 30U, 3000U}) {
    const std::size_t rows = tile_rows<double>(buffers, 1'000'000);
    EXPECT_GE(rows, 3U);
    EXPECT_LE(rows, 1024U);
  }
  EXPECT_LE(tile_rows<double>(10, 6), 16U);
}

}  // namespace
}  // namespace vieta
