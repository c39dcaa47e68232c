// A row's results depend on that row alone, to the bit: not on where it stands, what stands beside
// it, or how many threads there are.

#include "property/rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/task_pool.h"
#include "eval/products.h"
#include "property/shrink.h"

namespace vieta::property {
namespace {

// All operators, those too that jump or are hard to differentiate.
oracle::FormulaSpace every_operator() {
  std::vector<Op> ops;
  for (std::size_t o = 0; o < kOpCount; ++o) ops.push_back(op_at(o));
  return {ops, kVariables, kParameters.size()};
}

// Numbers of all sizes, one in ten special.
Rows wild(std::size_t rows, std::uint32_t trial) {
  static const std::vector<double> special = {0.0,    -0.0,     1,         -1,  0.5,  1e300,
                                              1e-310, HUGE_VAL, -HUGE_VAL, NAN, 1e17, -3};
  Rng rng(9, 4, trial);
  return Rows(rows, [&] {
    if (rng.chance(0.1)) return special[rng.below(special.size())];
    return rng.normal() * std::exp(4 * rng.normal());
  });
}

std::vector<std::size_t> permutation(std::size_t rows, std::uint32_t trial) {
  Rng rng(9, 5, trial);
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t r = rows; r > 1; --r) std::swap(order[r - 1], order[rng.below(r)]);
  return order;
}

Rows permuted(const Rows& rows, const std::vector<std::size_t>& order) {
  std::vector<std::vector<double>> columns(kVariables);
  for (std::size_t v = 0; v < kVariables; ++v) {
    for (const std::size_t r : order) columns[v].push_back(rows.columns()[v][r]);
  }
  return Rows(std::move(columns));
}

// Everything a formula gives, by name; each a number of columns of `rows` values.
struct Results {
  std::vector<std::pair<std::string, std::vector<double>>> all;
};

Results everything(const Expr& expr, const Rows& rows, const EvalOptions& options = {}) {
  const auto leaves = leaves_of(expr, true);
  std::vector<double> direction(leaves.size());
  for (std::size_t j = 0; j < leaves.size(); ++j) direction[j] = 0.5 - static_cast<double>(j % 3);
  const auto plain = evaluate<double>(expr, rows.view(), kParameters, {}, 0, options);
  const auto first = evaluate<double>(expr, rows.view(), kParameters, leaves, 1, options);
  const auto second = evaluate<double>(expr, rows.view(), kParameters, leaves, 2, options);
  const auto tangents = jvp<double>(expr, rows.view(), kParameters, leaves, direction, options);
  const auto products = hvp<double>(expr, rows.view(), kParameters, leaves, direction, options);
  return {{{"value", plain.values},
           {"gradient", first.gradient},
           {"gradient with the Hessian", second.gradient},
           {"Hessian", second.hessian},
           {"jvp", tangents.tangents},
           {"hvp", products.products}}};
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// `order[r]` is the row of `a` that stands in row r of `b`.
std::string first_difference(const Results& a, const Results& b,
                             const std::vector<std::size_t>& order) {
  for (std::size_t k = 0; k < a.all.size(); ++k) {
    const auto& [name, values] = a.all[k];
    const std::vector<double>& others = b.all[k].second;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t row = i % order.size();
      const double wanted = values[i - row + order[row]];
      if (same_bits(wanted, others[i])) continue;
      return name + " of row " + std::to_string(order[row]) + " is " + std::to_string(wanted) +
             " and " + std::to_string(others[i]) + " in row " + std::to_string(row);
    }
  }
  return {};
}

Property permuting_changes_no_bit(Rows rows, std::vector<std::size_t> order) {
  return [rows = std::move(rows), order = std::move(order)](const Expr& expr) {
    return first_difference(everything(expr, rows), everything(expr, permuted(rows, order)), order);
  };
}

TEST(Rows, PermutedGivePermutedResultsToTheBit) {
  const auto found = find_counterexample(every_operator(), 12, 2000, 1, [](std::uint32_t trial) {
    const std::size_t count = trial % 25 == 0 ? 1500 : 1 + trial % 41;
    return permuting_changes_no_bit(wild(count, trial), permutation(count, trial));
  });
  EXPECT_FALSE(found) << found->text;
}

TEST(Rows, GiveTheSameBitsAtAnyNumberOfThreads) {
  TaskPool two(2);
  TaskPool five(5);
  const auto found = find_counterexample(every_operator(), 12, 60, 2, [&](std::uint32_t trial) {
    const std::size_t count = trial % 3 == 0 ? 7 : 2000 + trial;
    std::vector<std::size_t> same(count);
    std::iota(same.begin(), same.end(), std::size_t{0});
    return [&, same, rows = wild(count, trial)](const Expr& expr) {
      const Results alone = everything(expr, rows);
      std::string difference =
          first_difference(alone, everything(expr, rows, {.pool = &two}), same);
      if (!difference.empty()) return "two threads: " + difference;
      difference = first_difference(alone, everything(expr, rows, {.pool = &five}), same);
      return difference.empty() ? difference : "five threads: " + difference;
    };
  });
  EXPECT_FALSE(found) << found->text;
}

// Sums over rows are taken in an order that the number of rows alone decides.
TEST(Rows, AddUpToTheSameBitsAtAnyNumberOfThreads) {
  TaskPool two(2);
  TaskPool five(5);
  const auto found = find_counterexample(every_operator(), 12, 100, 3, [&](std::uint32_t trial) {
    const std::size_t count = trial % 3 == 0 ? 7 : 3000 + trial;
    return [&, rows = Rows::moderate(count, trial)](const Expr& expr) -> std::string {
      const auto leaves = leaves_of(expr, true);
      const std::vector<double> weights(rows.size(), 0.75);
      const auto sums = [&](TaskPool* pool) {
        return vjp<double>(expr, rows.view(), kParameters, leaves, std::span(weights),
                           {.pool = pool})
            .adjoints;
      };
      const auto alone = sums(nullptr);
      for (TaskPool* const pool : {&two, &five}) {
        if (!std::ranges::equal(alone, sums(pool), same_bits)) {
          return std::to_string(pool->threads()) + " threads change a sum";
        }
      }
      return {};
    };
  });
  EXPECT_FALSE(found) << found->text;
}

}  // namespace
}  // namespace vieta::property
