#include "eval/evaluate_all.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/rng.h"
#include "eval/shared_run.h"
#include "expr/parse.h"
#include "expr/print.h"

namespace vieta {
namespace {

const std::vector<double> kParameters{0.75};

template <class T>
struct Columns {
  std::vector<T> x, y;
  explicit Columns(std::size_t rows) {
    Rng rng(9, 0, 0);
    for (std::size_t r = 0; r < rows; ++r) {
      x.push_back(static_cast<T>(rng.normal()));
      y.push_back(static_cast<T>(0.5 + rng.uniform()));
    }
  }
  ColumnsView<T> view() const { return {{x.data(), y.data()}, x.size(), x.size()}; }
};

// Some are not ok, among them one whose constant is not finite on any row.
std::vector<Expr> formulas(std::size_t count) {
  const std::vector<std::string> texts{
      "k*sin(x*y) + 0.5*x",    "log(x)",       "1/0 + x", "x", "2.5",
      "exp(x/y)*exp(x/y) - k", "sqrt(x - y)*3"};
  std::vector<Expr> all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back(
        parse(texts[i % texts.size()], {.variables = {"x", "y"}, .parameters = {"k"}}).value());
  return all;
}

std::vector<Leaf> leaves_of(const Expr& expr) {
  std::vector<Leaf> leaves{{Leaf::Kind::variable, 0}, {Leaf::Kind::parameter, 0}};
  for (std::size_t c = 0; c < expr.count_constants(); ++c)
    leaves.push_back({Leaf::Kind::constant, c});
  return leaves;
}

template <class T>
void expect_same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  EXPECT_TRUE(std::ranges::equal(
      a, b, [](T u, T v) { return std::bit_cast<Bits>(u) == std::bit_cast<Bits>(v); }));
}

template <class T>
void expect_as_one_by_one(std::size_t count, std::size_t rows, int order,
                          const EvalOptions& options) {
  const std::vector<Expr> exprs = formulas(count);
  const Columns<T> columns(rows);
  std::vector<std::vector<Leaf>> leaves;
  for (const Expr& expr : exprs) leaves.push_back(leaves_of(expr));
  const auto all = evaluate_all<T>(exprs, columns.view(), kParameters, leaves, order, options);
  ASSERT_EQ(all.size(), exprs.size());
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    EvalOptions alone = options;
    alone.pool = nullptr;
    const auto one = evaluate<T>(exprs[i], columns.view(), kParameters, leaves[i], order, alone);
    expect_same_bits(all[i].values, one.values);
    expect_same_bits(all[i].gradient, one.gradient);
    expect_same_bits(all[i].hessian, one.hessian);
    EXPECT_EQ(all[i].status.ok, one.status.ok);
    EXPECT_EQ(all[i].status.first_bad_row, one.status.first_bad_row);
    EXPECT_EQ(all[i].ok_rows, one.ok_rows);
    EXPECT_EQ(all[i].leaves, leaves[i].size());
  }
}

TEST(EvaluateAll, GivesTheBitsOfOneByOneAtAnyNumberOfThreads) {
  TaskPool one(1);
  TaskPool two(2);
  TaskPool three(3);
  for (TaskPool* pool : {static_cast<TaskPool*>(nullptr), &one, &two, &three}) {
    for (const std::size_t count : {0U, 1U, 5U, 40U}) {
      for (const std::size_t rows : {0U, 7U, 5003U}) {
        for (const bool early_exit : {false, true}) {
          const EvalOptions options{.early_exit = early_exit, .row_mask = true, .pool = pool};
          for (int order = 0; order <= 2; ++order) {
            expect_as_one_by_one<double>(count, rows, order, options);
            expect_as_one_by_one<float>(count, rows, order, options);
          }
        }
      }
    }
  }
}

