#include "fit/kinked_fit.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <vector>

namespace vieta {
namespace {

using Eigen::Index;

// Roundings in units of the target's spread; the last leaves nine digits.
constexpr double kRoundings[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
constexpr int kSolves = 20;

// Rows that are met to within `reach`, nearest first.
std::vector<std::size_t> touched_rows(const FitEnd& end, const FitData& data, const RowLoss& loss,
                                      double reach, std::size_t most) {
  std::vector<std::size_t> rows;
  const auto away = [&](std::size_t r) { return std::fabs(end.values[r] - data.target[r]); };
  for (std::size_t r = 0; r < end.rows; ++r) {
    if (loss.kink(r) > 0 && away(r) <= reach) rows.push_back(r);
  }
  std::ranges::sort(rows, {}, away);
  if (rows.size() > most) rows.resize(most);
  return rows;
}

// One step of Newton's method towards meeting the rows; false if they do not determine x.
bool solve_rows(const FitEnd& end, const FitData& data, const std::vector<std::size_t>& rows,
                std::span<double> x) {
  const auto n = static_cast<Index>(x.size());
  Eigen::MatrixXd j(n, n);
  Eigen::VectorXd r(n);
  for (Index k = 0; k < n; ++k) {
    const std::size_t row = rows[static_cast<std::size_t>(k)];
    r(k) = data.target[row] - end.values[row];
    for (Index i = 0; i < n; ++i)
      j(k, i) = end.jacobian[static_cast<std::size_t>(i) * end.rows + row];
  }
  const Eigen::FullPivLU<Eigen::MatrixXd> factor(j);
  if (!factor.isInvertible()) return false;
  const Eigen::VectorXd step = factor.solve(r);
  for (Index i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] += step(i);
  return step.allFinite();
}

// As many of the rows as there are unknowns, independent of each other; fewer if there are no more.
std::vector<std::size_t> independent_rows(const FitEnd& end, const std::vector<std::size_t>& rows) {
  const auto n = static_cast<Index>(end.unknowns);
  const auto m = static_cast<Index>(rows.size());
  Eigen::MatrixXd columns(n, m);
  for (Index k = 0; k < m; ++k) {
    for (Index i = 0; i < n; ++i)
      columns(i, k) =
          end.jacobian[static_cast<std::size_t>(i) * end.rows + rows[static_cast<std::size_t>(k)]];
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(columns);
  qr.setThreshold(1e-10);
  std::vector<std::size_t> chosen;
  for (Index k = 0; k < std::min(qr.rank(), n); ++k)
    chosen.push_back(rows[static_cast<std::size_t>(qr.colsPermutation().indices()(k))]);
  return chosen;
}

// Moves x to the point where the rows near it are met exactly, if that is better.
double meet_rows(FormulaProblem& problem, const FitData& data, std::span<double> x, double cost,
                 const std::function<FitEnd(std::span<const double>)>& end_at) {
  FitEnd end = end_at(x);
  const auto near =
      touched_rows(end, data, problem.loss(), 1e-5 * problem.loss().spread(), 2 * x.size() + 20);
  if (near.size() < x.size()) return cost;
  const auto rows = independent_rows(end, near);
  if (rows.size() < x.size()) return cost;
  std::vector<double> trial(x.begin(), x.end());
  for (int k = 0; k < kSolves; ++k) {
    const std::vector<double> before = trial;
    if (!solve_rows(end, data, rows, trial)) return cost;
    if (trial == before) break;
    end = end_at(trial);
  }
  const double reached = problem.cost(trial);
  // Equal to rounding counts: a point that meets rows exactly is what is looked for.
  if (!(reached <= cost + 1e-15 * std::fabs(cost))) return cost;
  std::ranges::copy(trial, x.begin());
  return reached;
}

}  // namespace

LeastSquaresReport minimize_kinked(LevenbergMarquardt& minimizer, FormulaProblem& problem,
                                   const FitData& data, std::span<double> x,
                                   const LeastSquaresOptions& options,
                                   const std::function<FitEnd(std::span<const double>)>& end_at) {
  LeastSquaresReport report;
  LeastSquaresOptions rounded = options;
  rounded.cost_tolerance = std::max(options.cost_tolerance, 1e-12);
  for (const double rounding : kRoundings) {
    problem.loss().set_rounding(rounding);
    const LeastSquaresReport one = minimizer.minimize(problem, x, rounded);
    report.evaluations += one.evaluations;
    report.iterations += one.iterations;
    report.stop_reason = one.stop_reason;
    if (one.stop_reason == StopReason::not_finite) return report;
  }
  problem.loss().set_rounding(0);
  report.cost = problem.cost(x);
  if (options.lower.empty()) report.cost = meet_rows(problem, data, x, report.cost, end_at);
  // The last rounding stops short of a proof only by what rounding hides.
  if (report.stop_reason == StopReason::no_progress) report.stop_reason = StopReason::converged;
  return report;
}

}  // namespace vieta
