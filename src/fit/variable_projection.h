// variable_projection: unknowns that enter linearly are solved for, not searched for.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "expr/diff.h"
#include "expr/expr.h"
#include "fit/least_squares.h"
#include "fit/normal_equations.h"

namespace vieta {

/// Which of the leaves the formula is linear in, all of them at once (1), as far as its structure
/// shows: sums, products, quotients and choices. Leaves where `allowed` is 0 are left out. Taken
/// from left to right. O(size * leaves).
std::vector<std::uint8_t> linear_leaves(const Expr& expr, std::span<const Leaf> leaves,
                                        std::span<const std::uint8_t> allowed);

/// A least-squares problem as a function of its nonlinear unknowns alone: the linear ones are
/// always where the sum is least (Golub and Pereyra, SIAM J. Numer. Anal. 10, 1973; the derivative
/// of the projection as Kaufman, BIT 15, 1975, has it: the Schur complement of the normal
/// equations). Allocates in the first calls only. Not shared between threads.
class ProjectedProblem : public LeastSquaresProblem {
 public:
  /// `full` must outlive it. `linear`: as linear_leaves gives it; `x`: all unknowns, where the
  /// linear ones start from.
  ProjectedProblem(LeastSquaresProblem& full, std::span<const std::uint8_t> linear,
                   std::span<const double> x);

  std::size_t unknowns() const override { return nonlinear_.size(); }
  double cost(std::span<const double> x) override;
  bool linearize(std::span<const double> x, NormalEquations& equations) override;

  /// All unknowns of the full problem for the nonlinear ones at x. False if the full problem has no
  /// finite derivatives there.
  bool solve(std::span<const double> x);
  std::span<const double> all() const { return all_; }

 private:
  bool solve_columns(NormalEquations& equations);

  LeastSquaresProblem& full_;
  std::vector<std::size_t> linear_;
  std::vector<std::size_t> nonlinear_;
  std::vector<double> all_;
  NormalEquations equations_;  ///< of the full problem
  NormalEquations block_;      ///< of the linear unknowns
  std::vector<double> scale_;
  std::vector<double> step_;
};

}  // namespace vieta
