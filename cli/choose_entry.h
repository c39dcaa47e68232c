// choose_entry: which formula of a model a verb is about.
#pragma once

#include <cstddef>
#include <optional>

#include "base/result.h"
#include "report/model.h"

namespace vieta::cli {

/// By place in the front, by complexity, or the selected one. Errors (usage): both given, or none
/// there.
Result<std::size_t> choose_entry(const Model& model, const std::optional<std::size_t>& index,
                                 const std::optional<std::size_t>& complexity);

}  // namespace vieta::cli
