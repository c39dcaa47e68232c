// wanted: Active wants a floating-point number
#include "ad/ad.h"
void f() {
  using namespace vieta::ad;
  autodiff(reverse, [](auto v) { return v; }, Active(2));
}
