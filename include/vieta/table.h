// table: columns of numbers with names, and the CSV files they come from.
#pragma once

#include "data/columns.h"
#include "data/csv.h"
#include "data/split.h"
#include "data/table.h"
