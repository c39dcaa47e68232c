// Whole formulas: values, gradients, Hessians and `ok` of the engine against the reference, for
// random formulas over all operators, both scalar types, every target, odd row counts, and leaves
// of every kind.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "eval/evaluate.h"
#include "eval/reference.h"
#include "expr/print.h"
#include "oracle/random_formula.h"

namespace vieta::oracle {
namespace {

using kernels::Target;

constexpr std::size_t kVariables = 3;
const std::vector<double> kParameters = {0.75};

std::vector<Target> targets() {
  std::vector<Target> all;
  for (const Target target : kernels::kTargets) {
    if (kernels::has_target(target)) all.push_back(target);
  }
  return all;
}

struct Data {
  std::vector<std::vector<double>> columns;
  std::vector<std::vector<float>> floats;
  std::size_t rows;

  Data(std::size_t n, Rng& rng) : rows(n) {
    for (std::size_t v = 0; v < kVariables; ++v) {
      columns.emplace_back(n);
      for (double& x : columns.back())
        x = static_cast<float>(0.1 + 2 * rng.uniform() * (rng.chance(0.2) ? -1 : 1));
      floats.emplace_back(columns.back().begin(), columns.back().end());
    }
  }
  // A caller's own memory: not a byte beyond the rows may be read.
  ColumnsView<double> view(double) const {
    ColumnsView<double> v;
    for (const auto& c : columns) v.pointers.push_back(c.data());
    v.rows = v.readable = rows;
    return v;
  }
  ColumnsView<float> view(float) const {
    ColumnsView<float> v;
    for (const auto& c : floats) v.pointers.push_back(c.data());
    v.rows = v.readable = rows;
    return v;
  }
  std::vector<double> row(std::size_t r) const {
    std::vector<double> x;
    for (const auto& c : columns) x.push_back(c[r]);
    return x;
  }
};

std::vector<Leaf> all_leaves(const Expr& expr) {
  std::vector<Leaf> leaves;
  for (std::size_t v = 0; v < kVariables; ++v) leaves.push_back({Leaf::Kind::variable, v});
  for (std::size_t c = 0; c < expr.count_constants(); ++c)
    leaves.push_back({Leaf::Kind::constant, c});
  leaves.push_back({Leaf::Kind::parameter, 0});
  return leaves;
}

// Every intermediate value, partial and derivative is of moderate size: rounding errors stay small,
// so that a fixed tolerance tells right from wrong. Measured by the reference over all subformulas.
bool partials_are_moderate(const Expr& expr, std::size_t call, const std::vector<double>& x) {
  const auto args = arguments(expr.nodes(), call);
  const Node& node = expr.nodes()[call];
  std::array<long double, kMaxArity> values{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(node.arity()); ++k) {
    const auto part = subtree(expr.nodes(), args[k]);
    const Expr argument(std::vector<Node>(part.begin(), part.end()), expr.shared_symbols());
    values[k] = reference::evaluate(argument, x, kParameters, {}, 0).value;
  }
  const auto at =
      reference::partials(node.op, {values.data(), static_cast<std::size_t>(node.arity())});
  const auto moderate = [](long double p) { return std::fabs(p) < 1e3L; };
  // Where a step or a choice is about to happen, rounding decides it.
  for (std::size_t k = 0; k < static_cast<std::size_t>(node.arity()); ++k) {
    for (const long double shift : {-1e-5L, 1e-5L}) {
      auto moved = values;
      moved[k] += shift;
      const long double there =
          reference::partials(node.op, {moved.data(), static_cast<std::size_t>(node.arity())})
              .value;
      if (!(std::fabs(there - at.value) < 0.02L)) return false;
    }
  }
  return std::ranges::all_of(at.d, moderate) && std::ranges::all_of(at.d2, moderate);
}

bool well_conditioned(const Expr& expr, const std::vector<double>& x,
                      const std::vector<Leaf>& leaves) {
  for (std::size_t i = 0; i < expr.size(); ++i) {
    const auto part = subtree(expr.nodes(), i);
    const Expr sub(std::vector<Node>(part.begin(), part.end()), expr.shared_symbols());
    std::vector<Leaf> variables_only(leaves.begin(), leaves.begin() + kVariables);
    const auto at = reference::evaluate(sub, x, kParameters, variables_only, 2);
    if (expr.nodes()[i].kind == NodeKind::call && !partials_are_moderate(expr, i, x)) return false;
    if (!at.ok || !(std::fabs(at.value) < 1e3L)) return false;
    if (std::fabs(at.value) < 1e-3L && at.value != 0) return false;
    for (const long double g : at.gradient) {
      if (!(std::fabs(g) < 1e3L)) return false;
    }
    for (const long double h : at.hessian) {
      if (!(std::fabs(h) < 1e4L)) return false;
    }
  }
  return true;
}

// Thirty operators, each with partials below 1e3 and a few ULP of error: 1e-16 grows to at most
// 1e-16 * 30 * 1e3 in a value, with another factor 1e3 for a derivative. The float bounds are
// looser by the ratio of the formats.
template <class T>
double tolerance(int order) {
  const double unit = sizeof(T) == 8 ? 1e-16 : 6e-8;
  const double growth = order == 0 ? 1e5 : (order == 1 ? 1e6 : 1e7);
  return std::min(unit * growth, 0.05);
}

template <class T>
void expect_close(T value, long double wanted, int order, const std::string& what) {
  ASSERT_LE(std::fabs(static_cast<long double>(value) - wanted),
            static_cast<long double>(tolerance<T>(order)) * (1 + std::fabs(wanted)))
      << what << " gives " << value << ", wanted " << static_cast<double>(wanted);
}

template <class T>
class Programs : public ::testing::Test {};
using Scalars = ::testing::Types<double, float>;
TYPED_TEST_SUITE(Programs, Scalars);

template <class T>
void compare(const Expr& expr, const Data& data, Target target, std::size_t& judged) {
  const std::vector<Leaf> leaves = all_leaves(expr);
  const std::size_t n = leaves.size();
  const auto result = evaluate<T>(expr, data.view(T{}), kParameters, leaves, 2, {.target = target});
  const auto first = evaluate<T>(expr, data.view(T{}), kParameters, leaves, 1, {.target = target});
  const auto plain = evaluate<T>(expr, data.view(T{}), kParameters, {}, 0, {.target = target});
  for (std::size_t r = 0; r < data.rows; ++r) {
    // All orders give the same value and gradient; NaN equals NaN here.
    const auto same = [](T a, T b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    ASSERT_TRUE(same(result.values[r], plain.values[r])) << print(expr);
    ASSERT_TRUE(same(first.values[r], plain.values[r])) << print(expr);
    if (!well_conditioned(expr, data.row(r), leaves)) continue;
    const auto wanted = reference::evaluate(expr, data.row(r), kParameters, leaves, 2);
    const auto moderate = [](long double x) { return std::fabs(x) < 1e4L; };
    if (!std::ranges::all_of(wanted.gradient, moderate) ||
        !std::ranges::all_of(wanted.hessian, moderate))
      continue;
    const std::string what =
        print(expr) + " row " + std::to_string(r) + " " + std::string(to_text(target));
    expect_close(result.values[r], wanted.value, 0, what);
    for (std::size_t j = 0; j < n; ++j) {
      expect_close(result.gradient_column(j)[r], wanted.gradient[j], 1,
                   what + " d/d" + leaf_name(expr, leaves[j]));
      expect_close(first.gradient_column(j)[r], wanted.gradient[j], 1,
                   what + " d/d" + leaf_name(expr, leaves[j]));
      for (std::size_t i = 0; i <= j; ++i) {
        const std::string pair = leaf_name(expr, leaves[i]) + "." + leaf_name(expr, leaves[j]);
        expect_close(result.hessian_column(i, j)[r],
                     wanted.hessian[i * n - i * (i - 1) / 2 + (j - i)], 2, what + " d2/d" + pair);
      }
    }
    ++judged;
  }
}

TYPED_TEST(Programs, AgreeWithTheReferenceInAllOrders) {
  Rng rng(21, 0, 0);
  const FormulaSpace space{smooth_ops(), kVariables, 1};
  std::size_t judged = 0;
  for (int trial = 0; trial < 4000 && !::testing::Test::HasFatalFailure(); ++trial) {
    const Data data(1 + rng.below(21), rng);
    const Expr expr = random_formula(space, 1 + rng.below(trial % 3 == 0 ? 24 : 10), rng);
    for (const Target target : targets()) compare<TypeParam>(expr, data, target, judged);
  }
  EXPECT_GT(judged, 1500U) << "too few well-conditioned rows for the test to mean anything";
}

TYPED_TEST(Programs, ShareSubexpressionsWithoutChangingDerivatives) {
  // Only + - * over one variable: the same subtrees come up again and again.
  Rng rng(22, 0, 0);
  const FormulaSpace space{{Op::add, Op::sub, Op::mul, Op::square, Op::neg}, 1, 0};
  std::size_t judged = 0;
  const std::vector<double> none;
  for (int trial = 0; trial < 300; ++trial) {
    const Expr expr = random_formula(space, 3 + rng.below(20), rng);
    std::vector<TypeParam> x(5);
    for (auto& v : x) v = static_cast<TypeParam>(std::round(rng.normal() * 4) / 4);
    ColumnsView<TypeParam> view{{x.data()}, x.size(), x.size()};
    const std::vector<Leaf> leaves{{Leaf::Kind::variable, 0}};
    const auto result = evaluate<TypeParam>(expr, view, none, leaves, 2, {});
    for (std::size_t r = 0; r < x.size(); ++r) {
      const std::vector<double> at{static_cast<double>(x[r])};
      const auto wanted = reference::evaluate(expr, at, none, leaves, 2);
      if (!(std::fabs(wanted.value) < 1e4L && std::fabs(wanted.hessian[0]) < 1e5L)) continue;
      // Sums and products of quarters below 1e5: rounding is relative to the largest term, 1e5.
      const double bound = sizeof(TypeParam) == 8 ? 1e-9 : 0.5;
      ASSERT_NEAR(result.values[r], static_cast<double>(wanted.value), bound) << print(expr);
      ASSERT_NEAR(result.gradient_column(0)[r], static_cast<double>(wanted.gradient[0]), bound)
          << print(expr);
      ASSERT_NEAR(result.hessian_column(0, 0)[r], static_cast<double>(wanted.hessian[0]), bound)
          << print(expr);
      ++judged;
    }
  }
  EXPECT_GT(judged, 500U);
}

// ok is an exact statement: compared with the definition, row by row, on data full of special
// values.
TYPED_TEST(Programs, OkIsTrueIffEverythingUsedIsFinite) {
  Rng rng(23, 0, 0);
  std::vector<Op> ops;
  for (std::size_t o = 0; o < kOpCount; ++o) ops.push_back(op_at(o));
  const FormulaSpace space{ops, kVariables, 1};
  std::size_t bad = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const Expr expr = random_formula(space, 1 + rng.below(12), rng);
    const std::size_t rows = 1 + rng.below(9);
    std::vector<std::vector<TypeParam>> x(kVariables, std::vector<TypeParam>(rows));
    for (auto& column : x) {
      for (auto& v : column) {
        v = static_cast<TypeParam>(rng.normal());
        if (rng.chance(0.04)) v = std::numeric_limits<TypeParam>::infinity();
        if (rng.chance(0.04)) v = std::numeric_limits<TypeParam>::quiet_NaN();
        if (rng.chance(0.04)) v = 0;
      }
    }
    ColumnsView<TypeParam> view{{x[0].data(), x[1].data(), x[2].data()}, rows, rows};
    std::size_t first_bad = EvalStatus::kNone;
    std::vector<std::uint8_t> ok_rows(rows, 1);
    for (std::size_t r = rows; r-- > 0;) {
      // The definition: every subformula, on its own, through the engine's own kernels.
      for (std::size_t i = 0; i < expr.size(); ++i) {
        const auto part = subtree(expr.nodes(), i);
        const Expr sub(std::vector<Node>(part.begin(), part.end()), expr.shared_symbols());
        const std::vector<TypeParam> one{x[0][r], x[1][r], x[2][r]};
        ColumnsView<TypeParam> single{{&one[0], &one[1], &one[2]}, 1, 1};
        if (!std::isfinite(evaluate<TypeParam>(sub, single, kParameters, {}, 0, {}).values[0]))
          ok_rows[r] = 0;
      }
      if (ok_rows[r] == 0) first_bad = r;
    }
    const std::vector<Leaf> leaves = all_leaves(expr);
    for (const int order : {0, 1, 2}) {
      const auto result =
          evaluate<TypeParam>(expr, view, kParameters, leaves, order, {.row_mask = true});
      ASSERT_EQ(result.ok_rows, ok_rows) << print(expr) << " order " << order;
      ASSERT_EQ(result.status.ok, first_bad == EvalStatus::kNone)
          << print(expr) << " order " << order;
      ASSERT_EQ(result.status.first_bad_row, first_bad) << print(expr) << " order " << order;
    }
    bad += first_bad != EvalStatus::kNone ? 1 : 0;
  }
  EXPECT_GT(bad, 500U);
  EXPECT_LT(bad, 3900U);
}

// Whether the reference can tell of this row: nothing is so large or so small that the formats'
// ranges or roundings decide.
bool is_clear(const Expr& expr, const std::vector<double>& x) {
  for (std::size_t i = 0; i < expr.size(); ++i) {
    const auto part = subtree(expr.nodes(), i);
    const Expr sub(std::vector<Node>(part.begin(), part.end()), expr.shared_symbols());
    const long double size = std::fabs(reference::evaluate(sub, x, kParameters, {}, 0).value);
    if (std::isfinite(size) && size != 0 && !(size > 1e-3L && size < 1e3L)) return false;
  }
  return true;
}

// Every order, target and number of threads has the same mask; the status sums it up.
template <class T>
std::vector<std::uint8_t> one_mask(const Expr& expr, const Data& data, TaskPool& pool) {
  const std::vector<Leaf> leaves = all_leaves(expr);
  const auto plain =
      evaluate<T>(expr, data.view(T{}), kParameters, leaves, 0, {.row_mask = true}).ok_rows;
  for (const Target target : targets()) {
    for (const int order : {0, 1, 2}) {
      for (TaskPool* threads : {static_cast<TaskPool*>(nullptr), &pool}) {
        const auto found = evaluate<T>(expr, data.view(T{}), kParameters, leaves, order,
                                       {.target = target, .row_mask = true, .pool = threads});
        EXPECT_EQ(found.ok_rows, plain) << print(expr) << " order " << order;
        const auto bad = std::ranges::find(plain, 0);
        EXPECT_EQ(found.status.ok, bad == plain.end());
        EXPECT_EQ(found.status.first_bad_row, bad == plain.end()
                                                  ? EvalStatus::kNone
                                                  : static_cast<std::size_t>(bad - plain.begin()));
      }
    }
  }
  return plain;
}

TYPED_TEST(Programs, RowMasksAgreeWithTheReferenceOnEveryPath) {
  using T = TypeParam;
  Rng rng(25, 0, 0);
  const FormulaSpace space{smooth_ops(), kVariables, 1};
  TaskPool pool(3);
  std::size_t good = 0;
  std::size_t bad = 0;
  for (int trial = 0; trial < 300; ++trial) {
    // Several tiles and pieces now and then.
    Data data(trial % 10 == 0 ? 700 : 1 + rng.below(21), rng);
    for (auto* column : {&data.columns[0], &data.columns[2]}) {
      for (double& x : *column) {
        if (rng.chance(0.05)) x = rng.chance(0.5) ? HUGE_VAL : std::nan("");
      }
    }
    for (std::size_t v = 0; v < kVariables; ++v)
      data.floats[v].assign(data.columns[v].begin(), data.columns[v].end());
    const Expr expr = random_formula(space, 1 + rng.below(9), rng);
    const auto ok_rows = one_mask<T>(expr, data, pool);
    for (std::size_t r = 0; r < data.rows; ++r) {
      if (!is_clear(expr, data.row(r))) continue;
      const bool ok = reference::evaluate(expr, data.row(r), kParameters, {}, 0).ok;
      ASSERT_EQ(ok_rows[r] != 0, ok) << print(expr) << " row " << r;
      ++(ok ? good : bad);
    }
  }
  EXPECT_GT(good, 1000U);
  EXPECT_GT(bad, 1000U);
}

TYPED_TEST(Programs, ThreadsAndTilesDoNotChangeABit) {
  using T = TypeParam;
  Rng rng(24, 0, 0);
  const FormulaSpace space{smooth_ops(), kVariables, 1};
  TaskPool pool(3);
  const Data data(5000, rng);
  for (int trial = 0; trial < 20; ++trial) {
    const Expr expr = random_formula(space, 1 + rng.below(16), rng);
    const std::vector<Leaf> leaves = all_leaves(expr);
    const auto one = evaluate<T>(expr, data.view(T{}), kParameters, leaves, 1, {});
    const auto many = evaluate<T>(expr, data.view(T{}), kParameters, leaves, 1, {.pool = &pool});
    EXPECT_EQ(one.status.ok, many.status.ok);
    EXPECT_EQ(one.status.first_bad_row, many.status.first_bad_row);
    const auto same = [](T a, T b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    EXPECT_TRUE(std::ranges::equal(one.values, many.values, same)) << print(expr);
    EXPECT_TRUE(std::ranges::equal(one.gradient, many.gradient, same)) << print(expr);
  }
}

TEST(Programs, WhatIsNotSelectedDoesNotPoisonDerivatives) {
  const std::vector<double> none;
  struct Case {
    std::vector<Node> nodes;
    double x;
    double value, d, d2;
  };
  const Node x = Node::variable(0);
  const auto call = [](std::vector<Node> nodes, Op op) {
    append_call(nodes, op);
    return nodes;
  };
  const auto join = [](std::initializer_list<std::vector<Node>> parts, Op op) {
    std::vector<Node> nodes;
    for (const auto& part : parts) nodes.insert(nodes.end(), part.begin(), part.end());
    append_call(nodes, op);
    return nodes;
  };
  const std::vector<Node> X{x}, zero{Node::constant(0)}, one{Node::constant(1)};
  const auto log_x = call(X, Op::log);
  const auto sqrt_x = call(X, Op::sqrt);
  const auto positive = join({X, zero}, Op::gt);
  const std::vector<Case> cases = {
      // x > 0 ? log(x) : x
      {join({positive, log_x, X}, Op::if_), 0.0, 0.0, 1.0, 0.0},
      {join({positive, log_x, X}, Op::if_), -1.0, -1.0, 1.0, 0.0},
      // x > 0 ? x * exp(log(x)) : x * x
      {join({positive, join({X, call(log_x, Op::exp)}, Op::mul), join({X, X}, Op::mul)}, Op::if_),
       -3.0, 9.0, -6.0, 2.0},
      // sqrt(x) + 1: d/dx is infinite at 0, as it is
      {join({sqrt_x, one}, Op::add), 4.0, 3.0, 0.25, -0.03125},
      // max(x, sqrt(x)) at 4 takes x
      {join({X, sqrt_x}, Op::max), 4.0, 4.0, 1.0, 0.0},
      // relu(sqrt(x) - 1) where sqrt has an infinite slope
      {call(join({sqrt_x, one}, Op::sub), Op::relu), 0.0, 0.0, 0.0, 0.0},
      // clamp(x, log(0 * x), 5)
      {join({X, call(join({zero, X}, Op::mul), Op::log), {Node::constant(5)}}, Op::clamp), 2.0, 2.0,
       1.0, 0.0},
      // nested: x > 0 ? (x > 1 ? log(x - 1) : x) : 0
      {join({positive,
             join({join({X, one}, Op::gt), call(join({X, one}, Op::sub), Op::log), X}, Op::if_),
             zero},
            Op::if_),
       0.5, 0.5, 1.0, 0.0},
  };
  const auto symbols = std::make_shared<const Symbols>(Symbols{{"x"}, {}});
  for (const Case& c : cases) {
    const Expr expr(c.nodes, symbols);
    const std::vector<Leaf> leaves{{Leaf::Kind::variable, 0}};
    const ColumnsView<double> view{{&c.x}, 1, 1};
    for (const Target target : targets()) {
      const auto result = evaluate<double>(expr, view, none, leaves, 2, {.target = target});
      EXPECT_DOUBLE_EQ(result.values[0], c.value) << print(expr) << " at " << c.x;
      EXPECT_DOUBLE_EQ(result.gradient[0], c.d) << print(expr) << " at " << c.x;
      EXPECT_DOUBLE_EQ(result.hessian[0], c.d2) << print(expr) << " at " << c.x;
      const auto first = evaluate<double>(expr, view, none, leaves, 1, {.target = target});
      EXPECT_DOUBLE_EQ(first.gradient[0], c.d) << print(expr) << " at " << c.x;
    }
    const std::vector<double> at{c.x};
    const auto wanted = reference::evaluate(expr, at, none, leaves, 2);
    EXPECT_DOUBLE_EQ(static_cast<double>(wanted.gradient[0]), c.d) << print(expr) << " at " << c.x;
  }
}

TEST(Programs, StructuralZerosStayZero) {
  // d(sqrt(x) + c)/dc at x = 0 is 1, though d/dx is infinite.
  std::vector<Node> nodes{Node::variable(0)};
  append_call(nodes, Op::sqrt);
  nodes.push_back(Node::constant(2));
  append_call(nodes, Op::add);
  const Expr expr(nodes, std::make_shared<const Symbols>(Symbols{{"x", "unused"}, {}}));
  const double x = 0;
  const ColumnsView<double> view{{&x, &x}, 1, 1};
  const std::vector<Leaf> leaves{
      {Leaf::Kind::variable, 0}, {Leaf::Kind::constant, 0}, {Leaf::Kind::variable, 1}};
  const auto result = evaluate<double>(expr, view, {}, leaves, 2, {});
  EXPECT_EQ(result.gradient_column(0)[0], HUGE_VAL);
  EXPECT_EQ(result.gradient_column(1)[0], 1);
  EXPECT_EQ(result.gradient_column(2)[0], 0);
  EXPECT_EQ(result.hessian_column(1, 1)[0], 0);
  EXPECT_EQ(result.hessian_column(0, 1)[0], 0);
  EXPECT_EQ(result.hessian_column(2, 2)[0], 0);
}

TEST(Programs, NoRowsIsFine) {
  const Expr expr({Node::variable(0)}, std::make_shared<const Symbols>(Symbols{{"x"}, {}}));
  const ColumnsView<double> view{{nullptr}, 0, 0};
  const std::vector<Leaf> leaves{{Leaf::Kind::variable, 0}};
  for (const int order : {0, 1, 2}) {
    const auto result = evaluate<double>(expr, view, {}, leaves, order, {});
    EXPECT_TRUE(result.status.ok);
    EXPECT_TRUE(result.values.empty());
  }
}

TEST(Programs, LongAndDeepFormulasWork) {
  // x + x + ... and ((x^1)^1)...: depth 100,000 either way.
  constexpr std::size_t n = 100'000;
  for (const Op op : {Op::add, Op::sin}) {
    std::vector<Node> nodes{Node::variable(0)};
    for (std::size_t i = 0; i < n; ++i) {
      if (info(op).arity == 2) nodes.push_back(Node::constant(1));
      append_call(nodes, op);
    }
    const Expr expr(nodes, std::make_shared<const Symbols>(Symbols{{"x"}, {}}));
    const double x = 0.5;
    const ColumnsView<double> view{{&x}, 1, 1};
    const std::vector<Leaf> leaves{{Leaf::Kind::variable, 0}};
    const auto result = evaluate<double>(expr, view, {}, leaves, 2, {});
    EXPECT_TRUE(result.status.ok);
    if (op == Op::add) {
      EXPECT_EQ(result.gradient[0], 1);
    }
    const std::vector<double> at{x};
    const auto wanted = reference::evaluate(expr, at, {}, leaves, 1);
    EXPECT_NEAR(result.values[0], static_cast<double>(wanted.value),
                1e-9 * (1 + std::fabs(result.values[0])));
  }
}

}  // namespace
}  // namespace vieta::oracle
