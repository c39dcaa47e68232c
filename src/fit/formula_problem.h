// formula_problem: the squared residuals of a formula over a table, as a least-squares problem in
// its uniforms.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.h"
#include "data/columns.h"
#include "eval/tile_run.h"
#include "fit/least_squares.h"
#include "program/program.h"
#include "program/tile_code.h"

namespace vieta {

/// What formulas are fitted to. Columns and spans must outlive whoever uses them.
struct FitData {
  ColumnsView<double> x;
  std::span<const double> target;
  std::span<const double>
      weights;  ///< one a row, not negative; empty: all 1. Rows of weight 0 do not count at all
};

/// sum over rows of weight * (formula - target)^2 as a function of chosen uniforms. J^T J and J^T r
/// are accumulated tile by tile; no rows x unknowns array exists. Sums are taken in an order that
/// depends on the number of rows alone. No allocation once the largest formula was seen.
class FormulaProblem : public LeastSquaresProblem {
 public:
  FormulaProblem(const FitData& data, kernels::Target target);

  /// The formula, and the uniforms that are unknown; the others keep the values given. `program`
  /// must outlive the use.
  void set(const Program& program, std::span<const double> uniforms,
           std::span<const std::uint32_t> unknowns);
  /// All uniforms with the unknowns at x.
  std::span<const double> uniforms_at(std::span<const double> x);

  std::size_t unknowns() const override { return unknowns_.size(); }
  double cost(std::span<const double> x) override;
  bool linearize(std::span<const double> x, NormalEquations& equations) override;
  double total_weight() const { return total_weight_; }

 private:
  double residuals(const TileRun<double>& run);
  void weigh_columns(const TileRun<double>& run);

  const FitData& data_;
  const kernels::KernelTable<double>& table_;
  double total_weight_ = 0;
  bool has_zero_weight_ = false;
  const Program* program_ = nullptr;
  std::vector<double> uniforms_;
  std::vector<std::uint32_t> unknowns_;
  std::vector<Operand> leaves_;
  TileCoder coder_;
  TileCode value_code_;
  TileCode gradient_code_;
  bool has_gradient_code_ = false;
  Workspace<double> workspace_;
  AlignedVector<double> residual_;           ///< of the tile
  AlignedVector<double> weighted_residual_;  ///< weight times residual
  AlignedVector<double> columns_;  ///< columns of J where there are weights: weighted, then plain
  std::size_t stride_ = 0;
};

}  // namespace vieta
