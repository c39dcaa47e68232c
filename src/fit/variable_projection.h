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

/// The same for the constants of a formula given as nodes, for a search: entries of `chosen`, one a
/// constant, are 1 where allowed on entry and linear on return. Allocates nothing once `scratch`
/// has grown.
void keep_linear_constants(std::span<const Node> nodes, std::span<std::uint8_t> chosen,
                           std::vector<int>& scratch);

/// Minimises a sum of squares some of whose unknowns enter linearly: these are always where the sum
/// is least, the damped steps are in the others (variable projection, Golub and Pereyra, SIAM J.
/// Numer. Anal. 10, 1973; with the simplified derivative of Kaufman, BIT 15, 1975, a step is that
/// of the whole problem without damping of the linear unknowns, Ruhe and Wedin, SIAM Rev. 22,
/// 1980). One pass over the data a step: the linear unknowns are solved for from the normal
/// equations at the new point, whose columns for the others were taken with the linear ones as
/// predicted. Where such a model leads nowhere, and at the end, it is taken anew where it stands.
/// Keeps its memory. Not shared between threads.
class VariableProjection {
 public:
  /// `linear`: 1 for every unknown that enters linearly. Improves x in place, never to a point
  /// worse than the start. No bounds.
  LeastSquaresReport minimize(LeastSquaresProblem& problem, std::span<const std::uint8_t> linear,
                              std::span<double> x, const LeastSquaresOptions& options = {});

 private:
  /// A point and the local model there.
  struct Point {
    std::vector<double> x;
    NormalEquations equations;
    bool predicted = false;  ///< the linear unknowns have moved since
  };

  bool linearize(LeastSquaresProblem& problem, Point& point);
  bool reach(LeastSquaresProblem& problem, Point& point);
  bool solve_linear(Point& point);
  void set_scale(double damping);
  bool is_stationary(double tolerance) const;
  double predicted_fall(double damping) const;

  std::vector<std::size_t> linear_;
  std::vector<std::uint8_t> is_linear_;
  Point here_;
  Point there_;
  NormalEquations block_;
  std::vector<double> block_scale_;
  std::vector<double> block_step_;
  std::vector<double> scale_;
  std::vector<double> step_;
};

}  // namespace vieta
