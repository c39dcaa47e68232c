// json_number: doubles in JSON, which has neither infinity nor NaN.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/number_text.h"

namespace vieta {

/// A result: null if it is not finite.
inline nlohmann::ordered_json number_or_null(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

/// A constant, which must survive: "inf", "-inf" or "nan" if it is not finite.
inline nlohmann::ordered_json number_or_text(double value) {
  if (!std::isfinite(value)) return number_text(value);
  return value;
}

}  // namespace vieta
