// projected_model: the equations of a least-squares problem whose linear unknowns are solved for,
// from sums of products.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "fit/small_factor.h"
#include "program/basis.h"
#include "program/tile_code.h"

namespace vieta {

/// Where a projected problem stands, and its local model there.
struct ProjectedPoint {
  SmallVector linear{};     ///< times the signs of their terms; always where the sum is least
  SmallVector nonlinear{};  ///< the others
  double cost = 0;          ///< sum of squared residuals
  double cost_before = 0;   ///< with the linear unknowns as they were given
  bool exact = false;       ///< the cost was not lost in the rounding of a larger one
  SmallVector gradient{};   ///< half of it, by the nonlinear unknowns, the linear ones following
  SmallMatrix curvature{};  ///< half of Gauss and Newton's second derivatives; lower triangle
  SmallMatrix follow{};     ///< [k][j]: d linear[j] / d nonlinear[k]
  SmallVector size{};       ///< squared lengths of the columns of the whole problem's Jacobian
};

/// (curvature + damping * diag(scale)) * step = -gradient in the first n unknowns. False, and step
/// as it was, if the matrix is not positive definite to rounding.
bool solve_damped(const ProjectedPoint& point, std::size_t n, const SmallVector& scale,
                  double damping, SmallVector& step);

/// What a formula split into functions needs to know of its sums. The sums are those of products of
/// the functions' columns, then their derivatives', the residual's and 1: a lower triangle, row by
/// row, `stride` apart.
class ProjectedModel {
 public:
  /// At most kSmall functions and derivatives, linear and nonlinear unknowns.
  void set(const Basis& basis, std::span<const TileCode::Column> columns, std::size_t nonlinear);

  std::size_t linear() const { return linear_; }
  std::size_t nonlinear() const { return nonlinear_; }
  std::size_t stride() const { return stride_; }
  /// Of linear unknown j: +1 or -1.
  double sign(std::size_t j) const { return sign_[j]; }

  /// What each function is multiplied by at `linear`; what is added.
  double combine(const SmallVector& linear, SmallVector& coefficients) const;

  /// Moves the linear unknowns to where the sum is least and gives the local model there, from the
  /// sums of products with the residual at `point.linear`. False if the functions depend on each
  /// other or anything is not finite.
  bool solve(const double* sums, ProjectedPoint& point) const;

 private:
  using Place = std::uint16_t;
  template <class T>
  using Each = std::array<T, kSmall>;

  Place place(std::size_t i, std::size_t j) const {
    return static_cast<Place>(i >= j ? i * stride_ + j : j * stride_ + i);
  }
  template <class Linear, class Columns>
  bool solve_sized(const double* sums, Linear m, Columns columns, ProjectedPoint& point) const;
  template <class Linear, class Nonlinear>
  static void project(const SmallFactor& factor, Linear m, Nonlinear n, SmallMatrix& product,
                      SmallMatrix& pull, ProjectedPoint& point);

  std::size_t linear_ = 0;
  std::size_t nonlinear_ = 0;
  std::size_t columns_ = 0;
  std::size_t functions_ = 0;
  std::size_t stride_ = 0;
  bool one_each_ = false;  ///< column c is the only one of nonlinear unknown c
  Each<double> sign_{};
  Each<double> fixed_{};  ///< per function: what it is multiplied by besides
  double offset_ = 0;
  Each<std::uint8_t> column_{};  ///< of each linear unknown, among those that are summed
  Each<std::uint8_t> leaf_{};    ///< per column of derivatives
  // Per column of derivatives: what its function is multiplied by besides, and which linear
  // unknowns multiply it, 1 or 0.
  Each<double> column_fixed_{};
  Each<Each<double>> multiplies_{};
  Each<Each<Place>> linear_linear_{};
  Each<Place> linear_residual_{};
  Each<Each<Place>> column_linear_{};
  Each<Place> column_residual_{};
  Each<Each<Place>> column_column_{};
};

}  // namespace vieta
