// autodiff: derivatives of a callable with several arguments, some constant, some with shadows.
//
//   double dx = 0;
//   autodiff(reverse, f, Const(tree), Duplicated(X, dX), Duplicated(out, dout));
//
// The callable is called once, with arguments in which the scalar S (float, double, long double, or
// a Number for higher order) is replaced by one that carries derivatives; it must be generic in
// that scalar. Misuse throws AutodiffError before anything is changed. If the callable throws,
// nothing is changed either.
#pragma once

#include "ad/annotations.h"
#include "ad/forward.h"
#include "ad/reverse.h"
#include "ad/std_names.h"
