// derivative_check: holds every derivative of a generic callable, in every mode, against
// differences of the same callable in long double. For tests only.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "ad/ad.h"

namespace vieta::ad {

inline constexpr std::size_t kVariables = 3;
using Point = std::array<double, kVariables>;
using LongPoint = std::array<long double, kVariables>;

/// Value and derivatives, the Hessian in packed order.
struct Reference {
  long double value = 0;
  LongPoint gradient{};
  std::array<long double, 6> hessian{};
};

// Central differences of order 8 (Fornberg 1988, table 1). With h = 2^-9 and long double the
// truncation error is some 1e-22 of the ninth derivative and the rounding error some 1e-17.
inline constexpr long double kStep = 1.0L / 512;
inline constexpr std::array<long double, 4> kWeights = {4.0L / 5, -1.0L / 5, 4.0L / 105,
                                                        -1.0L / 280};

template <class F>
long double difference(const F& f, LongPoint x, std::size_t i) {
  long double sum = 0;
  const long double at = x[i];
  for (std::size_t k = 0; k < kWeights.size(); ++k) {
    const long double h = kStep * static_cast<long double>(k + 1);
    x[i] = at + h;
    const long double above = f(x);
    x[i] = at - h;
    sum += kWeights[k] * (above - static_cast<long double>(f(x)));
  }
  return sum / kStep;
}

template <class F>
Reference differences(const F& f, const Point& point) {
  LongPoint x{};
  for (std::size_t i = 0; i < kVariables; ++i) x[i] = point[i];
  Reference reference;
  reference.value = f(x);
  std::size_t k = 0;
  for (std::size_t i = 0; i < kVariables; ++i) {
    reference.gradient[i] = difference(f, x, i);
    for (std::size_t j = i; j < kVariables; ++j) {
      const auto partial = [&](const LongPoint& y) { return difference(f, y, j); };
      reference.hessian[k++] = difference(partial, x, i);
    }
  }
  return reference;
}

/// Fails on NaN on either side.
inline void expect_close(double got, long double wanted, double tolerance, const char* what,
                         std::size_t i) {
  const long double scale = std::fmax(1.0L, std::abs(wanted));
  EXPECT_TRUE(std::abs(static_cast<long double>(got) - wanted) <= tolerance * scale)
      << what << ' ' << i << ": got " << got << ", wanted " << static_cast<double>(wanted);
}

/// Compares every mode with the reference. Each relative tolerance covers the rounding of some
/// hundred operations of double in the values, and the reference's own error in the derivatives.
template <class F>
void expect_derivatives(const F& f, const Point& x, const Reference& reference) {
  constexpr double kValue = 1e-13;
  constexpr double kFirst = 1e-12;
  constexpr double kSecond = 1e-10;
  const std::vector<double> v(x.begin(), x.end());
  const auto forwards = gradient(f, x);
  const auto backwards = gradient(f, v);
  const auto jet2 = hessian(f, x);
  const auto taped = hessian(f, v);
  expect_close(static_cast<double>(f(x)), reference.value, kValue, "plain", 0);
  expect_close(forwards.value, reference.value, kValue, "Jet value", 0);
  expect_close(backwards.value, reference.value, kValue, "Var value", 0);
  expect_close(jet2.value, reference.value, kValue, "Jet2 value", 0);
  expect_close(taped.value, reference.value, kValue, "Var<Jet> value", 0);
  for (std::size_t i = 0; i < kVariables; ++i) {
    const long double wanted = reference.gradient[i];
    expect_close(forwards.gradient[i], wanted, kFirst, "Jet", i);
    expect_close(backwards.gradient[i], wanted, kFirst, "Var", i);
    expect_close(jet2.gradient[i], wanted, kFirst, "Jet2", i);
    expect_close(taped.gradient[i], wanted, kFirst, "Var<Jet>", i);
    Point along{};
    along[i] = 1;
    expect_close(jvp(f, x, along).tangent, wanted, kFirst, "jvp", i);
    const auto product = hvp(f, x, along);
    for (std::size_t j = 0; j < kVariables; ++j) {
      const auto k = static_cast<std::size_t>(Jet2<double, 3>::packed(
          static_cast<int>(i < j ? i : j), static_cast<int>(i < j ? j : i)));
      expect_close(product.product[j], reference.hessian[k], kSecond, "hvp", 3 * i + j);
    }
  }
  for (std::size_t k = 0; k < reference.hessian.size(); ++k) {
    expect_close(jet2.hessian[k], reference.hessian[k], kSecond, "Jet2 second", k);
    expect_close(taped.hessian[k], reference.hessian[k], kSecond, "Var<Jet> second", k);
  }
}

template <class F>
void expect_derivatives(const F& f, const Point& x) {
  expect_derivatives(f, x, differences(f, x));
}

}  // namespace vieta::ad
