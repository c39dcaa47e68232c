// fit_options: the options of vieta fit that name parameters.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "fit/fit.h"

namespace vieta::cli {

/// "a=0:1,b=:5" or repeated; a side left out is free. Errors (usage): bad text, a name given twice.
Result<std::map<std::string, Bounds>> read_bounds(const std::vector<std::string>& texts);

/// "b=2*a", one each. Errors (usage): bad text, a name given twice.
Result<std::map<std::string, std::string>> read_ties(const std::vector<std::string>& texts);

}  // namespace vieta::cli
