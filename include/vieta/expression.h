// expression: formulas as values. parse and print, symbolic derivative, simplification, walks.
#pragma once

#include "expr/diff.h"
#include "expr/expr.h"
#include "expr/parse.h"
#include "expr/print.h"
#include "expr/rewrite.h"
#include "expr/shared.h"
#include "expr/walk.h"
#include "ops/op.h"
