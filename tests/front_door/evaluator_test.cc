// A formula prepared once and evaluated into the caller's memory, and many formulas in one call.

#include <gtest/gtest.h>
#include <vieta/vieta.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/counting_new.h"

namespace {

vieta::Expr formula(const std::string& text) {
  return vieta::parse(text, {.variables = {"x", "y"}, .parameters = {"k"}}).value();
}

struct Data {
  std::vector<double> columns;  // x, then y
  explicit Data(std::size_t rows) {
    for (std::size_t r = 0; r < rows; ++r) columns.push_back(0.5 + 1e-3 * static_cast<double>(r));
    for (std::size_t r = 0; r < rows; ++r) columns.push_back(2 - 1e-4 * static_cast<double>(r));
  }
  vieta::Matrix matrix() const { return {columns.data(), columns.size() / 2, 2}; }
};

const std::vector<double> kParameters{1.5};

// The caller's memory for everything an evaluator fills.
struct Results {
  std::vector<double> values, gradient, hessian;
  std::vector<std::uint8_t> ok_rows;
  Results(const vieta::Evaluator& f, std::size_t rows, int order)
      : values(rows),
        gradient(order >= 1 ? rows * f.leaves() : 0),
        hessian(order >= 2 ? rows * f.packed() : 0),
        ok_rows(rows) {}
};

TEST(Evaluator, FillsTheCallersMemoryWithTheBitsOfEvaluate) {
  const Data data(1003);
  const vieta::Matrix X = data.matrix();
  for (const char* text : {"k*sin(x*y) + 0.25*x", "log(x - 0.75) + k", "sqrt(-2) + x", "3", "y"}) {
    vieta::Expr expr = formula(text);
    for (int order = 0; order <= 2; ++order) {
      vieta::Evaluator f(expr, vieta::wrt::all, order);
      Results found(f, X.rows(), order);
      const auto status =
          f(X, kParameters, found.values, found.gradient, found.hessian, found.ok_rows);
      const auto all = vieta::leaves(expr, vieta::wrt::all);
      const auto wanted = vieta::evaluate<double>(expr, X.view(), kParameters,
                                                  order == 0 ? std::vector<vieta::Leaf>{} : all,
                                                  order, {.row_mask = true});
      const auto same = [](double a, double b) { return a == b || (a != a && b != b); };
      EXPECT_TRUE(std::ranges::equal(found.values, wanted.values, same)) << text;
      EXPECT_TRUE(std::ranges::equal(found.gradient, wanted.gradient, same)) << text;
      EXPECT_TRUE(std::ranges::equal(found.hessian, wanted.hessian, same)) << text;
      EXPECT_EQ(found.ok_rows, wanted.ok_rows) << text;
      EXPECT_EQ(status.ok, wanted.status.ok) << text;
      EXPECT_EQ(status.first_bad_row, wanted.status.first_bad_row) << text;
    }
  }
}

TEST(Evaluator, AllocatesNothingAfterTheFirstEvaluation) {
  const Data data(5003);
  const vieta::Matrix X = data.matrix();
  vieta::TaskPool pool(3);
  for (vieta::TaskPool* threads : {static_cast<vieta::TaskPool*>(nullptr), &pool}) {
    for (int order = 0; order <= 2; ++order) {
      vieta::Evaluator f(formula("k*sin(x*y) + 0.25*x"), vieta::wrt::all, order,
                         {.tunable_constants = true, .pool = threads});
      Results found(f, X.rows(), order);
      f(X, kParameters, found.values, found.gradient, found.hessian, found.ok_rows);
      const std::size_t before = allocations;
      for (int i = 0; i < 20; ++i) {
        const double constant = i;
        f.set_constants({&constant, 1});
        f(X, kParameters, found.values, found.gradient, found.hessian, found.ok_rows);
      }
      EXPECT_EQ(allocations, before) << "order " << order;
    }
  }
}

TEST(Evaluator, TakesNewConstants) {
  const Data data(7);
  const vieta::Matrix X = data.matrix();
  vieta::Expr expr = formula("2*x + 3*y");
  vieta::Evaluator f(expr, {.tunable_constants = true});
  std::vector<double> values(7);
  const std::vector<double> constants{-0.5, 7};
  f.set_constants(constants);
  f(X, kParameters, values);
  expr.set_constants(constants);
  EXPECT_EQ(values, vieta::evaluate(expr, X, kParameters).values);
  f.set_constants(std::vector<double>{1, HUGE_VAL});
  EXPECT_FALSE(f(X, kParameters, values).ok);
  f.set_constants(constants);
  EXPECT_TRUE(f(X, kParameters, values).ok);
}

TEST(Evaluator, RefusesWrongSizes) {
  const Data data(7);
  const vieta::Matrix X = data.matrix();
  const vieta::Matrix one_column(data.columns.data(), 7, 1);
  vieta::Evaluator f(formula("2*x + y"), vieta::wrt::variables, 1);
  std::vector<double> values(7);
  std::vector<double> gradient(14);
  std::vector<double> hessian(21);
  std::vector<std::uint8_t> ok_rows(6);
  const std::vector<double> two{1, 2};
  using vieta::InternalError;
  EXPECT_THROW(f(X, kParameters, values), InternalError);
  EXPECT_THROW(f(X, kParameters, values, std::span(gradient).first(7)), InternalError);
  EXPECT_THROW(f(X, kParameters, std::span(values).first(6), gradient), InternalError);
  EXPECT_THROW(f(X, kParameters, values, gradient, hessian), InternalError);
  EXPECT_THROW(f(X, kParameters, values, gradient, {}, ok_rows), InternalError);
  EXPECT_THROW(f(X, two, values, gradient), InternalError);
  EXPECT_THROW(f(one_column, kParameters, values, gradient), InternalError);
  EXPECT_THROW(f.set_constants(two), InternalError);
  EXPECT_THROW(f.set_constants(kParameters), InternalError);  // not tunable
  EXPECT_THROW(vieta::Evaluator(formula("x"), vieta::wrt::variables, 3), InternalError);
  EXPECT_TRUE(f(X, kParameters, values, gradient).ok);
}

TEST(EvaluateAll, IsEvaluateForEachFormula) {
  const Data data(100);
  const vieta::Matrix X = data.matrix();
  const std::vector<vieta::Expr> exprs{formula("k*x"), formula("log(x - 9)"), formula("x*y^2")};
  const auto values = vieta::evaluate_all(exprs, X, kParameters);
  const auto gradients = vieta::evaluate_all(exprs, X, kParameters, vieta::wrt::all, 1);
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    const auto wanted = vieta::gradient(exprs[i], X, kParameters, vieta::wrt::all);
    EXPECT_EQ(values[i].status.ok, i != 1);
    if (i == 1) continue;
    EXPECT_EQ(values[i].values, wanted.values);
    EXPECT_EQ(gradients[i].gradient, wanted.gradient);
  }
}

}  // namespace
