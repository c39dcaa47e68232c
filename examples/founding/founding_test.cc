// The founding example: gradients and second derivatives of the evaluator as it stands, at all
// fusion levels, against differences of the evaluator in long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "eval/evaluate.h"
#include "expr/parse.h"
#include "founding/formula.h"
#include "founding/gradient.h"
#include "founding/operators.h"

namespace founding {
namespace {

using Ops = FirstOperators<4, 4>;
constexpr std::size_t kFeatures = 3;
constexpr std::size_t kRows = 7;

Matrix<double> random_data(vieta::Rng& rng) {
  Matrix<double> data(kFeatures, kRows);
  for (double& cell : data.cells) cell = 0.5 + 1.5 * rng.uniform();
  return data;
}

/// A tree of at most `depth` levels. A third of its subtrees hold no feature.
Tree random_tree(vieta::Rng& rng, int depth, bool constants_only = false) {
  constants_only = constants_only || rng.below(6) == 0;
  if (depth == 0 || rng.below(5) == 0) {
    if (constants_only || rng.below(3) == 0) return constant(0.5 + rng.uniform());
    return feature(rng.below(kFeatures));
  }
  if (rng.below(2) == 0) return unary(rng.below(4), random_tree(rng, depth - 1, constants_only));
  Tree left = random_tree(rng, depth - 1, constants_only);
  return binary(rng.below(4), std::move(left), random_tree(rng, depth - 1, constants_only));
}

template <int fusion>
long double value_at(const Node<double>& tree, const Matrix<double>& data, std::size_t row,
                     std::size_t feature_index, long double step) {
  Matrix<long double> one_row(kFeatures, 1);
  for (std::size_t f = 0; f < kFeatures; ++f) one_row(f, 0) = data(f, row);
  one_row(feature_index, 0) += step;
  return evaluate<fusion>(tree, one_row, Ops()).values[0];
}

/// First derivative by central differences of order 8, and its estimated error.
template <int fusion>
std::pair<long double, long double> slope_at(const Node<double>& tree, const Matrix<double>& data,
                                             std::size_t row, std::size_t f) {
  const auto difference = [&](long double h) {
    const auto pair = [&](int k) {
      return value_at<fusion>(tree, data, row, f, static_cast<long double>(k) * h) -
             value_at<fusion>(tree, data, row, f, -static_cast<long double>(k) * h);
    };
    return (pair(1) * 4 / 5 - pair(2) / 5 + pair(3) * 4 / 105 - pair(4) / 280) / h;
  };
  const long double coarse = difference(1.0L / 2048);
  const long double fine = difference(1.0L / 4096);
  return {fine, std::abs(fine - coarse)};
}

/// Returns how many derivatives were compared.
template <int fusion>
int expect_gradient(const Node<double>& tree, const Matrix<double>& data) {
  int compared = 0;
  std::vector<double> out(kRows);
  std::vector<double> weights(kRows, 1.0);
  Matrix<double> d_data(kFeatures, kRows);
  const auto plain = evaluate<fusion>(tree, data, Ops());
  EXPECT_EQ(gradient<fusion>(tree, data, Ops(), out, weights, d_data), plain.complete);
  if (!plain.complete) {
    EXPECT_EQ(d_data.cells, Matrix<double>(kFeatures, kRows).cells);
    return 0;
  }
  EXPECT_EQ(out, plain.values);
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t f = 0; f < kFeatures; ++f) {
      const auto [wanted, error] = slope_at<fusion>(tree, data, row, f);
      // Singular or overflowing within the stencil: the reference does not know.
      if (!(error <= 1e-9L * (1 + std::abs(wanted)))) continue;
      // Trees of up to 60 operators lose some hundred units in the last place.
      const double got = d_data(f, row);
      EXPECT_TRUE(std::abs(got - wanted) <= 1e-8L * (1 + std::abs(wanted)))
          << "fusion " << fusion << " row " << row << " feature " << f << ": " << got << " not "
          << static_cast<double>(wanted);
      ++compared;
    }
  }
  return compared;
}

TEST(Founding, ExampleOfTheIssue) {
  // x1 + cos(x2)
  const Tree tree = binary(0, feature(0), unary(0, feature(1)));
  vieta::Rng rng(1, 0, 0);
  const Matrix<double> data = random_data(rng);
  std::vector<double> out(kRows);
  std::vector<double> weights(kRows, 1.0);
  Matrix<double> d_data(kFeatures, kRows);
  ASSERT_TRUE(gradient<2>(*tree, data, Ops(), out, weights, d_data));
  for (std::size_t row = 0; row < kRows; ++row) {
    EXPECT_EQ(out[row], data(0, row) + std::cos(data(1, row)));
    EXPECT_EQ(d_data(0, row), 1.0);
    EXPECT_EQ(d_data(1, row), -std::sin(data(1, row)));
    EXPECT_EQ(d_data(2, row), 0.0);
    EXPECT_EQ(weights[row], 0.0) << "used up";
  }
}

