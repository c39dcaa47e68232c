#include "fit/projected_model.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace vieta {
namespace {

// Keeps the functions' equations solvable where they depend on each other; moves the solution by
// about this fraction at most, and the fit goes on from there.
constexpr double kRidge = 1e-13;
// A cost has the rounding of the one it was computed from, some 1e-16 of it: of one that is not
// smaller than this fraction, twelve digits are left.
constexpr double kExact = 1e-4;

template <std::size_t n>
using Fixed = std::integral_constant<std::size_t, n>;

template <class Size>
bool solve_sized(const ProjectedPoint& point, Size n, const SmallVector& scale, double damping,
                 SmallVector& step) {
  SmallMatrix damped;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) damped[i][j] = point.curvature[i][j];
    damped[i][i] += damping * scale[i];
  }
  SmallFactor factor;
  if (!factor.factorise(damped, n)) return false;
  for (std::size_t i = 0; i < n; ++i) step[i] = -point.gradient[i];
  factor.forward(step, n);
  factor.backward(step, n);
  return true;
}

}  // namespace

bool solve_damped(const ProjectedPoint& point, std::size_t n, const SmallVector& scale,
                  double damping, SmallVector& step) {
  if (n == 1) return solve_sized(point, Fixed<1>{}, scale, damping, step);
  if (n == 2) return solve_sized(point, Fixed<2>{}, scale, damping, step);
  return solve_sized(point, n, scale, damping, step);
}

void ProjectedModel::set(const Basis& basis, std::span<const TileCode::Column> columns,
                         std::size_t nonlinear) {
  linear_ = basis.terms.size();
  nonlinear_ = nonlinear;
  columns_ = columns.size();
  functions_ = basis.functions.size();
  const std::size_t count = functions_ + columns_;
  stride_ = count + 2;
  fixed_ = {};
  offset_ = basis.fixed.function == Basis::kOne ? basis.fixed.sign : 0;
  if (basis.fixed.function < functions_) fixed_[basis.fixed.function] = basis.fixed.sign;
  for (std::size_t i = 0; i < linear_; ++i) {
    const Basis::Term& term = basis.terms[i];
    sign_[i] = term.sign;
    column_[i] =
        static_cast<std::uint8_t>(term.function == Basis::kOne ? count + 1 : term.function);
    linear_residual_[i] = place(column_[i], count);
    for (std::size_t j = 0; j <= i; ++j) linear_linear_[i][j] = place(column_[i], column_[j]);
  }
  one_each_ = columns_ == nonlinear;
  for (std::size_t c = 0; c < columns_; ++c) {
    const std::size_t at = functions_ + c;
    leaf_[c] = static_cast<std::uint8_t>(columns[c].leaf);
    one_each_ = one_each_ && leaf_[c] == c;
    column_fixed_[c] = fixed_[columns[c].function];
    column_residual_[c] = place(at, count);
    for (std::size_t j = 0; j < linear_; ++j) {
      multiplies_[c][j] = column_[j] == columns[c].function ? 1 : 0;
      column_linear_[c][j] = place(at, column_[j]);
    }
    for (std::size_t d = 0; d <= c; ++d) column_column_[c][d] = place(at, functions_ + d);
  }
}

double ProjectedModel::combine(const SmallVector& linear, SmallVector& coefficients) const {
  double offset = offset_;
  std::copy_n(fixed_.begin(), functions_, coefficients.begin());
  for (std::size_t j = 0; j < linear_; ++j)
    (column_[j] < functions_ ? coefficients[column_[j]] : offset) += linear[j];
  return offset;
}

bool ProjectedModel::solve(const double* sums, ProjectedPoint& point) const {
  // The sizes of common formulas, unrolled.
  if (one_each_ && columns_ == 1) {
    if (linear_ == 1) return solve_sized(sums, Fixed<1>{}, Fixed<1>{}, point);
    if (linear_ == 2) return solve_sized(sums, Fixed<2>{}, Fixed<1>{}, point);
    if (linear_ == 3) return solve_sized(sums, Fixed<3>{}, Fixed<1>{}, point);
  }
  if (one_each_ && columns_ == 2) {
    if (linear_ == 1) return solve_sized(sums, Fixed<1>{}, Fixed<2>{}, point);
    if (linear_ == 2) return solve_sized(sums, Fixed<2>{}, Fixed<2>{}, point);
    if (linear_ == 3) return solve_sized(sums, Fixed<3>{}, Fixed<2>{}, point);
  }
  return solve_sized(sums, linear_, columns_, point);
}

