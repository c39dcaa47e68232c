// autodiff: what each annotation gets back, in each mode, for each kind of argument; and what is
// refused.
#include "ad/autodiff.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ad/gradient.h"
#if __has_include(<eigen3/Eigen/Core>)
#include <eigen3/Eigen/Core>
#endif

namespace shapes {

template <class T>
struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<T> cells;
};
template <class T>
auto parts(Matrix<T>& m) {
  return std::tie(m.rows, m.columns, m.cells);
}

template <class T>
struct Pose {
  T x{};
  std::array<T, 2> velocity{};
  int id = 0;
  std::pair<T, float> weight{};
};
template <class T>
auto parts(Pose<T>& p) {
  return std::tie(p.x, p.velocity, p.id, p.weight);
}

enum class Kind : std::uint8_t { constant, variable, sum, product, sine };

template <class T>
struct Node {
  Kind kind = Kind::constant;
  T value{};
  std::unique_ptr<Node> left;
  std::unique_ptr<Node> right;
};
template <class T>
auto parts(Node<T>& n) {
  return std::tie(n.kind, n.value, n.left, n.right);
}

template <class T>
std::unique_ptr<Node<T>> node(Kind kind, T value, std::unique_ptr<Node<T>> left = nullptr,
                              std::unique_ptr<Node<T>> right = nullptr) {
  auto n = std::make_unique<Node<T>>();
  n->kind = kind;
  n->value = value;
  n->left = std::move(left);
  n->right = std::move(right);
  return n;
}

template <class C, class T>
T evaluate(const Node<C>& n, const T& x) {
  using std::sin;
  switch (n.kind) {
    case Kind::constant:
      return T(n.value);
    case Kind::variable:
      return x;
    case Kind::sum:
      return evaluate(*n.left, x) + evaluate(*n.right, x);
    case Kind::product:
      return evaluate(*n.left, x) * evaluate(*n.right, x);
    case Kind::sine:
      return sin(evaluate(*n.left, x));
  }
  return x;
}

// 3 x + sin(2 x)
inline Node<double> example_tree() {
  auto variable = [] { return node<double>(Kind::variable, 0.0); };
  auto linear = node<double>(Kind::product, 0.0, node<double>(Kind::constant, 3.0), variable());
  auto inner = node<double>(Kind::product, 0.0, node<double>(Kind::constant, 2.0), variable());
  auto wave = node<double>(Kind::sine, 0.0, std::move(inner));
  return std::move(*node<double>(Kind::sum, 0.0, std::move(linear), std::move(wave)));
}

/// A type that no rule can put another scalar into.
struct Opaque {
  double x = 2;
};

}  // namespace shapes

