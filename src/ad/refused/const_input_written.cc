// wanted: const
#include <vector>

#include "ad/ad.h"
void f(const std::vector<double>& x, std::vector<double>& dx) {
  using namespace vieta::ad;
  autodiff(reverse, [](auto& v) { v[0] = 2 * v[0]; }, Duplicated(x, dx));
}