TEST(Founding, GradientsOfRandomTreesAtAllFusionLevels) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("tree " + std::to_string(seed));
    vieta::Rng rng(seed, 0, 0);
    const Tree tree = random_tree(rng, 5);
    const Matrix<double> data = random_data(rng);
    compared += expect_gradient<0>(*tree, data);
    compared += expect_gradient<1>(*tree, data);
    compared += expect_gradient<2>(*tree, data);
  }
  EXPECT_GT(compared, 6000) << "of 12600: the rest is not finite";
}

// The trap in which static activity analysis gave 42 wrong gradients of 200: the buffer that the
// shortcut fills with a constant is the one that the parent overwrites with active values.
TEST(Founding, AConstantSubtreesBufferIsOverwrittenWithActiveValues) {
  for (std::size_t op = 0; op < 4; ++op) {
    Tree constants = binary(2, unary(0, constant(0.3)), constant(1.7));
    const Tree tree = binary(op, std::move(constants), unary(2, unary(3, unary(0, feature(1)))));
    vieta::Rng rng(op, 1, 0);
    const Matrix<double> data = random_data(rng);
    const int all = static_cast<int>(kFeatures * kRows);
    EXPECT_EQ(expect_gradient<0>(*tree, data), all);
    EXPECT_EQ(expect_gradient<1>(*tree, data), all);
    EXPECT_EQ(expect_gradient<2>(*tree, data), all);
  }
}

TEST(Founding, SecondOrderIsTheChangeOfTheGradient) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE("tree " + std::to_string(seed));
    vieta::Rng rng(seed, 2, 0);
    const Tree tree = random_tree(rng, 4);
    const Matrix<double> data = random_data(rng);
    Matrix<double> direction(kFeatures, kRows);
    for (double& cell : direction.cells) cell = rng.normal();

    std::vector<double> out(kRows);
    std::vector<double> weights(kRows, 1.0);
    Matrix<double> d_data(kFeatures, kRows);
    Matrix<double> dd_data(kFeatures, kRows);
    if (!second_order<2>(*tree, data, Ops(), out, weights, d_data, direction, dd_data)) continue;

    const auto gradient_at = [&](double step) {
      Matrix<double> moved = data;
      for (std::size_t i = 0; i < moved.cells.size(); ++i) {
        moved.cells[i] += step * direction.cells[i];
      }
      Matrix<double> d(kFeatures, kRows);
      std::vector<double> w(kRows, 1.0);
      static_cast<void>(gradient<1>(*tree, moved, Ops(), out, w, d));
      return d.cells;
    };
    constexpr double h = 1e-4;
    const auto above = gradient_at(h);
    const auto below = gradient_at(-h);
    const auto above2 = gradient_at(2 * h);
    const auto below2 = gradient_at(-2 * h);
    for (std::size_t i = 0; i < above.size(); ++i) {
      const double wanted =
          (above[i] - below[i]) * 2 / (3 * h) - (above2[i] - below2[i]) / (12 * h);
      const double spread = std::abs(wanted - (above2[i] - below2[i]) / (4 * h));
      if (!(spread <= 1e-4 * (1 + std::abs(wanted)))) continue;
      // Order 4 at h = 1e-4: rounding of the gradients (1e-16 / h) dominates.
      EXPECT_TRUE(std::abs(dd_data.cells[i] - wanted) <= 1e-7 * (1 + std::abs(wanted)))
          << dd_data.cells[i] << " not " << wanted;
      ++compared;
    }
  }
  EXPECT_GT(compared, 1000) << "of 2100: the rest is not finite, or near a singularity";
}

TEST(Founding, ConstantsOfTheTreeHaveDerivativesToo) {
  // 1.5 cos(x1 * 0.7)
  const Tree tree = binary(2, constant(1.5), unary(0, binary(2, feature(0), constant(0.7))));
  Node<double> d_tree = vieta::ad::zero_like(*tree);
  const Matrix<double> data(1, 1);
  Matrix<double> at(1, 1);
  at(0, 0) = 1.1;
  std::vector<double> out(1);
  std::vector<double> weights{1.0};
  namespace ad = vieta::ad;
  ad::autodiff(ad::reverse, EvaluateInto<2>(), ad::Duplicated(std::as_const(*tree), d_tree),
               ad::Const(at), ad::Const(Ops()), ad::Duplicated(out, weights));
  constexpr double kUlps = 4e-16;
  EXPECT_NEAR(d_tree.left->value, std::cos(0.77), kUlps);
  EXPECT_NEAR(d_tree.right->left->right->value, -1.5 * 1.1 * std::sin(0.77), kUlps);
}

