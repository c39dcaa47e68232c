// What users write, data: locals, references, lambdas, objects, containers, standard names.
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
