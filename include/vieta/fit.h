// fit: the constants of a given formula, with their uncertainty; one formula or many. See
// docs/fit.md.
#pragma once

#include "fit/bands.h"
#include "fit/batch.h"
#include "fit/fit.h"
#include "fit/loss_derivatives.h"
#include "fit/loss_function.h"
