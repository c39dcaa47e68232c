// row_loss: the loss of the rows of a tile and how it bends, from the values a formula takes there.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/aligned.h"
#include "data/columns.h"
#include "eval/workspace.h"
#include "fit/loss.h"
#include "kernels/kernel_table.h"
#include "program/program.h"
#include "program/tile_code.h"

namespace vieta {

/// What formulas are fitted to. Columns and spans must outlive whoever uses them.
struct FitData {
  ColumnsView<double> x;
  std::span<const double> target;
  std::span<const double>
      weights;  ///< one a row, not negative; empty: all 1. Rows of weight 0 do not count at all
  Loss loss = {};
};

/// A loss formula and its derivatives by the prediction, on the rows of a tile. Keeps its memory.
class LossPass {
 public:
  /// `loss` must outlive it.
  LossPass(const Loss& loss, kernels::Target target);

  /// Loss (order 0), first (1) and second (2) derivative on `rows` rows. What is not finite stays.
  void run(const double* prediction, const double* target, std::size_t rows, int order);

  const double* value() const { return results_[0].data(); }
  const double* first() const { return results_[1].data(); }
  const double* second() const { return results_[2].data(); }

 private:
  kernels::Target target_;
  const Loss& loss_;
  Program program_;
  std::array<TileCode, 3> codes_;  ///< by order
  std::vector<double> uniforms_;
  ColumnsView<double> columns_;
  Workspace<double> workspace_;
  std::array<AlignedVector<double>, 3> results_;
};

/// Which second derivative a step is computed from.
enum class Curvature {
  /// Never negative: the weights of iteratively reweighted least squares, loss'/(prediction -
  /// target), which are Fisher's scoring weights for the deviances; times J J^T.
  gauss_newton,
  /// The exact second derivative of the loss, and of the formula.
  exact,
};

/// For tile after tile of predictions: the weighted sum of losses, and, on each row, half the
/// weight times the first and second derivative by the prediction. Rows of weight 0 give 0 whatever
/// they hold. Weights are divided by a power of two near the largest, so that no weight overflows a
/// sum. No allocation after the first tile. `data` must outlive it. Not shared between threads.
class RowLoss {
 public:
  /// `tile_rows`: the longest tile.
  RowLoss(const FitData& data, kernels::Target target, std::size_t tile_rows);

  /// A loss with a kink where prediction and target meet (l1, quantile) is rounded there: of the
  /// kink's b*|r|, b*sqrt(r^2 + epsilon^2) is left, epsilon in units of the target's spread. 0: as
  /// it is.
  void set_rounding(double epsilon) { epsilon_ = epsilon * spread_; }
  bool kinked() const { return !kinks_.empty(); }

  /// The sum only. `value` holds rows [first_row, first_row + rows).
  double sum(const double* value, std::size_t first_row, std::size_t rows);
  /// The sum, and pull() and bend().
  double derivatives(const double* value, std::size_t first_row, std::size_t rows,
                     Curvature curvature);

  const double* pull() const { return pull_.data(); }  ///< weight * loss' / 2
  const double* bend() const { return bend_.data(); }  ///< weight * loss'' / 2
  /// Whether bend() is 1 on every row and need not be read: least squares without weights.
  bool plain() const { return pass_ == nullptr && weights_.empty(); }

  /// Half the jump of loss' where the prediction meets the target of the row.
  double kink(std::size_t row) const { return kinks_.empty() ? 0 : kinks_[row]; }
  std::size_t longest_tile() const { return pull_.size(); }

  bool has_zero_weight() const { return has_zero_weight_; }
  bool counts(std::size_t row) const { return weights_.empty() || weights_[row] != 0; }
  double weight(std::size_t row) const { return weights_.empty() ? 1.0 : weights_[row]; }
  double total_weight() const { return total_weight_; }  ///< of the weights as divided
  /// The weighted sum of squares of the target, of the weights as divided.
  double target_squares() const { return target_squares_; }
  double weight_unit() const { return weight_unit_; }  ///< what they were divided by
  double spread() const { return spread_; }  ///< of the target; its size if it does not vary, or 1

 private:
  void divide_weights();
  void measure_spread();
  void find_kinks();
  double squares(const double* value, std::size_t first_row, std::size_t rows);
  double sum_of_pass(const double* value, std::size_t first_row, std::size_t rows);
  double kink_rest(double r) const;

  const FitData& data_;
  const kernels::KernelTable<double>& table_;
  std::unique_ptr<LossPass> pass_;  ///< null: least squares
  AlignedVector<double> weights_;
  AlignedVector<double> kinks_;  ///< per row, half the jump of loss' at the target; empty: none
  AlignedVector<double> tilts_;  ///< per row, the mean of loss' on both sides
  AlignedVector<double> pull_;
  AlignedVector<double> bend_;
  double total_weight_ = 0;
  double target_squares_ = 0;
  double weight_unit_ = 1;
  double spread_ = 1;
  double epsilon_ = 0;
  bool has_zero_weight_ = false;
};

}  // namespace vieta
