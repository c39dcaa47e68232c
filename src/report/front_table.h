// front_table: a front as people read it, and as programs do.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "search/search.h"

namespace vieta {

/// One line an entry, the selected one marked with '>'. Losses and constants have 6 digits.
/// Formulas other than the selected one are cut where a line is longer than `width` columns of a
/// terminal; 0 cuts none.
std::string front_table(const SearchReport& report, std::size_t width = 0);

/// `front.csv`: complexity, loss, r2, score, formula; every digit.
std::string front_csv(const SearchReport& report);

/// {front: [{complexity, loss, r2, score, formula, latex}], selected, n_evaluations, seconds,
/// stop_reason, seed}. A number that is not finite is null.
nlohmann::ordered_json front_json(const SearchReport& report);

}  // namespace vieta
