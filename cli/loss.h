// loss: the option --loss of fit and search.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/input.h"
#include "fit/loss.h"

namespace vieta::cli {

inline constexpr const char* kLossHelp =
    "l2, l1, huber:d, quantile:q, log_cosh, poisson, binomial, or a formula in prediction and "
    "target";

/// The loss, which may call operators of --define. Errors (usage): as parse_loss.
Result<Loss> read_loss(const std::string& text, const CommonOptions& common);

}  // namespace vieta::cli
