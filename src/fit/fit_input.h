// fit_input: what a fit was asked for, checked, and the formula anywhere in it.
#pragma once

#include <span>
#include <vector>

#include "expr/expr.h"
#include "fit/fit.h"
#include "fit/uncertainty.h"
#include "fit/unknowns.h"
#include "program/program.h"

namespace vieta {

/// Everything but `uniforms` must outlive it.
struct FitInput {
  const Expr& expr;
  const FitData& data;
  const FitOptions& options;
  const Program& program;  ///< of expr, with tunable constants
  const Unknowns& unknowns;
  std::vector<double> uniforms;  ///< where the fit starts; fixed values

  // `x` has a value for each unknown.
  std::vector<double> parameters_at(std::span<const double> x) const;
  Expr model_at(std::span<const double> x) const;  ///< its numbers set, its parameters left
  FitEnd end_at(std::span<const double> x) const;
};

}  // namespace vieta