TEST(Founding, StopsEarlyWhereThePlainEvaluatorDoes) {
  // sin(1 / (x1 - x1)): infinite, so nothing is added to the shadow.
  const Tree tree = unary(2, binary(3, constant(1.0), binary(1, feature(0), feature(0))));
  vieta::Rng rng(3, 0, 0);
  const Matrix<double> data = random_data(rng);
  std::vector<double> out(kRows, 5.0);
  std::vector<double> weights(kRows, 1.0);
  Matrix<double> d_data(kFeatures, kRows);
  EXPECT_FALSE(gradient<2>(*tree, data, Ops(), out, weights, d_data));
  EXPECT_EQ(d_data.cells, Matrix<double>(kFeatures, kRows).cells);
  EXPECT_EQ(out, std::vector<double>(kRows, 5.0));
}

// Under the usual 8 MB of stack: the recursion is the evaluator's own, the tape adds none.
TEST(Founding, ATreeOfDepthTenThousandHasItsGradient) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's frames are several times larger";
#endif
  constexpr int depth = 10000;
  Tree tree = feature(0);
  for (int i = 0; i < depth; ++i) tree = unary(2, std::move(tree));  // sin(sin(...))
  Matrix<double> data(1, 2);
  data(0, 0) = 0.5;
  data(0, 1) = 1.5;
  std::vector<double> out(2);
  std::vector<double> weights(2, 1.0);
  Matrix<double> d_data(1, 2);
  ASSERT_TRUE(gradient<0>(*tree, data, Ops(), out, weights, d_data));
  for (std::size_t row = 0; row < 2; ++row) {
    long double x = data(0, row);
    long double slope = 1;
    for (int i = 0; i < depth; ++i) {
      slope *= std::cos(x);
      x = std::sin(x);
    }
    // Ten thousand factors, each with an error of a unit in the last place of its argument.
    EXPECT_NEAR(d_data(0, row) / static_cast<double>(slope), 1.0, 1e-10);
  }
  while (tree) tree = std::move(tree->left);
}

// The evaluator's derivatives are those of the engine, which knows the formula but not the program.
template <int fusion>
void expect_the_engines_derivatives(const Node<double>& tree, const Matrix<double>& data,
                                    const Matrix<double>& direction) {
  const std::vector<std::string> names{"x1", "x2", "x3"};
  const vieta::Expr expr = vieta::parse(formula_text(tree), {.variables = names}).value();
  vieta::ColumnsView<double> columns{.pointers = {}, .rows = kRows, .readable = kRows};
  std::vector<vieta::Leaf> leaves;
  for (std::size_t f = 0; f < kFeatures; ++f) {
    columns.pointers.push_back(data.column(f));
    leaves.push_back({vieta::Leaf::Kind::variable, f});
  }
  const auto engine = vieta::evaluate<double>(expr, columns, {}, leaves, 2, {});
  std::vector<double> out(kRows);
  std::vector<double> weights(kRows, 1.0);
  Matrix<double> d_data(kFeatures, kRows);
  Matrix<double> dd_data(kFeatures, kRows);
  const bool finite =
      second_order<fusion>(tree, data, Ops(), out, weights, d_data, direction, dd_data);
  if (!finite) return;
  // A few roundings of each of the sums' terms, which may be larger than the sum.
  constexpr double kRelative = 1e-12;
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t i = 0; i < kFeatures; ++i) {
      const double wanted = engine.gradient_column(i)[r];
      double change = 0;
      double size = 1;
      for (std::size_t j = 0; j < kFeatures; ++j) {
        const double h = engine.hessian_column(std::min(i, j), std::max(i, j))[r];
        change += h * direction(j, r);
        size += std::abs(h * direction(j, r));
      }
      EXPECT_NEAR(d_data(i, r), wanted, kRelative * (1 + std::abs(wanted))) << formula_text(tree);
      EXPECT_NEAR(dd_data(i, r), change, kRelative * size) << formula_text(tree);
    }
  }
}

TEST(Founding, AgreesWithTheEngine) {
  vieta::Rng rng(11, 0, 0);
  for (int i = 0; i < 200; ++i) {
    const Matrix<double> data = random_data(rng);
    const Matrix<double> direction = random_data(rng);
    const Tree tree = random_tree(rng, 4);
    expect_the_engines_derivatives<1>(*tree, data, direction);
    expect_the_engines_derivatives<2>(*tree, data, direction);
  }
}

}  // namespace
}  // namespace founding
