// normal_equations: what a least-squares step is computed from.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace vieta {

/// J^T J and J^T r of a sum of squared residuals r(x), and the sum itself. Memory is kept between
/// uses.
struct NormalEquations {
  std::size_t unknowns = 0;
  double cost = 0;               ///< sum of (weighted) squared residuals
  std::vector<double> gradient;  ///< J^T r
  std::vector<double> matrix;    ///< J^T J, row by row, both triangles

  void reset(std::size_t n) {
    unknowns = n;
    cost = 0;
    gradient.assign(n, 0.0);
    matrix.assign(n * n, 0.0);
  }
  double& at(std::size_t i, std::size_t j) { return matrix[i * unknowns + j]; }
  double at(std::size_t i, std::size_t j) const { return matrix[i * unknowns + j]; }
};

/// Up to this many unknowns a step is factorised on the stack; above it Eigen does it.
inline constexpr std::size_t kStackUnknowns = 16;

/// Solves (J^T J + damping * D) step = -J^T r, D = diag(scale). False if the matrix is not positive
/// definite to rounding; `step` then means nothing. O(n^3).
bool solve_damped(const NormalEquations& equations, std::span<const double> scale, double damping,
                  std::span<double> step);

}  // namespace vieta
