// What users write: control flow, recursion, containers, references. Every callable is held against
// long-double differences of itself, in all modes, at several points.
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

#include "ad/derivative_check.h"

namespace vieta::ad {
namespace {

template <class X>
using scalar_in_t = std::remove_cvref_t<decltype(std::declval<X&>()[0])>;

const std::array<Point, 3> kPoints = {Point{0.7, 1.3, 2.1}, Point{1.9, 0.6, 1.2},
                                      Point{2.6, 3.4, 0.4}};

template <class F>
void expect_everywhere(const F& f) {
  for (const Point& x : kPoints) {
    SCOPED_TRACE("at x0 = " + std::to_string(x[0]));
    expect_derivatives(f, x);
  }
}

#define VIETA_CALLABLE(name, ...)                          \
  TEST(Callables, name) {                                  \
    expect_everywhere([](const auto& x) {                  \
      using T [[maybe_unused]] = scalar_in_t<decltype(x)>; \
      __VA_ARGS__                                          \
    });                                                    \
  }

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

// --- Locals, temporaries, references ----------------------------------------------------------

template <class T>
auto squared(T x) {
  return x * x;
}
template <class T>
auto mixture(const T& a, const T& b) {
  auto inner = a * b + sin(a);
  auto outer = inner / (1 + b * b);
  return outer - inner;
}
template <class T>
const T& larger_of(const T& a, const T& b) {
  return a < b ? b : a;
}
template <class T>
T& accumulate_into(T& total, const T& term) {
  total += term;
  return total;
}

VIETA_CALLABLE(AutoReturnOfAProduct, return squared(x[0]) + squared(squared(x[1])) * x[2];)
VIETA_CALLABLE(AutoTemporariesInAFunction, return mixture(x[0] + x[1], x[2] * x[0]);)
VIETA_CALLABLE(AutoLocals, {
  auto a = x[0] + x[1] * 2;
  auto b = a * a - x[2] / a;
  auto c = -(a + b) / (b * b + 1);
  a = c * c;
  return a + b;
})
VIETA_CALLABLE(ReferencesToTemporariesLiveOn, {
  const auto& product = x[0] * x[1];
  auto&& quotient = product / x[2];
  return product + quotient * quotient;
})
VIETA_CALLABLE(ReturnedReference, {
  const T& big = larger_of(x[0], x[1]);
  return big * big * x[2];
})
VIETA_CALLABLE(ReturnedMutableReference, {
  T total = x[2];
  accumulate_into(accumulate_into(total, x[0] * x[1]), total) *= x[0];
  return total;
})
VIETA_CALLABLE(AliasedReferences, {
  T y = x[0];
  T& same = y;
  same = y * x[1];
  y = same + y * x[2];
  return y * same;
})
VIETA_CALLABLE(AliasedElements, {
  std::vector<T> v(x.begin(), x.end());
  T* const p = &v[0];
  T* const q = &v[0];
  *p = *q * v[1];
  v[2] = *p + v[2];
  *q = v[2] * v[2];
  return v[0] + v[1] + v[2];
})
VIETA_CALLABLE(ShiftedInPlace, {
  std::array<T, 4> v{x[0], x[1], x[2], x[0] * x[2]};
  for (int step = 0; step < 3; ++step) {
    for (std::size_t i = 0; i + 1 < v.size(); ++i) v[i] = v[i + 1] * v[i];
  }
  return v[0] + v[1];
})
VIETA_CALLABLE(SelfAssignmentAndSwap, {
  T a = x[0];
  T b = x[1];
  a = a;
  std::swap(a, b);
  a += a;
  b *= b;
  return a * b - x[2];
})
VIETA_CALLABLE(IncrementsAndSigns, {
  T a = x[0];
  const T before = a++;
  const T b = before * ++a;
  T c = x[1];
  const T last = c--;
  --c;
  const T d = last / (2 + c * c);
  return +b - (-d) * x[2];
})
VIETA_CALLABLE(CompoundAssignments, {
  T y = x[0];
  y += 2;
  y *= x[1];
  y -= x[2] * 3;
  y /= 4 + x[0];
  y += y * y;
  return y;
})
VIETA_CALLABLE(PassByValueReferenceAndPointer, {
  const auto change = [](T by_value, T& by_reference, T* by_pointer) {
    by_value *= 2;
    by_reference *= by_value;
    *by_pointer += by_reference;
  };
  T a = x[0];
  T b = x[1];
  T c = x[2];
  change(a, b, &c);
  return a + b * c;
})

// --- Lambdas and objects ----------------------------------------------------------------------

VIETA_CALLABLE(NestedLambdas, {
  const auto outer = [&](const auto& a) {
    const auto inner = [&](const auto& b) { return a * b + x[2]; };
    return inner(x[1]) * inner(a);
  };
  return outer(x[0]) / 10;
})
VIETA_CALLABLE(LambdaReturningLambda, {
  const auto power = [](int n) { return [n](const T& y) { return pow(y, n); }; };
  return power(3)(x[0]) * power(2)(x[1]) + power(1)(x[2]);
})
VIETA_CALLABLE(MutableLambdaKeepsState, {
  auto next = [state = x[0], &x]() mutable {
    state = state * x[1] / 2 + 1;
    return state;
  };
  const T first = next();
  return first * next() + x[2];
})
VIETA_CALLABLE(HigherOrderFunction, {
  const auto compose = [](auto f, auto g) { return [=](const T& y) { return f(g(y)); }; };
  const auto h = compose([](const T& y) { return exp(-y); }, [&](const T& y) { return y * x[1]; });
  return h(x[0]) + x[2] * h(x[2]);
})

template <class T>
struct Shape {
  Shape() = default;
  Shape(const Shape&) = default;
  Shape& operator=(const Shape&) = default;
  virtual ~Shape() = default;
  virtual T area() const = 0;
};
template <class T>
struct Circle : Shape<T> {
  T radius;
  explicit Circle(const T& r) : radius(r) {}
  T area() const override { return radius * radius * 3.25; }
};
template <class T>
struct Box : Shape<T> {
  T a;
  T b;
  Box(const T& x, const T& y) : a(x), b(y) {}
  T area() const override { return a * b; }
};
VIETA_CALLABLE(VirtualFunctions, {
  std::vector<std::unique_ptr<Shape<T>>> shapes;
  shapes.push_back(std::make_unique<Circle<T>>(x[0]));
  shapes.push_back(std::make_unique<Box<T>>(x[1], x[2]));
  T total(1);
  for (const auto& shape : shapes) total *= shape->area();
  return total;
})
template <class T>
struct Quaternionish {
  T a;
  T b;
  friend Quaternionish operator*(const Quaternionish& p, const Quaternionish& q) {
    return {p.a * q.a - p.b * q.b, p.a * q.b + p.b * q.a};
  }
};
VIETA_CALLABLE(OwnComplexNumbers, {
  const Quaternionish<T> z{x[0], x[1]};
  const Quaternionish<T> w = z * z * Quaternionish<T>{x[2], T(1)};
  return w.a + w.b * w.b;
})
template <int n, class T>
T unrolled(const T& x) {
  if constexpr (n == 0) {
    return T(1);
  } else {
    return 1 + x / n * unrolled<n - 1>(x);
  }
}
VIETA_CALLABLE(TemplateRecursion, return unrolled<8>(x[0]) * x[1] - x[2] * x[2];)

// --- Containers -------------------------------------------------------------------------------

VIETA_CALLABLE(VectorThatGrows, {
  std::vector<T> v;
  for (int i = 0; i < 40; ++i)
    v.push_back(i < 3 ? x[static_cast<std::size_t>(i)] : v[0] / (i + v[1]));
  return v.back() + v[20] * v[2];
})
VIETA_CALLABLE(StackMachine, {
  std::stack<T> stack;
  for (const char c : std::string("xy*z+x/")) {
    if (c == 'x' || c == 'y' || c == 'z') {
      stack.push(x[static_cast<std::size_t>(c - 'x')]);
      continue;
    }
    const T b = stack.top();
    stack.pop();
    const T a = stack.top();
    stack.pop();
    stack.push(c == '*' ? a * b : c == '+' ? a + b : a / b);
  }
  return stack.top();
})
VIETA_CALLABLE(MapListDeque, {
  std::map<int, T> m{{2, x[0]}, {1, x[1]}};
  m[3] = m[1] * m[2];
  std::list<T> l(x.begin(), x.end());
  std::deque<T> d{x[2]};
  for (const auto& [key, v] : m) d.push_front(v * key);
  T s(0);
  for (const T& v : l) s += v;
  return s * d.front() + d.back();
})
VIETA_CALLABLE(TupleOptionalVariant, {
  const std::tuple<T, int, T> t{x[0] * x[1], 3, x[2]};
  const auto& [a, n, b] = t;
  std::optional<T> o;
  if (a > 0) o = a * n;
  std::variant<int, T> v = b;
  return o.value_or(T(1)) + std::get<T>(v) * std::get<T>(v);
})
VIETA_CALLABLE(StandardAlgorithms, {
  const T sum = std::accumulate(x.begin(), x.end(), T(0));
  const T dot = std::inner_product(x.begin(), x.end(), x.begin(), T(1));
  std::vector<T> running(3);
  std::partial_sum(x.begin(), x.end(), running.begin());
  return sum * dot + running[1] * running[2];
})
VIETA_CALLABLE(MatrixProductAndDeterminant, {
  std::array<std::array<T, 2>, 2> m{{{x[0], x[1]}, {x[2], x[0] * x[1]}}};
  std::array<std::array<T, 2>, 2> p{};
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      for (std::size_t k = 0; k < 2; ++k) p[i][j] += m[i][k] * m[k][j];
    }
  }
  return p[0][0] * p[1][1] - p[0][1] * p[1][0] / 2;
})
VIETA_CALLABLE(GaussianElimination, {
  T a[3][4] = {
      {x[0] + 3, T(1), x[1], T(1)}, {T(1), x[1] + 4, T(2), x[2]}, {x[2], T(1), x[0] + 5, T(2)}};
  for (int k = 0; k < 3; ++k) {
    for (int i = k + 1; i < 3; ++i) {
      const T factor = a[i][k] / a[k][k];
      for (int j = k; j < 4; ++j) a[i][j] -= factor * a[k][j];
    }
  }
  T y[3];
  for (int i = 2; i >= 0; --i) {
    y[i] = a[i][3];
    for (int j = i + 1; j < 3; ++j) y[i] -= a[i][j] * y[j];
    y[i] /= a[i][i];
  }
  return y[0] + y[1] * y[2];
})
VIETA_CALLABLE(LinkedList, {
  struct Cell {
    T value;
    std::unique_ptr<Cell> next;
  };
  std::unique_ptr<Cell> head;
  for (const T& v : x) head = std::make_unique<Cell>(Cell{v, std::move(head)});
  T y(0);
  for (const Cell* c = head.get(); c != nullptr; c = c->next.get()) y = y * x[0] + c->value;
  return y;
})
VIETA_CALLABLE(MemoisedInALocalTable, {
  std::map<int, T> table;
  const auto fibonacci = [&](const auto& self, int n) -> T {
    if (n < 2) return n == 0 ? x[0] : x[1];
    if (const auto found = table.find(n); found != table.end()) return found->second;
    return table[n] = self(self, n - 1) + self(self, n - 2) * x[2] / 3;
  };
  return fibonacci(fibonacci, 9) / 10;
})

