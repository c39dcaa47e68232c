// wanted: forward mode takes Const and Duplicated
#include "ad/ad.h"
void f() {
  using namespace vieta::ad;
  autodiff(forward, [](auto v) { return v; }, Active(2.0));
}
