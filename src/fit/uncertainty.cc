#include "fit/uncertainty.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "fit/student_t.h"

namespace vieta {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// A column whose part that the others do not span is smaller than this is redundant: some ten times
// the rounding of a Jacobian of a thousand rows.
constexpr double kRankThreshold = 1e-13;

using Eigen::Index;
using Eigen::MatrixXd;

// Columns of J that take part, rows times the root of `scale(row)`, each of length 1.
struct ScaledColumns {
  std::vector<std::size_t> unknowns;
  MatrixXd columns;
  Eigen::VectorXd norms;
};

template <class Scale>
ScaledColumns scaled_columns(const FitEnd& end, std::span<const std::uint8_t> held, Scale scale) {
  ScaledColumns s;
  for (std::size_t i = 0; i < end.unknowns; ++i) {
    if (held.empty() || held[i] == 0) s.unknowns.push_back(i);
  }
  s.columns.resize(static_cast<Index>(end.rows), static_cast<Index>(s.unknowns.size()));
  for (std::size_t k = 0; k < s.unknowns.size(); ++k) {
    const double* column = end.jacobian.data() + s.unknowns[k] * end.rows;
    for (std::size_t r = 0; r < end.rows; ++r) {
      const double by = scale(r);
      s.columns(static_cast<Index>(r), static_cast<Index>(k)) = by == 0 ? 0 : by * column[r];
    }
  }
  s.norms = s.columns.colwise().norm().transpose();
  for (Index k = 0; k < s.norms.size(); ++k) {
    if (s.norms(k) > 0) s.columns.col(k) /= s.norms(k);
  }
  return s;
}

struct Rank {
  Eigen::ColPivHouseholderQR<MatrixXd> qr;
  Index rank = 0;
};

Rank find_rank(const ScaledColumns& s) {
  Rank result;
  result.qr.setThreshold(kRankThreshold);
  if (s.unknowns.empty()) return result;
  result.qr.compute(s.columns);
  result.rank = std::min<Index>(result.qr.rank(), s.columns.rows());
  return result;
}

std::size_t unknown_of(const ScaledColumns& s, const Rank& rank, Index k) {
  return s.unknowns[static_cast<std::size_t>(rank.qr.colsPermutation().indices()(k))];
}

Covariance empty_covariance(const FitEnd& end, const ScaledColumns& s, const Rank& rank) {
  Covariance c;
  c.matrix.assign(end.unknowns * end.unknowns, kNan);
  c.determined = static_cast<std::size_t>(rank.rank);
  for (Index k = rank.rank; k < static_cast<Index>(s.unknowns.size()); ++k)
    c.undetermined.push_back(unknown_of(s, rank, k));
  return c;
}

// Inverse of a symmetric positive definite matrix after scaling its diagonal to 1; NaN if it is
// none.
MatrixXd inverse(const MatrixXd& a) {
  Eigen::VectorXd root = a.diagonal().cwiseSqrt();
  MatrixXd scaled = a;
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j) scaled(i, j) /= root(i) * root(j);
  }
  const Eigen::LDLT<MatrixXd> factor(scaled);
  if (factor.info() != Eigen::Success || !factor.isPositive())
    return MatrixXd::Constant(a.rows(), a.cols(), kNan);
  MatrixXd result = factor.solve(MatrixXd::Identity(a.rows(), a.cols()));
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j) result(i, j) /= root(i) * root(j);
  }
  return result;
}

