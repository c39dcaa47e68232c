// Run time of the founding example's gradient and Hessian-vector product on 1,000 rows. Prints, for
// each tree: name, primal, gradient, Hessian-vector product, in microseconds, tab separated.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include "founding/gradient.h"
#include "founding/operators.h"

namespace founding {
namespace {

using Ops = FirstOperators<4, 4>;
constexpr std::size_t kRows = 1000;

template <class F>
double least_microseconds(const F& f) {
  double least = 1e300;
  for (int i = 0; i < 301; ++i) {
    const auto start = std::chrono::steady_clock::now();
    f();
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    if (took.count() < least) least = took.count();
  }
  return least;
}

void report(const char* name, const Node<double>& tree) {
  Matrix<double> data(3, kRows);
  std::uint32_t state = 1;
  for (double& cell : data.cells) {
    state = state * 1664525U + 1013904223U;
    cell = (state >> 8U) / static_cast<double>(1U << 24U) * 4 - 2;
  }
  Matrix<double> shadow(3, kRows);
  Matrix<double> along(3, kRows);
  Matrix<double> change(3, kRows);
  for (double& cell : along.cells) cell = 1;
  std::vector<double> out(kRows);
  std::vector<double> weights(kRows);
  volatile double sink = 0;
  const double primal =
      least_microseconds([&] { sink = evaluate<2>(tree, data, Ops()).values[0]; });
  const double first = least_microseconds([&] {
    weights.assign(kRows, 1);
    gradient<2>(tree, data, Ops(), out, weights, shadow);
  });
  const double second = least_microseconds([&] {
    weights.assign(kRows, 1);
    second_order<2>(tree, data, Ops(), out, weights, shadow, along, change);
  });
  static_cast<void>(sink);
  std::printf("%s\t%.2f\t%.2f\t%.2f\n", name, primal, first, second);
}

// Places in FirstOperators<4, 4>.
enum Place : std::size_t { add = 0, subtract = 1, multiply = 2, cosine = 0, sine = 2 };

Tree twenty_nodes() {
  Tree a = unary(cosine, binary(multiply, feature(0), constant(2.1)));
  Tree b = binary(subtract, feature(1), constant(0.3));
  Tree c = unary(sine, binary(add, feature(2), binary(multiply, constant(0.7), feature(0))));
  Tree d = binary(multiply, unary(cosine, feature(1)),
                  unary(sine, binary(subtract, feature(0), feature(2))));
  return binary(add, binary(multiply, std::move(a), std::move(b)),
                binary(add, std::move(c), std::move(d)));
}

}  // namespace
}  // namespace founding

int main() {
  using namespace founding;
  report("x1 + cos(x2)", *binary(add, feature(0), unary(cosine, feature(1))));
  report("20 nodes", *twenty_nodes());
}
