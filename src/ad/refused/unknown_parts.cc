// wanted: cannot put another scalar into this type|does not know the parts
#include "ad/ad.h"
template <class T>
struct Point {
  T x;
  T y;
};
void f(Point<double>& p, Point<double>& dp) {
  using namespace vieta::ad;
  autodiff(reverse, [](const auto& q) { return q.x; }, Duplicated(p, dp));
}