TEST(EvaluateAll, AFormulaThatIsNotOkDisturbsNoOther) {
  const std::vector<Expr> exprs = formulas(5);
  const Columns<double> columns(100);
  const auto all = evaluate_all<double>(exprs, columns.view(), kParameters, {}, 0);
  const std::vector<bool> ok{true, false, false, true, true};
  for (std::size_t i = 0; i < ok.size(); ++i) EXPECT_EQ(all[i].status.ok, ok[i]) << i;
  EXPECT_EQ(all[3].values, columns.x);
}

// Every pair of these in every frame: much in common, some of it not finite, and hidden by some of
// the formulas.
std::vector<Expr> related(const std::vector<std::string>& parts) {
  std::vector<Expr> all;
  for (const std::string& a : parts) {
    for (const std::string& b : parts) {
      for (const std::string& text :
           {a, a + " + " + b, "1.5*(" + a + ") - " + b + "/2.5", "max(" + a + ", 0.1)*x",
            "x > 0 ? " + a + " : " + b, "tanh(" + a + " + " + b + ")*k"}) {
        all.push_back(parse(text, {.variables = {"x", "y"}, .parameters = {"k"}}).value());
      }
    }
  }
  return all;
}

template <class T>
void expect_related_as_one_by_one(const std::vector<Expr>& exprs, std::size_t rows,
                                  const EvalOptions& options) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const Columns<T> columns(rows);
  const auto all = evaluate_all<T>(exprs, columns.view(), kParameters, {}, 0, options);
  EvalOptions alone = options;
  alone.pool = nullptr;
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    const auto one = evaluate<T>(exprs[i], columns.view(), kParameters, {}, 0, alone);
    for (std::size_t r = 0; r < rows; ++r) {
      if (std::isnan(one.values[r]) && std::isnan(all[i].values[r])) continue;
      ASSERT_EQ(std::bit_cast<Bits>(all[i].values[r]), std::bit_cast<Bits>(one.values[r]))
          << print(exprs[i]) << " row " << r << ": " << all[i].values[r] << ", alone "
          << one.values[r];
    }
    ASSERT_EQ(all[i].status.ok, one.status.ok) << print(exprs[i]);
    ASSERT_EQ(all[i].status.first_bad_row, one.status.first_bad_row) << print(exprs[i]);
    ASSERT_EQ(all[i].ok_rows, one.ok_rows) << print(exprs[i]);
    EXPECT_EQ(all[i].rows, rows);
  }
}

TEST(EvaluateAll, WhatFormulasShareChangesNoBitAndNoStatus) {
  const std::vector<Expr> exprs =
      related({"sin(x*y)", "exp(3*x)^2", "log(x + 2)", "sqrt(x - y)", "log(1 + exp(x*y))",
               "cos(k*x)/y^0.5", "exp(exp(y/0.2))", "pow(1/0, x)"});
  TaskPool three(3);
  for (const kernels::Target target : kernels::kTargets) {
    if (!kernels::has_target(target)) continue;
    for (const bool row_mask : {false, true}) {
      EvalOptions options{.target = target, .row_mask = row_mask};
      EXPECT_TRUE(SharedRun<double>::is_worth_trying(exprs, 3001, options));
      expect_related_as_one_by_one<double>(exprs, 3001, options);
      expect_related_as_one_by_one<float>(exprs, 4500, options);
      options.pool = &three;
      expect_related_as_one_by_one<double>(exprs, 4500, options);
    }
  }
}

TEST(EvaluateAll, RefusesWrongSizes) {
  const std::vector<Expr> exprs = formulas(3);
  const Columns<double> columns(4);
  const std::vector<std::vector<Leaf>> two(2);
  EXPECT_THROW((void)evaluate_all<double>(exprs, columns.view(), kParameters, two, 1),
               InternalError);
  EXPECT_THROW((void)evaluate_all<double>(exprs, columns.view(), {}, {}, 0), InternalError);
}

}  // namespace
}  // namespace vieta