// F are the functions, J is the derivative of the formula by the nonlinear unknowns, r the
// residual.
template <class Linear, class Columns>
bool ProjectedModel::solve_sized(const double* sums, Linear m, Columns columns,
                                 ProjectedPoint& point) const {
  constexpr bool fixed = !std::is_same_v<Columns, std::size_t>;
  SmallMatrix products;  // F^T F
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j <= i; ++j) products[i][j] = sums[linear_linear_[i][j]];
    products[i][i] += kRidge * (products[i][i] > 0 ? products[i][i] : 1);
  }
  SmallFactor factor;
  if (!factor.factorise(products, m)) return false;
  SmallVector moved;
  for (std::size_t i = 0; i < m; ++i) moved[i] = -sums[linear_residual_[i]];
  factor.forward(moved, m);
  point.cost_before = sums[(stride_ - 2) * stride_ + stride_ - 2];
  double cost = point.cost_before;
  for (std::size_t i = 0; i < m; ++i) cost -= moved[i] * moved[i] * factor.inverse[i];
  point.cost = std::max(cost, 0.0);
  point.exact = cost >= kExact * point.cost_before;
  factor.backward(moved, m);
  for (std::size_t i = 0; i < m; ++i) point.linear[i] += moved[i];

  SmallVector weight;  // of each column of derivatives in J
  SmallVector slope;   // its product with r
  for (std::size_t c = 0; c < columns; ++c) {
    weight[c] = column_fixed_[c];
    slope[c] = sums[column_residual_[c]];
    for (std::size_t j = 0; j < m; ++j) {
      weight[c] += multiplies_[c][j] * point.linear[j];
      slope[c] += moved[j] * sums[column_linear_[c][j]];
    }
  }
  SmallMatrix product;  // J^T F
  SmallMatrix pull;     // products of r with the derivatives of F
  if constexpr (!fixed) {
    for (std::size_t k = 0; k < nonlinear_; ++k) {
      point.gradient[k] = 0;
      std::fill_n(product[k].begin(), linear_, 0.0);
      std::fill_n(pull[k].begin(), linear_, 0.0);
      std::fill_n(point.curvature[k].begin(), nonlinear_, 0.0);
    }
  }
  for (std::size_t c = 0; c < columns; ++c) {
    const std::size_t k = fixed ? c : leaf_[c];
    const auto put = [](double& to, double value) { to = fixed ? value : to + value; };
    put(point.gradient[k], weight[c] * slope[c]);
    for (std::size_t j = 0; j < m; ++j) {
      put(product[k][j], weight[c] * sums[column_linear_[c][j]]);
      put(pull[k][j], multiplies_[c][j] * slope[c]);
    }
    for (std::size_t d = 0; d <= c; ++d) {
      const double both = weight[c] * weight[d] * sums[column_column_[c][d]];
      const std::size_t l = fixed ? d : leaf_[d];
      put(point.curvature[std::max(k, l)][std::min(k, l)], both);
      // Two columns of one unknown are there in both orders.
      if (!fixed && k == l && c != d) point.curvature[k][k] += both;
    }
  }
  if constexpr (fixed) {
    project(factor, m, columns, product, pull, point);
  } else {
    project(factor, m, nonlinear_, product, pull, point);
  }
  double all = point.cost;
  for (std::size_t k = 0; k < nonlinear_; ++k) all += point.curvature[k][k];
  return std::isfinite(all);
}

// With product = J^T F and pull = R^T, the products of r with the derivatives of the functions: as
// the nonlinear unknowns move, the linear ones follow by -(F^T F)^-1 (F^T J + R), and the Jacobian
// of the projected residual has the products J^T J - (F^T J)^T (F^T F)^-1 (F^T J) +
// R^T (F^T F)^-1 R.
template <class Linear, class Nonlinear>
void ProjectedModel::project(const SmallFactor& factor, Linear m, Nonlinear n, SmallMatrix& product,
                             SmallMatrix& pull, ProjectedPoint& point) {
  for (std::size_t k = 0; k < n; ++k) {
    point.size[k] = point.curvature[k][k];
    factor.forward(product[k], m);
    factor.forward(pull[k], m);
    for (std::size_t l = 0; l <= k; ++l) {
      double change = 0;
      for (std::size_t j = 0; j < m; ++j)
        change += (pull[k][j] * pull[l][j] - product[k][j] * product[l][j]) * factor.inverse[j];
      point.curvature[k][l] += change;
    }
    for (std::size_t j = 0; j < m; ++j) point.follow[k][j] = -(product[k][j] + pull[k][j]);
    factor.backward(point.follow[k], m);
  }
}

}  // namespace vieta
