// wanted: reverse mode differentiates a returned scalar
#include <vector>

#include "ad/ad.h"
void f(std::vector<double>& x, std::vector<double>& dx) {
  using namespace vieta::ad;
  autodiff(reverse, [](const auto& v) { return v; }, Duplicated(x, dx));
}
