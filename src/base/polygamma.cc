#include "base/polygamma.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <vector>

namespace vieta {
namespace {

using Real = long double;
constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();
constexpr Real kPi = std::numbers::pi_v<Real>;

// Bernoulli numbers B2, B4, ... as fractions.
constexpr std::array<Real, 13> kBernoulli = {
    1.0L / 6,       -1.0L / 30,       1.0L / 42,       -1.0L / 30,
    5.0L / 66,      -691.0L / 2730,   7.0L / 6,        -3617.0L / 510,
    43867.0L / 798, -174611.0L / 330, 854513.0L / 138, -236364091.0L / 2730,
    8553103.0L / 6};

Real factorial(int n) {
  Real product = 1;
  for (int k = 2; k <= n; ++k) product *= static_cast<Real>(k);
  return product;
}

// (-1)^(n+1)
Real sign_of_order(int n) { return n % 2 == 0 ? -1.0L : 1.0L; }

Real digamma_asymptotic(Real x) {
  const Real w = 1 / (x * x);
  Real sum = 0;
  Real power = 1;
  for (std::size_t k = 0; k < kBernoulli.size(); ++k) {
    power *= w;
    sum += kBernoulli[k] / static_cast<Real>(2 * (k + 1)) * power;
  }
  return std::log(x) - 0.5L / x - sum;
}

Real polygamma_asymptotic(int n, Real x) {
  const Real w = 1 / (x * x);
  // term = (2k + n - 1)! / ((2k)! x^(2k + n)), built up from k = 0.
  Real term = factorial(n - 1) / std::pow(x, static_cast<Real>(n));
  Real sum = term + factorial(n) / (2 * std::pow(x, static_cast<Real>(n + 1)));
  for (std::size_t k = 1; k <= kBernoulli.size(); ++k) {
    const auto m = static_cast<Real>(2 * k);
    const auto order = static_cast<Real>(n);
    term *= (m + order - 1) * (m + order - 2) / (m * (m - 1)) * w;
    sum += kBernoulli[k - 1] * term;
  }
  return sign_of_order(n) * sum;
}

// x > 0: the recurrence carries x to where the asymptotic series has converged.
Real positive_argument(int n, Real x) {
  const auto enough = static_cast<Real>(22 + 2 * n);
  Real sum = 0;
  Real y = x;
  while (y < enough) {
    sum += n == 0 ? 1 / y : 1 / std::pow(y, static_cast<Real>(n + 1));
    y += 1;
  }
  if (n == 0) return digamma_asymptotic(y) - sum;
  return polygamma_asymptotic(n, y) + sign_of_order(n) * factorial(n) * sum;
}

// d^n/dx^n of pi cot(pi x), as a polynomial in c = cot(pi x): P' times dc/dx = -pi (1 + c^2).
Real cotangent_derivative(int n, Real x) {
  const Real reduced = x - std::round(x);
  const Real c = std::cos(kPi * reduced) / std::sin(kPi * reduced);
  std::vector<Real> p = {0, kPi};
  for (int k = 0; k < n; ++k) {
    std::vector<Real> next(p.size() + 1, 0);
    for (std::size_t i = 1; i < p.size(); ++i) {
      const Real slope = -kPi * static_cast<Real>(i) * p[i];
      next[i - 1] += slope;
      next[i + 1] += slope;
    }
    p = next;
  }
  Real value = 0;
  for (std::size_t i = p.size(); i-- > 0;) value = value * c + p[i];
  return value;
}

}  // namespace

long double polygamma(int n, long double x) {
  if (n < 0 || n > 100 || std::isnan(x)) return kNan;
  if (std::isinf(x)) {
    if (x < 0) return kNan;
    return n == 0 ? x : sign_of_order(n) * 0.0L;
  }
  if (x > 0) return positive_argument(n, x);
  if (x == std::floor(x)) return n % 2 == 1 ? std::numeric_limits<Real>::infinity() : kNan;
  return -sign_of_order(n) * positive_argument(n, 1 - x) - cotangent_derivative(n, x);
}

long double polygamma(long double n, long double x) {
  if (!(n >= 0 && n <= 100) || n != std::floor(n)) return kNan;
  return polygamma(static_cast<int>(n), x);
}

}  // namespace vieta
