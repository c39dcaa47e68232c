// fit_text: a fit as a scientist reads it, and as programs do.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "fit/fit.h"

namespace vieta {

/// "238.94 ± 0.27": the error with two digits, the value down to the same place.
std::string value_with_error(double value, double error);

/// A line an estimate, then the figures of the fit.
std::string fit_text(const FitReport& report);

/// name,value,std_error,ci95_low,ci95_high: a line an estimate, every digit.
std::string fit_csv(const FitReport& report);

/// {parameters: {name: {value, std_error, ci95}}, loss, rss, dof, residual_sd, n_evaluations,
/// stop_reason, formula, ...}. A number that is not finite is null.
nlohmann::ordered_json fit_json(const FitReport& report);

}  // namespace vieta
