// summed_loss: the loss of a formula over a table and its gradient, in one pass and without a
// column of derivatives.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/aligned.h"
#include "eval/tile_run.h"
#include "expr/diff.h"
#include "expr/expr.h"
#include "fit/row_loss.h"
#include "program/lower.h"
#include "program/tile_code.h"

namespace vieta {

/// weight * loss(formula, target) as one formula, whose derivatives are summed where they arise: a
/// tile after another, nothing is stored a row and a leaf. Copies target and weights. Not shared
/// between threads.
class SummedLoss {
 public:
  /// Whether it is for this loss: none with a kink, which is a matter of its own, and none in C++.
  static bool takes(const RowLoss& loss, const FitData& data);

  /// Only what takes() holds for. `loss` is of the same data. Leaves are parameters and constants.
  SummedLoss(const Expr& expr, const FitData& data, const RowLoss& loss,
             std::span<const double> parameters, std::span<const Leaf> leaves,
             kernels::Target target);

  /// As LossGradient, of the weights as `loss` divides them.
  double operator()(std::span<const double> point, std::span<double> gradient);

 private:
  void add_columns(const FitData& data, const RowLoss& loss);

  const kernels::KernelTable<double>& table_;
  Program program_;
  TileCode code_;
  std::vector<AlignedVector<double>> memory_;  ///< target, weights
  ColumnsView<double> columns_;
  std::vector<double> uniforms_;
  std::vector<std::uint32_t> unknowns_;
  Workspace<double> workspace_;
  std::optional<TileRun<double>> run_;
};

}  // namespace vieta
