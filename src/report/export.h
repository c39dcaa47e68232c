// export: a formula written for other systems. Values keep every digit; nothing is simplified.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "expr/expr.h"

namespace vieta {

enum class ExportLanguage { latex, sympy, numpy, c, julia };

/// "latex", "sympy", "numpy", "c" or "julia".
std::optional<ExportLanguage> export_language(std::string_view name);

/// The formula as an expression of the language. Names that are no identifiers there are changed
/// visibly: other characters become _, and a number is added where two names would meet. `digits`
/// 0: all that are needed to read back the same number.
std::string export_expression(const Expr& expr, ExportLanguage language, int digits = 0);

/// A C translation unit (C11 and <math.h>) with one function `double vieta_f(double, ...)` of the
/// formula's variables, then its parameters, in order, and the helpers it needs in front.
std::string export_c_function(const Expr& expr);

}  // namespace vieta
