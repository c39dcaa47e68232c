// uncertainty: the covariance of fitted unknowns.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fit/formula_problem.h"

namespace vieta {

/// What the end of a fit looks like, row by row.
struct FitEnd {
  std::size_t rows = 0;
  std::size_t unknowns = 0;
  std::vector<double> values;    ///< of the formula
  std::vector<double> jacobian;  ///< a column an unknown, rows long
};

struct Covariance {
  std::vector<double> matrix;             ///< unknowns x unknowns; NaN for what is not determined
  std::size_t determined = 0;             ///< rank
  std::vector<std::size_t> undetermined;  ///< unknowns that other values serve as well
};

/// Gaussian residuals: the inverse of J^T W J, by a QR factorisation of the scaled Jacobian (J^T J
/// would lose half the digits), times `variance`. Unknowns where `held` is not 0 count as known.
Covariance squares_covariance(const FitEnd& end, const RowLoss& loss,
                              std::span<const std::uint8_t> held);

/// Deviances: the inverse of the observed information at x. Robust losses: the sandwich of the
/// exact second derivatives and the squared pulls. Losses with a kink: the sandwich of Powell with
/// an Epanechnikov kernel and the bandwidth of Hall and Sheather (J. R. Stat. Soc. B 50, 1988), as
/// Koenker (Quantile Regression, 2005, sec. 3.4) describes it; halved while it reaches beyond (0,
/// 1).
Covariance loss_covariance(const FitData& data, FormulaProblem& problem, const FitEnd& end,
                           std::span<const double> x, std::span<const std::uint8_t> held);

}  // namespace vieta
