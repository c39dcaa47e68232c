// wanted: no matching conversion|invalid .*static_cast
#include "ad/ad.h"
double f(const vieta::ad::Var<double>& x) { return static_cast<double>(x); }
