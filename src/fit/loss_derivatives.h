// loss_derivatives: a loss summed over rows, with its derivatives by the numbers of a formula.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "expr/diff.h"
#include "expr/expr.h"
#include "fit/formula_problem.h"
#include "fit/row_loss.h"
#include "fit/summed_loss.h"
#include "kernels/kernel_table.h"
#include "program/program.h"

namespace vieta {

/// sum over rows of weight * loss(formula, target), and its derivatives by the leaves.
struct LossDerivatives {
  double value = 0;
  std::vector<double> gradient;      ///< leaves; empty unless asked for
  std::vector<double> gauss_newton;  ///< leaves x leaves: sum of weight * w(row) * J J^T, w as
                                     ///< Curvature::gauss_newton says, 2 for l2
  std::vector<double> hessian;       ///< leaves x leaves, exact; order 2
  bool finite = true;                ///< all of them are, on every row that counts
};

/// Order 0: the value; 1: gradient and Gauss-Newton matrix too; 2: the exact Hessian too. Leaves
/// are parameters and constants (InternalError otherwise, or on a wrong number of parameters).
/// Accumulated tile by tile in an order fixed by the number of rows; no rows x leaves array is
/// stored. Cost: order 1 a gradient and leaves^2 / 2 sums of products, order 2 a Hessian. Where
/// `finite` is false the derivatives mean nothing. One thread.
LossDerivatives loss_derivatives(const Expr& expr, const FitData& data,
                                 std::span<const double> parameters, std::span<const Leaf> leaves,
                                 int order, kernels::Target target = kernels::best_target());

/// The loss and its gradient at one point after another: the formula is lowered once, and nothing
/// is allocated after the first call. Expression, data and everything the data refers to must
/// outlive it. Not shared between threads.
///   LossGradient loss(expr, data, parameters, leaves);
///   const double value = loss(constants, gradient);
class LossGradient {
 public:
  /// As loss_derivatives: leaves are parameters and constants, the others keep their values.
  LossGradient(const Expr& expr, const FitData& data, std::span<const double> parameters,
               std::span<const Leaf> leaves, kernels::Target target = kernels::best_target());
  LossGradient(const LossGradient&) = delete;
  LossGradient& operator=(const LossGradient&) = delete;

  /// The value, with the leaves at `point`; fills `gradient`. Both have an entry a leaf
  /// (InternalError otherwise). The numbers that loss_derivatives gives, up to the rounding of its
  /// sums. Where the value is infinite, or not all of the gradient is finite, the gradient means
  /// nothing. Cost: a gradient of the formula and, a leaf, a sum over the rows.
  double operator()(std::span<const double> point, std::span<double> gradient);

 private:
  Program program_;
  FormulaProblem problem_;
  std::optional<SummedLoss> summed_;  ///< takes the problem's place where it can
};

}  // namespace vieta
