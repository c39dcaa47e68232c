// vieta: run-time formulas, exactly differentiated, and the search that finds them in data.
//
//   auto expr = vieta::parse("x1 + k*cos(x2)", {.variables = {"x1", "x2"}, .parameters =
//   {"k"}}).value(); auto y = vieta::evaluate(expr, X, params);                          // values
//   and status auto g = vieta::gradient(expr, X, params, vieta::wrt::variables);   // rows x 2 auto
//   H = vieta::hessian(expr, X, params, vieta::wrt::parameters);   // rows x 1
#pragma once

#include <vieta/ad.h>
#include <vieta/evaluate.h>
#include <vieta/expression.h>
#include <vieta/fit.h>
#include <vieta/generic.h>
#include <vieta/operators.h>
#include <vieta/search.h>
#include <vieta/table.h>