// --- The standard names -----------------------------------------------------------------------

VIETA_CALLABLE(StdQualifiedFunctions, return std::exp(-x[0]) * std::sin(x[1]) +
                                             std::pow(x[2], 3) / std::hypot(x[0], x[1]) +
                                             std::sqrt(x[2]) * std::tanh(x[0]) -
                                             std::atan2(x[1], x[2]);)
VIETA_CALLABLE(StdMaxBesideALiteral,
               return std::max(x[0], T(1)) * std::max<T>(x[1], 1.0) + std::fmax(x[2], 0.1);)
VIETA_CALLABLE(UsingDeclarations, {
  using std::cos;
  using std::log;
  return cos(x[0]) * log(1 + x[1]) / (1 + x[2]);
})
VIETA_CALLABLE(LimitsAndClassification, {
  T best = std::numeric_limits<T>::infinity();
  for (const T& v : x) {
    if (std::isfinite(v) && !std::isnan(v) && v < best) best = v;
  }
  return best * best + x[0] * std::numeric_limits<T>::epsilon() + x[1] * x[2];
})
VIETA_CALLABLE(IntegerMixedArithmetic, return 2 * x[0] + x[1] / 3 - 1U / x[2] + 5L * x[0] * x[1] -
                                              (7 - x[2]) + 0.5F * x[1];)
VIETA_CALLABLE(LogSumExp, {
  T top = x[0];
  for (const T& v : x) top = std::max(top, v);
  T s(0);
  for (const T& v : x) s += exp(v - top);
  return top + log(s);
})
VIETA_CALLABLE(SpecialFunctions, return erf(x[0]) * tgamma(x[1] + 1) +
                                        lgamma(x[2] + 2) * erfc(x[1] / 4) + cbrt(x[0]);)
VIETA_CALLABLE(FusedAndInterpolated,
               return fma(x[0], x[1], x[2]) * std::lerp(x[0], x[1], x[2] / 4) +
                      fma(x[0], 2.0, x[1]) + hypot(x[0], x[1], x[2]);)

}  // namespace
}  // namespace vieta::ad
