// lanes_scalar: one element at a time, for every processor. The same text as the vector targets.
#pragma once

#include <sleef.h>

#include <cstddef>

namespace vieta::kernels::scalar {

template <class T>
struct Native {
  using Vector = T;
};

#include "kernels/lanes.inc"

template <class T>
bool any(Mask<T> mask) {
  return mask.m;
}

#define VIETA_LANES_1(name, of_double, of_float)                                      \
  inline Lanes<double> name(Lanes<double> a) { return wrap<double>(of_double(a.x)); } \
  inline Lanes<float> name(Lanes<float> a) { return wrap<float>(of_float(a.x)); }
#define VIETA_LANES_2(name, of_double, of_float)                \
  inline Lanes<double> name(Lanes<double> a, Lanes<double> b) { \
    return wrap<double>(of_double(a.x, b.x));                   \
  }                                                             \
  inline Lanes<float> name(Lanes<float> a, Lanes<float> b) {    \
    return wrap<float>(of_float(a.x, b.x));                     \
  }

inline Lanes<double> fma(Lanes<double> a, Lanes<double> b, Lanes<double> c) {
  return wrap<double>(__builtin_fma(a.x, b.x, c.x));
}
inline Lanes<float> fma(Lanes<float> a, Lanes<float> b, Lanes<float> c) {
  return wrap<float>(__builtin_fmaf(a.x, b.x, c.x));
}

VIETA_LANES_1(sqrt, __builtin_sqrt, __builtin_sqrtf)
VIETA_LANES_1(floor, __builtin_floor, __builtin_floorf)
VIETA_LANES_1(ceil, __builtin_ceil, __builtin_ceilf)
// rint in the default rounding mode: halves to even.
VIETA_LANES_1(round, __builtin_rint, __builtin_rintf)
VIETA_LANES_1(trunc, __builtin_trunc, __builtin_truncf)
VIETA_LANES_1(abs, __builtin_fabs, __builtin_fabsf)

#define VIETA_MATH_1(name, sleef, accuracy, libmvec) \
  VIETA_LANES_1(name, Sleef_##sleef##_##accuracy, Sleef_##sleef##f_##accuracy)
#define VIETA_MATH_2(name, sleef, accuracy, libmvec) \
  VIETA_LANES_2(name, Sleef_##sleef##_##accuracy, Sleef_##sleef##f_##accuracy)
#define VIETA_MATH_SLEEF_1(name, sleef, accuracy) \
  VIETA_LANES_1(name, Sleef_##sleef##_##accuracy, Sleef_##sleef##f_##accuracy)
#define VIETA_MATH_OWN_1 VIETA_MATH_SLEEF_1
#include "kernels/functions.inc"
#undef VIETA_MATH_OWN_1
#undef VIETA_MATH_1
#undef VIETA_MATH_2
#undef VIETA_MATH_SLEEF_1

#undef VIETA_LANES_1
#undef VIETA_LANES_2

#include "kernels/composites.inc"

}  // namespace vieta::kernels::scalar
