// wanted: std::complex cannot carry derivatives
#include <complex>

#include "ad/ad.h"
double f() {
  return vieta::ad::gradient(
             [](const auto& x) {
               using T = std::remove_cvref_t<decltype(x)>;
               const std::complex<T> z(x, T(1));
               return z.real();
             },
             2.0)
      .gradient;
}
