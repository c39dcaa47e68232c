#include "fit/normal_equations.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <array>
#include <cmath>

namespace vieta {
namespace {

// In-place Cholesky factor in the lower triangle of the leading n x n block, rows kStackUnknowns
// apart.
using StackMatrix = std::array<double, kStackUnknowns * kStackUnknowns>;

double& at(StackMatrix& m, std::size_t i, std::size_t j) { return m[i * kStackUnknowns + j]; }

bool factorise(StackMatrix& m, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    double pivot = at(m, j, j);
    for (std::size_t k = 0; k < j; ++k) pivot -= at(m, j, k) * at(m, j, k);
    if (!(pivot > 0) || !std::isfinite(pivot)) return false;
    const double root = std::sqrt(pivot);
    at(m, j, j) = root;
    for (std::size_t i = j + 1; i < n; ++i) {
      double value = at(m, i, j);
      for (std::size_t k = 0; k < j; ++k) value -= at(m, i, k) * at(m, j, k);
      at(m, i, j) = value / root;
    }
  }
  return true;
}

void substitute(StackMatrix& m, std::size_t n, std::span<double> x) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= at(m, i, k) * x[k];
    x[i] /= at(m, i, i);
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= at(m, k, i) * x[k];
    x[i] /= at(m, i, i);
  }
}

bool solve_large(const NormalEquations& e, std::span<const double> scale, double damping,
                 std::span<double> step) {
  const auto n = static_cast<Eigen::Index>(e.unknowns);
  Eigen::MatrixXd a = Eigen::Map<const Eigen::MatrixXd>(e.matrix.data(), n, n);
  for (Eigen::Index i = 0; i < n; ++i) a(i, i) += damping * scale[static_cast<std::size_t>(i)];
  const Eigen::LLT<Eigen::MatrixXd> factor(a);
  if (factor.info() != Eigen::Success) return false;
  Eigen::Map<Eigen::VectorXd>(step.data(), n) =
      -factor.solve(Eigen::Map<const Eigen::VectorXd>(e.gradient.data(), n));
  return true;
}

}  // namespace

bool solve_damped(const NormalEquations& e, std::span<const double> scale, double damping,
                  std::span<double> step) {
  const std::size_t n = e.unknowns;
  if (n > kStackUnknowns) return solve_large(e, scale, damping, step);
  StackMatrix m;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) at(m, i, j) = e.at(i, j);
    at(m, i, i) += damping * scale[i];
    step[i] = -e.gradient[i];
  }
  if (!factorise(m, n)) return false;
  substitute(m, n, step);
  return true;
}

}  // namespace vieta
