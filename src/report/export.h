// export: a formula written for other systems. Values keep every digit; nothing is simplified.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expr/expr.h"

namespace vieta {

enum class ExportLanguage { latex, sympy, numpy, c, julia };

/// "latex", "sympy", "numpy", "c" or "julia".
std::optional<ExportLanguage> export_language(std::string_view name);

/// The formula as an expression of the language; names as export_names has them. `digits` 0: all
/// that are needed to read back the same number. NumPy's needs `numpy` and, for erf, gamma and
/// their kin, `scipy.special`; Julia's needs `SpecialFunctions` likewise, and its functions raise a
/// DomainError where the value here is NaN.
std::string export_expression(const Expr& expr, ExportLanguage language, int digits = 0);

/// Operators of the formula that are functions (run step by step, or C++ callables) and so stand in
/// the code by their names, for its reader to supply.
std::vector<std::string> functions_to_supply(const Expr& expr);

/// A C translation unit (C11 and <math.h>) with one function `double vieta_f(double, ...)` of the
/// formula's variables, then its parameters, in order, and the helpers it needs in front. A
/// function to supply is declared as `double vieta_NAME(double, ...)`.
std::string export_c_function(const Expr& expr);

/// "air_temp_2 is air temp": each name that code forms change. LaTeX and SymPy change none.
std::vector<std::string> changed_names(const Expr& expr, ExportLanguage language);

/// {format: "vieta formula", version: 1, formula, complexity, variables, parameters, postfix:
/// [{variable} | {parameter} | {constant} | {call, arity}]}. A constant that is not finite is the
/// text "inf", "-inf" or "nan".
std::string export_json(const Expr& expr);

}  // namespace vieta
