// lanes_avx2: four doubles or eight floats at once. Included by the AVX2 translation units only;
// all of it lives in a namespace of its own, so that no code compiled for AVX2 can be linked into
// other places.
#pragma once

#include <immintrin.h>
#include <sleef.h>

#include <cstddef>

namespace vieta::kernels::avx2 {

template <class T>
struct Native;
template <>
struct Native<double> {
  using Vector = __m256d;
};
template <>
struct Native<float> {
  using Vector = __m256;
};

#include "kernels/lanes.inc"

inline bool any(Mask<double> mask) {
  return _mm256_movemask_pd(__builtin_bit_cast(__m256d, mask.m)) != 0;
}
inline bool any(Mask<float> mask) {
  return _mm256_movemask_ps(__builtin_bit_cast(__m256, mask.m)) != 0;
}

inline Lanes<double> fma(Lanes<double> a, Lanes<double> b, Lanes<double> c) {
  return wrap<double>(_mm256_fmadd_pd(a.x, b.x, c.x));
}
inline Lanes<float> fma(Lanes<float> a, Lanes<float> b, Lanes<float> c) {
  return wrap<float>(_mm256_fmadd_ps(a.x, b.x, c.x));
}

#define VIETA_LANES_1(...) VIETA_LANES_1_EXPANDED(__VA_ARGS__)
#define VIETA_LANES_1_EXPANDED(name, of_double, of_float)                             \
  inline Lanes<double> name(Lanes<double> a) { return wrap<double>(of_double(a.x)); } \
  inline Lanes<float> name(Lanes<float> a) { return wrap<float>(of_float(a.x)); }
#define VIETA_LANES_2(...) VIETA_LANES_2_EXPANDED(__VA_ARGS__)
#define VIETA_LANES_2_EXPANDED(name, of_double, of_float)       \
  inline Lanes<double> name(Lanes<double> a, Lanes<double> b) { \
    return wrap<double>(of_double(a.x, b.x));                   \
  }                                                             \
  inline Lanes<float> name(Lanes<float> a, Lanes<float> b) {    \
    return wrap<float>(of_float(a.x, b.x));                     \
  }
#define VIETA_SLEEF(function, accuracy) \
  Sleef_##function##d4_##accuracy##avx2, Sleef_##function##f8_##accuracy##avx2

VIETA_LANES_1(sqrt, _mm256_sqrt_pd, _mm256_sqrt_ps)
VIETA_LANES_1(floor, _mm256_floor_pd, _mm256_floor_ps)
VIETA_LANES_1(ceil, _mm256_ceil_pd, _mm256_ceil_ps)

inline __m256d round_even(__m256d x) {
  return _mm256_round_pd(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
inline __m256 round_even(__m256 x) {
  return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
inline __m256d to_zero(__m256d x) {
  return _mm256_round_pd(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}
inline __m256 to_zero(__m256 x) {
  return _mm256_round_ps(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}
inline __m256d magnitude(__m256d x) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x); }
inline __m256 magnitude(__m256 x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), x); }
VIETA_LANES_1(round, round_even, round_even)
VIETA_LANES_1(trunc, to_zero, to_zero)
VIETA_LANES_1(abs, magnitude, magnitude)

#include "kernels/sleef_functions.inc"

#undef VIETA_LANES_1
#undef VIETA_LANES_1_EXPANDED
#undef VIETA_LANES_2
#undef VIETA_LANES_2_EXPANDED
#undef VIETA_SLEEF

#include "kernels/composites.inc"

}  // namespace vieta::kernels::avx2
