// fit: the constants of a given formula.
#pragma once

#include "fit/fit.h"
