// fold: the value of an operator on numbers.
#pragma once

#include <span>

#include "ops/op.h"

namespace vieta {

/// The operator's value in double by the C library's functions: within 1 ULP of what the engine
/// gives for the elementary operators, equal for + - * / and the exact ones, within the table's
/// bounds of both for the others. arguments.size() == arity.
double fold(Op op, std::span<const double> arguments);

}  // namespace vieta
