// wanted: must be generic in its scalar
#include "ad/ad.h"
void f() {
  using namespace vieta::ad;
  autodiff(reverse, [](double v) { return v; }, Active(2.0));
}
