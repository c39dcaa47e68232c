// fitted_model: a fit on disk, so that bands can be drawn on other tables.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "fit/bands.h"
#include "fit/fit.h"

namespace vieta {

/// Writes a model file of one formula that every verb reads, with the fit's uncertainty beside it.
/// Errors (data): the file cannot be written.
Result<void> write_fitted_model(const std::string& path, const FitReport& report,
                                const std::string& target,
                                const std::vector<std::string>& definitions);

/// The fit in such a file. `more`: as for read_model. Errors: (data) not readable, not such a file
/// (a front that search wrote has no uncertainty); those of model_operators.
Result<FittedFormula> read_fitted_model(const std::string& path,
                                        const std::vector<std::string>& more = {});

}  // namespace vieta
