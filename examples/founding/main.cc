// Derivatives of a recursive expression evaluator that was written without a thought of them.
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

#include "founding/gradient.h"
#include "founding/operators.h"

int main() {
  using namespace founding;
  using Ops = FirstOperators<4, 4>;

  // x1 + cos(x2 * 0.5)
  const Tree tree = binary(0, feature(0), unary(0, binary(2, feature(1), constant(0.5))));
  Matrix<double> data(2, 3);
  data.cells = {1.0, 2.0, 3.0, 0.1, 0.2, 0.3};
  Matrix<double> direction(2, 3);
  for (std::size_t row = 0; row < 3; ++row) direction(1, row) = 1.0;

  std::vector<double> out(3);
  std::vector<double> weights(3, 1.0);
  Matrix<double> d_data(2, 3);
  Matrix<double> dd_data(2, 3);
  second_order<2>(*tree, data, Ops(), out, weights, d_data, direction, dd_data);

  std::printf("value  d/dx1  d/dx2  d2/dx2.dx2\n");
  for (std::size_t row = 0; row < 3; ++row) {
    std::printf("%.6f  %.6f  %.6f  %.6f\n", out[row], d_data(0, row), d_data(1, row),
                dd_data(1, row));
  }
}
