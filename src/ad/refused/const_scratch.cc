// wanted: assign|convert
#include <vector>

#include "ad/ad.h"
void f(std::vector<double>& x, std::vector<double>& dx, std::vector<double>& scratch) {
  using namespace vieta::ad;
  autodiff(
      reverse,
      [](auto& v, auto& s) {
        s[0] = v[0];
        return v[0];
      },
      Duplicated(x, dx), Const(scratch));
}
