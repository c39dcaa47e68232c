// criteria: how much a formula explains for what it costs.
#pragma once

#include <cstddef>

#include "fit/loss.h"

namespace vieta {

/// What the criteria are made of.
struct FitSize {
  LossFamily family = LossFamily::squares;
  double loss = 0;             ///< weighted mean
  double total_weight = 0;     ///< sum of the weights
  std::size_t rows = 0;        ///< that count
  std::size_t constants = 0;   ///< fitted
  std::size_t complexity = 0;  ///< nodes of the formula
  std::size_t vocabulary = 0;  ///< things a node may be
};

/// -2 log-likelihood at its largest, without terms that are the same for every formula: n ln(loss)
/// for l2 (Gaussian residuals, variance estimated) and for other losses that grow like squares near
/// the target, the deviance, 2n ln(loss) for l1 and quantiles (Laplace, scale estimated).
double minus_two_log_likelihood(const FitSize& size);

/// Akaike's and Schwarz's criteria from it, the estimated variance or scale counted as a constant;
/// NaN for losses that are no likelihood.
double akaike(const FitSize& size);
double schwarz(const FitSize& size);

/// Nats to state the residuals, the constants (Schwarz) and the nodes, with the correction for few
/// rows of Hurvich and Tsai (Biometrika 76, 1989), which an almost saturated formula cannot pay.
double description_length(const FitSize& size);

}  // namespace vieta
