// lanes_avx2: four doubles or eight floats at once. Included by the AVX2 translation units only,
// each with a VIETA_TARGET_NAMESPACE of its own, so that no code compiled for AVX2 can be linked
// into other places. Exact units take their functions from SLEEF (at most 1 ULP); fast ones, which
// define VIETA_FAST, from the C library (at most 4 ULP); exp is their own.
#pragma once

#include <immintrin.h>
#include <sleef.h>

#include <cstddef>

// What a call gives depends on its argument alone: two calls with the same argument are one.
// (SLEEF's header does not say so.)
extern "C" {
#define VIETA_MATH_1(name, sleef, accuracy, libmvec)                                \
  __attribute__((const)) const __m256d Sleef_##sleef##d4_##accuracy##avx2(__m256d); \
  __attribute__((const)) const __m256 Sleef_##sleef##f8_##accuracy##avx2(__m256);   \
  __attribute__((const)) __m256d _ZGVdN4v_##libmvec(__m256d);                       \
  __attribute__((const)) __m256 _ZGVdN8v_##libmvec##f(__m256);
#define VIETA_MATH_2(name, sleef, accuracy, libmvec)                                         \
  __attribute__((const)) const __m256d Sleef_##sleef##d4_##accuracy##avx2(__m256d, __m256d); \
  __attribute__((const)) const __m256 Sleef_##sleef##f8_##accuracy##avx2(__m256, __m256);    \
  __attribute__((const)) __m256d _ZGVdN4vv_##libmvec(__m256d, __m256d);                      \
  __attribute__((const)) __m256 _ZGVdN8vv_##libmvec##f(__m256, __m256);
#define VIETA_MATH_SLEEF_1(name, sleef, accuracy)
#define VIETA_MATH_OWN_1(name, sleef, accuracy)
#include "kernels/functions.inc"
#undef VIETA_MATH_1
#undef VIETA_MATH_2
#undef VIETA_MATH_SLEEF_1
#undef VIETA_MATH_OWN_1
}

namespace vieta::kernels::VIETA_TARGET_NAMESPACE {

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
#include "kernels/exponential.inc"

#if defined(VIETA_FAST)
#define VIETA_MATH_1(name, sleef, accuracy, libmvec) \
  VIETA_LANES_1(name, _ZGVdN4v_##libmvec, _ZGVdN8v_##libmvec##f)
#define VIETA_MATH_2(name, sleef, accuracy, libmvec) \
  VIETA_LANES_2(name, _ZGVdN4vv_##libmvec, _ZGVdN8vv_##libmvec##f)
#else
#define VIETA_MATH_1(name, sleef, accuracy, libmvec) \
  VIETA_LANES_1(name, Sleef_##sleef##d4_##accuracy##avx2, Sleef_##sleef##f8_##accuracy##avx2)
#define VIETA_MATH_2(name, sleef, accuracy, libmvec) \
  VIETA_LANES_2(name, Sleef_##sleef##d4_##accuracy##avx2, Sleef_##sleef##f8_##accuracy##avx2)
#endif
#define VIETA_MATH_SLEEF_1(name, sleef, accuracy) \
  VIETA_LANES_1(name, Sleef_##sleef##d4_##accuracy##avx2, Sleef_##sleef##f8_##accuracy##avx2)
#define VIETA_MATH_OWN_1(name, sleef, accuracy)
#include "kernels/functions.inc"
#undef VIETA_MATH_1
#undef VIETA_MATH_2
#undef VIETA_MATH_SLEEF_1
#undef VIETA_MATH_OWN_1
#undef VIETA_LANES_1
#undef VIETA_LANES_2

#include "kernels/composites.inc"

}  // namespace vieta::kernels::VIETA_TARGET_NAMESPACE
