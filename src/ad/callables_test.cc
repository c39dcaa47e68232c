// What users write, control flow: recursion, loops, branches.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <deque>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <stack>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "ad/callable_check.h"

namespace vieta::ad {
namespace {

// --- Recursion ------------------------------------------------------------------------------

template <class T>
T power_by_halving(const T& x, int n) {
  if (n == 0) return T(1);
  const T half = power_by_halving(x, n / 2);
  return n % 2 == 0 ? half * half : half * half * x;
}
template <class T>
T chebyshev(int n, const T& x) {
  if (n == 0) return T(1);
  if (n == 1) return x;
  return 2 * x * chebyshev(n - 1, x) - chebyshev(n - 2, x);
}
template <class T>
T ackermann_like(int m, const T& x) {
  return m == 0 ? x + 1 : ackermann_like(m - 1, ackermann_like(m - 1, x / 2));
}
template <class T>
T odd_part(int n, const T& x);
template <class T>
T even_part(int n, const T& x) {
  return n == 0 ? T(1) : x * odd_part(n - 1, x) + 1;
}
template <class T>
T odd_part(int n, const T& x) {
  return n == 0 ? x : sin(x) * even_part(n - 1, x) - x;
}
template <class T>
T continued_fraction(int depth, const T& a, const T& b) {
  return depth == 0 ? a : a + b / continued_fraction(depth - 1, a, b);
}

VIETA_CALLABLE(RecursivePower, return power_by_halving(x[0], 7) + power_by_halving(x[1], 4) * x[2];)
VIETA_CALLABLE(RecursionWithTwoCalls, return chebyshev(6, x[0]) * chebyshev(3, x[1]) + x[2];)
VIETA_CALLABLE(NestedRecursion, return ackermann_like(3, x[0] * x[1]) + x[2] * x[2];)
VIETA_CALLABLE(MutualRecursion, return even_part(5, x[0]) + odd_part(4, x[1]) * x[2];)
VIETA_CALLABLE(ContinuedFraction, return continued_fraction(12, x[0], x[1]) / x[2];)
VIETA_CALLABLE(RecursiveLambda, {
  const auto sum = [&](const auto& self, std::size_t i) -> T {
    return i == 3 ? T(0) : x[i] * x[i] + exp(-x[i]) * self(self, i + 1);
  };
  return sum(sum, 0);
})
VIETA_CALLABLE(RecursionThroughStdFunction, {
  std::function<T(int, T)> iterate = [&](int n, T y) {
    return n == 0 ? y : iterate(n - 1, sin(y) + x[1]);
  };
  return iterate(5, x[0]) * x[2];
})

// --- Loops ----------------------------------------------------------------------------------

VIETA_CALLABLE(LoopCarriedDivision, {
  T y = x[0];
  for (int i = 1; i < 6; ++i) y = x[1] / (y + i);
  return y * x[2];
})
VIETA_CALLABLE(LoopBoundDependsOnTheInput, {
  const int n = static_cast<int>(10 * x[0] + 0.5);
  T y(1);
  for (int i = 0; i < n; ++i) y = y + x[1] / (i + 1);
  return y * x[2];
})
VIETA_CALLABLE(WhileUntilConvergence, {
  T root = x[0];
  for (T last(0); abs(root - last) > 1e-9L;) {
    last = root;
    root = (root + x[0] / root) / 2;
  }
  return (root + x[0] / root) / 2 * x[1] + x[2];
})
VIETA_CALLABLE(DoWhileWithBreak, {
  T y = x[0];
  int n = 0;
  do {
    y *= 1 + x[1] / 5;
    if (++n > 50) break;
  } while (y < 5);
  return y + x[2];
})
VIETA_CALLABLE(NestedLoops, {
  T s(0);
  for (int i = 1; i <= 3; ++i) {
    for (int j = i; j <= 4; ++j) s += pow(x[0], i) * x[1] / (j + x[2]);
  }
  return s;
})
VIETA_CALLABLE(ContinueSkips, {
  T s(0);
  for (int i = 0; i < 9; ++i) {
    if (i % 3 == 1) continue;
    s += sin(i * x[0]) * x[1];
  }
  return s * x[2];
})
VIETA_CALLABLE(HornersRule, {
  T y(0);
  for (const double c : {0.3, -1.2, 0.5, 2.0}) y = y * x[0] + c;
  return y * x[1] - x[2];
})
VIETA_CALLABLE(SimpsonsRule, {
  const int n = 20;
  T s = exp(-x[0] * x[0]) * 0 + 1;
  for (int i = 1; i <= n; ++i) {
    const T t = x[0] * i / n;
    s += (i == n ? 1 : i % 2 == 1 ? 4 : 2) * exp(-t * t * x[1]);
  }
  return s * x[0] / (3 * n) + x[2];
})
VIETA_CALLABLE(RungeKuttaSteps, {
  T y = x[0];
  const T h = x[1] / 10;
  const auto slope = [&](const T& z) { return -z * z * x[2]; };
  for (int i = 0; i < 5; ++i) {
    const T k1 = slope(y);
    const T k2 = slope(y + h / 2 * k1);
    const T k3 = slope(y + h / 2 * k2);
    const T k4 = slope(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return y;
})
VIETA_CALLABLE(Goto, {
  T y = x[0];
  int n = 0;
again:
  y = y * x[1] / 2;
  if (++n < 4) goto again;
  return y + x[2];
})

// --- Branches -------------------------------------------------------------------------------

VIETA_CALLABLE(EarlyReturn, {
  if (x[0] > 1.5) return x[0] * x[1];
  if (x[1] > 1) return T(x[1] * x[1] * x[2]);
  return x[2];
})
VIETA_CALLABLE(EarlyReturnOfAConstant, {
  if (x[0] > 100) return T(3);
  return x[0] / x[1] + x[2];
})
VIETA_CALLABLE(SwitchOnTheInput, {
  switch (static_cast<int>(x[0])) {
    case 0:
      return x[1] * x[2];
    case 1:
      return sin(x[1]) + x[0];
    default:
      return exp(-x[2]) * x[0];
  }
})
VIETA_CALLABLE(SwitchFallsThrough, {
  T y = x[2];
  switch (static_cast<int>(x[1])) {
    case 0:
      y *= x[0];
      [[fallthrough]];
    case 1:
      y += x[1];
      break;
    default:
      y -= x[0] * x[1];
  }
  return y * y;
})
VIETA_CALLABLE(TernaryBesideAConstant, return (x[0] > 1 ? x[0] * x[1] : T(0)) + x[2] * x[2];)
VIETA_CALLABLE(ShortCircuit, return x[0] > 1 && x[1] < 1 ? x[0] * x[2] : x[1] / x[2];)
VIETA_CALLABLE(PiecewiseSpline, {
  const T t = x[0] - floor(x[0]);
  return (1 - t) * (1 - t) * x[1] + t * t * (3 - 2 * t) * x[2];
})
VIETA_CALLABLE(BisectionPicksABranch, {
  double low = 0;
  double high = 10;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (middle < x[0] ? low : high) = middle;
  }
  return x[0] * x[1] + static_cast<int>(low + 1) * x[2];
})
VIETA_CALLABLE(MinMaxClamp, return std::max(x[0], x[1]) * std::min(x[1], x[2]) +
                                   std::clamp(x[0], T(0.5), T(2.0)) * x[2];)
VIETA_CALLABLE(SortThenWeigh, {
  std::vector<T> v(x.begin(), x.end());
  for (std::size_t i = 0; i < v.size(); ++i) {
    for (std::size_t j = i + 1; j < v.size(); ++j) {
      if (v[j] < v[i]) std::swap(v[i], v[j]);
    }
  }
  return v[0] + 2 * v[1] * v[1] + 3 * v[2];
})
VIETA_CALLABLE(ThrowAndCatchInside, {
  try {
    if (x[0] > 1) throw x[0] * x[1];
    return x[0] + x[2];
  } catch (const T& thrown) {
    return thrown * x[2];
  }
})

}  // namespace
}  // namespace vieta::ad
