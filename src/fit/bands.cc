#include "fit/bands.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/check.h"
#include "eval/evaluate.h"
#include "fit/student_t.h"

namespace vieta {

FittedFormula fitted_formula(const FitReport& report) {
  const bool known_variance = report.absolute_sigma || report.family == LossFamily::likelihood;
  const bool predicts = report.family == LossFamily::squares && !report.absolute_sigma;
  return {
      report.model,
      report.parameters,
      report.leaves,
      report.covariance,
      predicts ? report.residual_sd : std::numeric_limits<double>::quiet_NaN(),
      known_variance ? std::numeric_limits<double>::infinity() : static_cast<double>(report.dof)};
}

Result<Bands> bands(const FittedFormula& fitted, const ColumnsView<double>& columns) {
  const std::size_t n = fitted.leaves.size();
  VIETA_CHECK(fitted.covariance.size() == n * n);
  for (std::size_t i = 0; i < n; ++i) {
    if (std::isfinite(fitted.covariance[i * n + i])) continue;
    return fail(
        ErrorCode::numeric,
        fmt::format("no bands: the fit has no standard error for '{}' (not determined, or at "
                    "a bound); fix it and fit again",
                    leaf_name(fitted.model, fitted.leaves[i])));
  }
  const auto e = evaluate<double>(fitted.model, columns, fitted.parameters, fitted.leaves, 1);
  const double t = student_t_quantile(0.975, fitted.dof);
  Bands result;
  result.value = e.values;
  for (std::size_t r = 0; r < columns.rows; ++r) {
    double variance = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        variance +=
            e.gradient_column(i)[r] * fitted.covariance[i * n + j] * e.gradient_column(j)[r];
      }
    }
    const double mean = t * std::sqrt(variance);
    const double single = t * std::sqrt(variance + fitted.residual_sd * fitted.residual_sd);
    result.confidence_low.push_back(e.values[r] - mean);
    result.confidence_high.push_back(e.values[r] + mean);
    result.prediction_low.push_back(e.values[r] - single);
    result.prediction_high.push_back(e.values[r] + single);
  }
  return result;
}

}  // namespace vieta
