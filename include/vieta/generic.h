// generic: formulas over values of any type, by operators of the user's own.
//
//   auto ops = vieta::GenericOperators<std::complex<double>>::arithmetic();
//   ops.add("conj", [](std::complex<double> z) { return std::conj(z); }).value();
//   auto expr = vieta::parse("z*conj(z)", {.variables = {"z"}, .operators = &ops.names()}).value();
//   const std::vector<std::complex<double>> z{{3, 4}};
//   auto value = vieta::evaluate_generic(expr, z, {}, ops);   // 25
#pragma once

#include "eval/generic.h"
#include "eval/generic_arithmetic.h"
#include "eval/generic_operators.h"
