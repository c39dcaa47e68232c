// operators: the user's own operators, as text or as C++ callables, differentiated with no rule
// written.
//
//   vieta::Operators ops;
//   ops.define("fact(n) = n <= 1 ? 1 : n*fact(n - 1)").value();
//   ops.add("soft", [](auto x, auto y) { return x > y ? x * y : exp(x - y); }).value();
//   auto expr = vieta::parse("soft(a, 2) + fact(3)", {.variables = {"a"}, .operators = &ops});
//
// Where a callable's functions are looked up by their unqualified names (exp, sqrt, ...), as above,
// nothing else is needed; std::exp works too if this header is included first.
#pragma once

#include "expr/callable_operators.h"
#include "expr/operators.h"
