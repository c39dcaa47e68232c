// bands: how well a fitted formula is known on each row.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "data/columns.h"
#include "expr/diff.h"
#include "expr/expr.h"
#include "fit/fit.h"

namespace vieta {

/// A fitted formula with what its bands are made of; as FitReport has it.
struct FittedFormula {
  Expr model;                      ///< its parameters are named
  std::vector<double> parameters;  ///< their values
  std::vector<Leaf> leaves;        ///< that were estimated
  std::vector<double> covariance;  ///< leaves x leaves
  double residual_sd = 0;          ///< of a new observation of weight 1; NaN: no prediction band
  double dof = 0;                  ///< of Student's t; infinite: normal
};

/// Of a fit. Prediction bands belong to least squares with relative weights: what the errors of new
/// observations are, known sigmas and other losses do not tell.
FittedFormula fitted_formula(const FitReport& report);

/// 95 % bands, one entry a row.
struct Bands {
  std::vector<double> value;
  std::vector<double> confidence_low;  ///< of the formula's mean
  std::vector<double> confidence_high;
  std::vector<double> prediction_low;  ///< of a new observation; NaN where that is not known
  std::vector<double> prediction_high;
};

/// To first order in the estimates (the delta method): the variance of a value is g^T C g, g its
/// exact gradient. Rows where the formula is not finite have NaN bands. Errors (numeric): an
/// estimate that the data did not determine.
Result<Bands> bands(const FittedFormula& fitted, const ColumnsView<double>& columns);

}  // namespace vieta
