// polygamma: derivatives of log gamma, which the C library lacks.
#pragma once

namespace vieta {

/// psi^(n)(x): digamma for n = 0, trigamma for n = 1, ... Relative error below 1e-17 for n <= 20
/// away from the zeros of digamma, absolute error below 1e-18 near them. NaN for n < 0, n > 100, a
/// NaN and, for even n, at the poles x = 0, -1, -2, ...; +inf there for odd n. Where long double is
/// no wider than double, errors are a few units in the last place of a double instead. Source:
/// Abramowitz and Stegun 6.3.7, 6.3.18, 6.4.6, 6.4.7, 6.4.11.
long double polygamma(int n, long double x);

/// The order as a number: NaN unless it is an integer.
long double polygamma(long double n, long double x);

inline double polygamma(double n, double x) {
  return static_cast<double>(polygamma(static_cast<long double>(n), static_cast<long double>(x)));
}
inline float polygamma(float n, float x) {
  return static_cast<float>(polygamma(static_cast<long double>(n), static_cast<long double>(x)));
}

inline long double digamma(long double x) { return polygamma(0, x); }
inline double digamma(double x) {
  return static_cast<double>(digamma(static_cast<long double>(x)));
}
inline float digamma(float x) { return static_cast<float>(digamma(static_cast<long double>(x))); }

}  // namespace vieta
