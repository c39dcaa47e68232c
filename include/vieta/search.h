// search: the formulas of given data.
#pragma once

#include "search/search.h"
