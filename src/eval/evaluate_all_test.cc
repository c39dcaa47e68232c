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
#include "expr/parse.h"

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