namespace vieta::ad {
namespace {

constexpr double kUlp = std::numeric_limits<double>::epsilon();

const auto kSumOfSquares = [](const auto& v) {
  auto s = v[0] * v[0];
  for (std::size_t i = 1; i < v.size(); ++i) s += v[i] * v[i];
  return s;
};

TEST(Reverse, ReturnsTheDerivativesOfActiveArgumentsInOrder) {
  const auto f = [](auto x, auto y, auto z) { return x * y - 2 * z / y; };
  const auto r = autodiff(reverse, f, Active(3.0), Active(4.0), Active(8.0));
  EXPECT_EQ(r.value, 8.0);
  EXPECT_EQ(r.derivatives, std::make_tuple(4.0, 4.0, -0.5));
  const auto one = autodiff(reverse, f, Const(3.0), Active(4.0), Const(8.0));
  EXPECT_EQ(one.derivatives, std::make_tuple(4.0));
}

TEST(Reverse, AddsToAnInputsShadow) {
  std::vector<double> x{1, 2, 3};
  std::vector<double> dx{10, 20, 30};
  const auto r = autodiff(reverse, kSumOfSquares, Duplicated(x, dx));
  EXPECT_EQ(r.value, 14.0);
  EXPECT_EQ(dx, (std::vector<double>{12, 24, 36}));
  const std::vector<double>& fixed = x;
  autodiff(reverse, kSumOfSquares, Duplicated(fixed, dx));
  EXPECT_EQ(dx, (std::vector<double>{14, 28, 42}));
}

TEST(Reverse, UsesUpTheShadowOfAnOverwrittenOutput) {
  std::vector<double> x{1, 2};
  std::vector<double> dx{0, 0};
  std::vector<double> out{7, 7, 7};
  std::vector<double> dout{1, 10, 100};
  const auto f = [](const auto& v, auto& y) {
    y[0] = v[0] * v[1];
    y[1] += v[0];  // added to: its shadow passes through
  };
  autodiff(reverse, f, Duplicated(x, dx), Duplicated(out, dout));
  EXPECT_EQ(out, (std::vector<double>{2, 8, 7}));
  EXPECT_EQ(dx, (std::vector<double>{12, 1}));
  EXPECT_EQ(dout, (std::vector<double>{0, 10, 100}));
}

TEST(Reverse, DifferentiatesAnArgumentChangedInPlace) {
  double x = 3;
  double dx = 1;
  autodiff(
      reverse,
      [](auto& v) {
        v = v * v;
        v = v * v;
      },
      Duplicated(x, dx));
  EXPECT_EQ(x, 81.0);
  EXPECT_EQ(dx, 108.0);
}

TEST(Reverse, TakesSpansOfTheCallersMemory) {
  std::array<double, 5> memory{1, 2, 3, 4, 5};
  std::array<double, 5> shadow{};
  const auto f = [](auto v, auto w) { return v[0] * v[1] * w[0]; };
  const auto r = autodiff(
      reverse, f,
      Duplicated(std::span<double>(memory).subspan(0, 2), std::span<double>(shadow).subspan(0, 2)),
      Duplicated(std::span<const double>(memory).subspan(3, 1),
                 std::span<double>(shadow).subspan(3, 1)));
  EXPECT_EQ(r.value, 8.0);
  EXPECT_EQ(shadow, (std::array<double, 5>{8, 4, 0, 2, 0}));
}

TEST(Reverse, WritesThroughAMutableSpan) {
  std::vector<double> x{2, 3};
  std::vector<double> dx{1, 1};
  autodiff(
      reverse, [](auto v) { v[0] = v[0] * v[1]; },
      Duplicated(std::span<double>(x), std::span<double>(dx)));
  EXPECT_EQ(x, (std::vector<double>{6, 3}));
  EXPECT_EQ(dx, (std::vector<double>{3, 3}));
}

TEST(Reverse, TakesUsersStructs) {
  shapes::Pose<double> p{2, {3, 4}, 7, {5, 1.5F}};
  auto dp = zero_like(p);
  EXPECT_EQ(dp.id, 7);
  const auto f = [](const auto& q) { return q.x * q.velocity[1] * q.weight.first * q.id; };
  const auto r = autodiff(reverse, f, Duplicated(p, dp));
  EXPECT_EQ(r.value, 280.0);
  EXPECT_EQ(dp.x, 140.0);
  EXPECT_EQ(dp.velocity, (std::array<double, 2>{0, 70}));
  EXPECT_EQ(dp.weight.first, 56.0);
  const auto g = gradient(f, p).gradient;
  EXPECT_EQ(g.x, 140.0);
}

TEST(Reverse, TakesTreesOfOwningPointers) {
  const shapes::Node<double> tree = shapes::example_tree();
  auto d_tree = zero_like(tree);
  const auto f = [](const auto& t, const auto& x) { return shapes::evaluate(t, x); };
  const auto r = autodiff(reverse, f, Duplicated(tree, d_tree), Active(0.5));
  EXPECT_EQ(r.value, 1.5 + std::sin(1.0));
  EXPECT_NEAR(std::get<0>(r.derivatives), 3 + 2 * std::cos(1.0), 4 * kUlp);
  EXPECT_EQ(d_tree.left->left->value, 0.5);
  EXPECT_NEAR(d_tree.right->left->left->value, 0.5 * std::cos(1.0), kUlp);
}

TEST(Reverse, LetsTheCallableMutateATree) {
  shapes::Node<double> tree = shapes::example_tree();
  auto d_tree = zero_like(tree);
  d_tree.left->left->value = 1;
  const auto f = [](auto& t) { t.left->left->value *= t.right->left->left->value; };
  autodiff(reverse, f, Duplicated(tree, d_tree));
  EXPECT_EQ(tree.left->left->value, 6.0);
  EXPECT_EQ(d_tree.left->left->value, 2.0);
  EXPECT_EQ(d_tree.right->left->left->value, 3.0);
}

TEST(Reverse, HandsConstArgumentsOnAsTheyAre) {
  const shapes::Opaque opaque;
  const auto f = [](const shapes::Opaque& o, const auto& x, const std::string& s) {
    return o.x * x * static_cast<double>(s.size());
  };
  const auto r = autodiff(reverse, f, Const(opaque), Active(5.0), Const(std::string("abc")));
  EXPECT_EQ(std::get<0>(r.derivatives), 6.0);
}

template <class T>
T one_scalar_for_all(const shapes::Matrix<T>& a, const std::vector<T>& x) {
  return a.cells[0] * x[0] + a.cells[1] * x[1];
}

TEST(Reverse, LiftsConstArgumentsForCallablesWithOneScalar) {
  const shapes::Matrix<double> a{1, 2, {3, 4}};
  const std::vector<double> x{5, 6};
  std::vector<double> dx(2);
  const auto f = []<class T>(const shapes::Matrix<T>& m, const std::vector<T>& v) {
    return one_scalar_for_all(m, v);
  };
  const auto r = autodiff(reverse, f, Const(a), Duplicated(x, dx));
  EXPECT_EQ(r.value, 39.0);
  EXPECT_EQ(dx, (std::vector<double>{3, 4}));
}

TEST(Reverse, PassesWhatIsNoNumberThrough) {
  std::vector<double> x{2};
  std::vector<double> dx{0};
  const auto name = autodiff(
      reverse, [](const auto& v) { return v[0] > 1 ? "big" : "small"; }, Duplicated(x, dx));
  EXPECT_STREQ(name.value, "big");
  EXPECT_EQ(dx[0], 0.0);
  const auto constant = autodiff(reverse, [](const auto&) { return 5.0; }, Duplicated(x, dx));
  EXPECT_EQ(constant.value, 5.0);
  EXPECT_EQ(dx[0], 0.0);
}

TEST(Reverse, WorksOnEmptyArguments) {
  std::vector<double> x;
  std::vector<double> dx;
  const auto r =
      autodiff(reverse, [](const auto& v) { return v.empty() ? 1.0 : 2.0; }, Duplicated(x, dx));
  EXPECT_EQ(r.value, 1.0);
}

TEST(Forward, CarriesTangentsThroughEverything) {
  std::vector<double> x{3, 4};
  std::vector<double> dx{1, 10};
  std::vector<double> out{0, 0};
  std::vector<double> dout{9, 9};
  const auto f = [](const auto& v, auto& y) {
    y[0] = v[0] * v[1];
    return v[0] + y[0];
  };
  const auto r = autodiff(forward, f, Duplicated(x, dx), Duplicated(out, dout));
  EXPECT_EQ(r.value, 15.0);
  EXPECT_EQ(r.derivative, 35.0);
  EXPECT_EQ(out, (std::vector<double>{12, 0}));
  EXPECT_EQ(dout, (std::vector<double>{34, 9}));
  EXPECT_EQ(dx, (std::vector<double>{1, 10}));
}

TEST(Forward, ReturnsArraysAndStructs) {
  double x = 2;
  double dx = 1;
  const auto f = [](const auto& v) {
    using T = std::remove_cvref_t<decltype(v)>;
    return std::vector<T>{v, v * v, v * v * v};
  };
  const auto r = autodiff(forward, f, Duplicated(x, dx));
  EXPECT_EQ(r.value, (std::vector<double>{2, 4, 8}));
  EXPECT_EQ(r.derivative, (std::vector<double>{1, 4, 12}));
}

TEST(ForwardOverReverse, GivesHessianTimesDirection) {
  const auto f = [](const auto& v) { return v[0] * v[0] * v[1] + sin(v[1] * v[2]); };
  const std::vector<double> x{1.1, 0.7, 2.3};
  const std::vector<double> v{0.3, -1.2, 0.5};
  std::vector<double> d(3);
  std::vector<double> h(3);
  autodiff(forward_over_reverse, f, Directional(x, d, v, h));
  const auto full = hessian(f, x);
  const auto& H = full.hessian;
  const std::vector<double> wanted{H[0] * v[0] + H[1] * v[1] + H[2] * v[2],
                                   H[1] * v[0] + H[3] * v[1] + H[4] * v[2],
                                   H[2] * v[0] + H[4] * v[1] + H[5] * v[2]};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(h[i], wanted[i], 16 * kUlp);  // two orders of summation, values below 6
    EXPECT_NEAR(d[i], full.gradient[i], 4 * kUlp);
  }
}

TEST(ForwardOverReverse, TreatsOtherArgumentsAsConstantAlongTheDirection) {
  double x = 2;
  double dx = 0;
  double v = 1;
  double h = 0;
  double y = 3;
  double dy = 0;
  const auto r = autodiff(
      forward_over_reverse, [](auto a, auto b) { return a * a * b * b; }, Directional(x, dx, v, h),
      Duplicated(y, dy));
  EXPECT_EQ(r.value, 36.0);
  EXPECT_EQ(dx, 36.0);
  EXPECT_EQ(h, 18.0);
  EXPECT_EQ(dy, 24.0);
}

TEST(Nesting, ReverseOverJetsGivesSecondOrder) {
  using J = Jet<double, 2>;
  std::vector<J> x{J::variable(2, 0), J::variable(3, 1)};
  std::vector<J> dx(2);
  autodiff(reverse, [](const auto& v) { return v[0] * v[0] * v[1]; }, Duplicated(x, dx));
  EXPECT_EQ(dx[0].value, 12.0);
  EXPECT_EQ(dx[0].d[0], 6.0);
  EXPECT_EQ(dx[0].d[1], 4.0);
  EXPECT_EQ(dx[1].d[1], 0.0);
}

TEST(Nesting, ReverseInsideReverse) {
  // d/dx of (d/dy y^2 x at y = x^2) = d/dx 2 x^3 = 6 x^2.
  const auto outer = [](const auto& x) {
    const auto inner = [&](const auto& y) { return y[0] * y[0] * x[0]; };
    using T = std::remove_cvref_t<decltype(x[0])>;
    return gradient(inner, std::vector<T>{x[0] * x[0]}).gradient[0];
  };
  EXPECT_EQ(gradient(outer, std::vector<double>{3.0}).gradient[0], 54.0);
}

TEST(Nesting, AnInnerGradientOfPlainNumbersDoesNotDisturbTheOuterOne) {
  const auto outer = [](const auto& x) {
    auto y = x[0] * x[0];
    const double slope = gradient(kSumOfSquares, std::vector<double>{1, 2, 3}).gradient[1];
    return y * slope + x[0];
  };
  EXPECT_EQ(gradient(outer, std::vector<double>{3.0}).gradient[0], 25.0);
}

#if __has_include(<eigen3/Eigen/Core>)
TEST(Eigen, VectorsAndMatricesAreArguments) {
  Eigen::MatrixXd a(2, 3);
  a << 1, 2, 3, 4, 5, 6;
  Eigen::MatrixXd da = zero_like(a);
  const auto f = [](const auto& m) { return m(0, 1) * m(1, 2) + m(1, 0) * m(1, 0); };
  autodiff(reverse, f, Duplicated(a, da));
  Eigen::MatrixXd wanted(2, 3);
  wanted << 0, 6, 0, 8, 0, 2;
  EXPECT_TRUE(da == wanted);
  Eigen::VectorXd v(2);
  v << 3, 4;
  const auto g = gradient([](const auto& w) { return w[0] * w[0] + w[1] * w[1]; }, v);
  EXPECT_TRUE(g.gradient == 2 * v);
  Eigen::MatrixXd transposed = Eigen::MatrixXd::Zero(3, 2);
  EXPECT_THROW(autodiff(reverse, f, Duplicated(a, transposed)), AutodiffError);
}
#endif

// --- What is refused --------------------------------------------------------------------------

TEST(Refusals, SizesThatDiffer) {
  std::vector<double> x{1, 2, 3};
  std::vector<double> shorter{0, 0};
  EXPECT_THROW(autodiff(reverse, kSumOfSquares, Duplicated(x, shorter)), AutodiffError);
  EXPECT_THROW(autodiff(forward, kSumOfSquares, Duplicated(x, shorter)), AutodiffError);
  std::vector<double> d{0, 0, 0};
  std::vector<double> h{0, 0, 0};
  EXPECT_THROW(autodiff(forward_over_reverse, kSumOfSquares, Directional(x, d, shorter, h)),
               AutodiffError);
  EXPECT_THROW(jvp(kSumOfSquares, x, shorter), AutodiffError);
  const auto identity = [](const auto& v) { return v; };
  EXPECT_THROW(vjp(identity, x, shorter), AutodiffError);
  EXPECT_EQ(d, (std::vector<double>{0, 0, 0}));
}

TEST(Refusals, AMatrixAndItsTransposedShadow) {
  shapes::Matrix<double> x{2, 3, std::vector<double>(6, 1.0)};
  shapes::Matrix<double> dx{3, 2, std::vector<double>(6, 0.0)};
  const auto f = [](const auto& m) { return m.cells[0] * 2; };
  EXPECT_THROW(autodiff(reverse, f, Duplicated(x, dx)), AutodiffError);
}

TEST(Refusals, TreesOfDifferentShape) {
  shapes::Node<double> tree = shapes::example_tree();
  shapes::Node<double> shadow = zero_like(tree);
  shadow.left->right = nullptr;
  const auto f = [](const auto& t) { return shapes::evaluate(t, t.left->left->value); };
  EXPECT_THROW(autodiff(reverse, f, Duplicated(tree, shadow)), AutodiffError);
}

TEST(Refusals, AShadowThatIsTheArgument) {
  std::vector<double> x{1, 2, 3};
  EXPECT_THROW(autodiff(reverse, kSumOfSquares, Duplicated(x, x)), AutodiffError);
  EXPECT_EQ(x, (std::vector<double>{1, 2, 3}));
  double y = 1;
  EXPECT_THROW(autodiff(reverse, [](auto v) { return v; }, Duplicated(y, y)), AutodiffError);
}

TEST(Refusals, ShadowsThatOverlap) {
  std::vector<double> x{1, 2, 3};
  std::vector<double> d{0, 0, 0, 0};
  const auto f = [](auto a, auto b) { return a[0] * b[0]; };
  const std::span<const double> data(x);
  const std::span<double> shadow(d);
  EXPECT_THROW(autodiff(reverse, f, Duplicated(data.first(2), shadow.first(2)),
                        Duplicated(data.last(2), shadow.subspan(1, 2))),
               AutodiffError);
  EXPECT_NO_THROW(autodiff(reverse, f, Duplicated(data.first(2), shadow.first(2)),
                           Duplicated(data.last(2), shadow.last(2))));
  EXPECT_EQ(d, (std::vector<double>{2, 0, 1, 0}));
}

TEST(Refusals, AShadowInsideAConstArgument) {
  std::vector<double> both{1, 2, 3, 4};
  const std::vector<double> x{1, 2};
  const auto f = [](const auto& c, const auto& v) { return c[0] * v[0]; };
  EXPECT_THROW(autodiff(reverse, f, Const(both), Duplicated(x, both)), AutodiffError);
}

TEST(Refusals, TwoWritableArgumentsOnTheSameMemory) {
  std::vector<double> x{1, 2};
  std::vector<double> da{0, 0};
  std::vector<double> db{0, 0};
  const auto f = [](const auto& a, const auto& b) { return a[0] * b[1]; };
  EXPECT_THROW(autodiff(reverse, f, Duplicated(x, da), Duplicated(x, db)), AutodiffError);
  // Both promised not to be written: the product rule splits over the two shadows.
  const auto& fixed = x;
  EXPECT_NO_THROW(autodiff(reverse, f, Duplicated(fixed, da), Duplicated(fixed, db)));
  EXPECT_EQ(da, (std::vector<double>{2, 0}));
  EXPECT_EQ(db, (std::vector<double>{0, 1}));
}

TEST(Refusals, ACallableThatChangesASize) {
  std::vector<double> x{1, 2};
  std::vector<double> dx{0, 0};
  const auto f = [](auto& v) { v.push_back(v[0]); };
  EXPECT_THROW(autodiff(reverse, f, Duplicated(x, dx)), AutodiffError);
  EXPECT_THROW(autodiff(forward, f, Duplicated(x, dx)), AutodiffError);
  EXPECT_EQ(x, (std::vector<double>{1, 2}));
  EXPECT_EQ(dx, (std::vector<double>{0, 0}));
}

TEST(Refusals, AChainOfPointersThatWouldExhaustTheStack) {
  auto chain = shapes::node<double>(shapes::Kind::variable, 0.0);
  for (int i = 0; i < kMaxDepth + 10; ++i) {
    chain = shapes::node<double>(shapes::Kind::sine, 0.0, std::move(chain));
  }
  double x = 1;
  double dx = 0;
  const auto f = [](const auto& t, const auto& v) { return shapes::evaluate(t, v); };
  EXPECT_THROW(zero_like(*chain), AutodiffError);
  // As a Const argument nothing of it is copied.
  const auto r = autodiff(reverse, f, Const(*chain), Duplicated(x, dx));
  EXPECT_TRUE(std::isfinite(r.value));
  while (chain) chain = std::move(chain->left);
}

TEST(Refusals, LeaveEverythingUsableAfterAnException) {
  std::vector<double> x{1, 2};
  std::vector<double> dx{5, 5};
  const auto f = [](auto& v) {
    v[0] = v[0] * v[1];
    throw std::runtime_error("half way");
  };
  EXPECT_THROW(autodiff(reverse, f, Duplicated(x, dx)), std::runtime_error);
  EXPECT_EQ(x, (std::vector<double>{1, 2}));
  EXPECT_EQ(dx, (std::vector<double>{5, 5}));
  autodiff(reverse, kSumOfSquares, Duplicated(x, dx));
  EXPECT_EQ(dx, (std::vector<double>{7, 9}));
}

}  // namespace
}  // namespace vieta::ad
