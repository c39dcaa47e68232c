// wanted: Duplicated wants a shadow that outlives the call
#include <vector>

#include "ad/ad.h"
void f(std::vector<double>& x) {
  using namespace vieta::ad;
  autodiff(reverse, [](const auto& v) { return v[0]; }, Duplicated(x, std::vector<double>(1)));
}