// The value below which a share p of sorted values lies, between neighbours by the line.
double quantile_of(const std::vector<double>& sorted, double p) {
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

// The density of the residuals at 0.
double density_at_zero(std::vector<double> residuals, double p) {
  const auto n = static_cast<double>(residuals.size());
  std::ranges::sort(residuals);
  const double infinite = std::numeric_limits<double>::infinity();
  const double z = student_t_quantile(p, infinite);
  const double normal = std::exp(-z * z / 2) / std::sqrt(2 * M_PI);
  double share = std::pow(n, -1.0 / 3) * std::pow(student_t_quantile(0.975, infinite), 2.0 / 3) *
                 std::pow(1.5 * normal * normal / (2 * z * z + 1), 1.0 / 3);
  // With few rows it may reach beyond all of them; halved, as quantreg does.
  while (share > 0 && (p - share <= 0 || p + share >= 1)) share /= 2;
  const double low = p - share;
  const double high = p + share;
  const double range = (quantile_of(residuals, 0.75) - quantile_of(residuals, 0.25)) / 1.34;
  double mean = 0;
  for (const double r : residuals) mean += r / n;
  double variance = 0;
  for (const double r : residuals) variance += (r - mean) * (r - mean) / n;
  const double deviation = std::sqrt(variance);
  const double width = std::min(deviation, range > 0 ? range : deviation) *
                       (student_t_quantile(high, infinite) - student_t_quantile(low, infinite));
  double sum = 0;
  for (const double r : residuals) {
    const double u = r / width;
    if (std::fabs(u) < 1) sum += 0.75 * (1 - u * u);
  }
  return sum / (n * width);
}

// Half the derivative of each row's loss by the prediction, times its weight; rows that a kink
// holds count as below the target, as is the custom.
std::vector<double> pulls(const FitData& data, RowLoss& loss, const FitEnd& end) {
  std::vector<double> values = end.values;
  const double touching = 1e-9 * loss.spread();
  std::vector<double> result(end.rows);
  for (std::size_t r = 0; loss.kinked() && r < end.rows; ++r) {
    if (std::fabs(values[r] - data.target[r]) <= touching) values[r] = data.target[r] + touching;
  }
  const std::size_t tile = loss.longest_tile();
  for (std::size_t first = 0; first < end.rows; first += tile) {
    const std::size_t rows = std::min(tile, end.rows - first);
    loss.derivatives(values.data() + first, first, rows, Curvature::exact);
    std::copy_n(loss.pull(), rows, result.data() + first);
  }
  return result;
}

// Half the second derivatives of the loss that is expected, for a loss with a kink.
MatrixXd kinked_curvature(const FitData& data, const RowLoss& loss, const FitEnd& end) {
  std::vector<double> residuals;
  for (std::size_t r = 0; r < end.rows; ++r) {
    if (loss.counts(r)) residuals.push_back(data.target[r] - end.values[r]);
  }
  const double density = density_at_zero(std::move(residuals), data.loss.quantile);
  const auto s = scaled_columns(
      end, {}, [&](std::size_t r) { return std::sqrt(loss.weight(r) * loss.kink(r) * density); });
  MatrixXd columns = s.columns;
  for (Index k = 0; k < columns.cols(); ++k) columns.col(k) *= s.norms(k);
  return columns.transpose() * columns;
}

MatrixXd smooth_curvature(FormulaProblem& problem, std::span<const double> x) {
  const auto n = static_cast<Index>(problem.unknowns());
  NormalEquations equations;
  problem.set_curvature(Curvature::exact);
  const bool finite = problem.linearize(x, equations);
  problem.set_curvature(Curvature::gauss_newton);
  if (!finite) return MatrixXd::Constant(n, n, kNan);
  return Eigen::Map<const MatrixXd>(equations.matrix.data(), n, n);
}

MatrixXd chosen(const MatrixXd& all, const std::vector<std::size_t>& which) {
  const auto n = static_cast<Index>(which.size());
  MatrixXd part(n, n);
  for (Index a = 0; a < n; ++a) {
    for (Index b = 0; b < n; ++b) {
      part(a, b) = all(static_cast<Index>(which[static_cast<std::size_t>(a)]),
                       static_cast<Index>(which[static_cast<std::size_t>(b)]));
    }
  }
  return part;
}

}  // namespace

Covariance squares_covariance(const FitEnd& end, const RowLoss& loss,
                              std::span<const std::uint8_t> held) {
  const auto s =
      scaled_columns(end, held, [&](std::size_t r) { return std::sqrt(loss.weight(r)); });
  const Rank rank = find_rank(s);
  Covariance c = empty_covariance(end, s, rank);
  if (rank.rank == 0) return c;
  const MatrixXd r = rank.qr.matrixR().topLeftCorner(rank.rank, rank.rank);
  const MatrixXd inverse_r =
      r.triangularView<Eigen::Upper>().solve(MatrixXd::Identity(rank.rank, rank.rank));
  const MatrixXd product = inverse_r * inverse_r.transpose();
  const auto& order = rank.qr.colsPermutation().indices();
  for (Index a = 0; a < rank.rank; ++a) {
    for (Index b = 0; b < rank.rank; ++b) {
      c.matrix[unknown_of(s, rank, a) * end.unknowns + unknown_of(s, rank, b)] =
          product(a, b) / (s.norms(order(a)) * s.norms(order(b)));
    }
  }
  return c;
}

Covariance loss_covariance(const FitData& data, FormulaProblem& problem, const FitEnd& end,
                           std::span<const double> x, std::span<const std::uint8_t> held) {
  RowLoss& loss = problem.loss();
  loss.set_rounding(0);
  const auto s =
      scaled_columns(end, held, [&](std::size_t r) { return std::sqrt(loss.weight(r)); });
  const Rank rank = find_rank(s);
  Covariance c = empty_covariance(end, s, rank);
  std::vector<std::size_t> which;
  for (Index k = 0; k < rank.rank; ++k) which.push_back(unknown_of(s, rank, k));
  const MatrixXd curvature =
      loss.kinked() ? kinked_curvature(data, loss, end) : smooth_curvature(problem, x);
  MatrixXd result = inverse(chosen(curvature, which));
  if (data.loss.family != LossFamily::likelihood) {
    const std::vector<double> pull = pulls(data, loss, end);
    const auto p = scaled_columns(end, {}, [&](std::size_t r) { return std::fabs(pull[r]); });
    MatrixXd columns = p.columns;
    for (Index k = 0; k < columns.cols(); ++k) columns.col(k) *= p.norms(k);
    const MatrixXd spread = chosen(columns.transpose() * columns, which);
    std::size_t rows = 0;
    for (std::size_t r = 0; r < end.rows; ++r) rows += loss.counts(r) ? 1 : 0;
    // As many degrees of freedom as least squares has; quantiles go without by custom.
    const double few = loss.kinked() || rows <= c.determined
                           ? 1
                           : static_cast<double>(rows) / static_cast<double>(rows - c.determined);
    result = result * spread * result * few;
  } else {
    result /= loss.weight_unit();
  }
  for (std::size_t a = 0; a < which.size(); ++a) {
    for (std::size_t b = 0; b < which.size(); ++b) {
      c.matrix[which[a] * end.unknowns + which[b]] =
          result(static_cast<Index>(a), static_cast<Index>(b));
    }
  }
  return c;
}

}  // namespace vieta
