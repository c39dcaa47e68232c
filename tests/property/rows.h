// rows: the points on which formulas are compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "data/columns.h"
#include "expr/diff.h"
#include "expr/expr.h"

namespace vieta::property {

inline constexpr std::size_t kVariables = 3;
inline const std::vector<double> kParameters = {0.75};

/// Columns of random numbers, each in memory of its own: not a byte beyond the rows may be read.
class Rows {
 public:
  /// Of size about 1, a fifth of them negative. The same for the same trial.
  static Rows moderate(std::size_t rows, std::uint32_t trial) {
    Rng rng(7, 2, trial);
    return Rows(rows, [&] { return (rng.chance(0.2) ? -1 : 1) * (0.1 + 2 * rng.uniform()); });
  }

  /// Of numbers that formulas are tried on least often. The same for the same trial.
  static Rows chosen(std::span<const double> from, std::size_t rows, std::uint32_t trial) {
    Rng rng(7, 3, trial);
    return Rows(rows, [&] { return from[rng.below(from.size())]; });
  }

  explicit Rows(std::vector<std::vector<double>> columns) : columns_(std::move(columns)) {}

  template <class Draw>
  Rows(std::size_t rows, Draw draw) : columns_(kVariables) {
    for (auto& column : columns_) {
      for (std::size_t r = 0; r < rows; ++r) column.push_back(draw());
    }
  }

  std::size_t size() const { return columns_.front().size(); }
  const std::vector<std::vector<double>>& columns() const { return columns_; }

  ColumnsView<double> view() const {
    ColumnsView<double> view;
    for (const auto& column : columns_) view.pointers.push_back(column.data());
    view.rows = view.readable = size();
    return view;
  }

  std::vector<double> row(std::size_t r) const {
    std::vector<double> values;
    for (const auto& column : columns_) values.push_back(column[r]);
    return values;
  }

 private:
  std::vector<std::vector<double>> columns_;
};

/// Variables, parameters and, if asked for, constants.
inline std::vector<Leaf> leaves_of(const Expr& expr, bool with_constants) {
  std::vector<Leaf> leaves;
  for (std::size_t v = 0; v < kVariables; ++v) leaves.push_back({Leaf::Kind::variable, v});
  for (std::size_t p = 0; p < kParameters.size(); ++p) {
    leaves.push_back({Leaf::Kind::parameter, p});
  }
  const std::size_t constants = with_constants ? expr.count_constants() : 0;
  for (std::size_t c = 0; c < constants; ++c) leaves.push_back({Leaf::Kind::constant, c});
  return leaves;
}

}  // namespace vieta::property
