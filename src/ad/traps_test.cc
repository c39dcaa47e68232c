// Faults that other tools' users have reported, one test each. The number in brackets is the issue
// in the named project's tracker.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "ad/ad.h"

namespace vieta::ad {
namespace {

using Vector = std::vector<double>;

struct Square {
  template <class T>
  auto operator()(T x) const {
    return x * x;
  }
};

// autodiff #306, #62, #68: an expression object outlived its operands.
TEST(Traps, AutoReturningFunctionsGiveTheDerivative) {
  EXPECT_EQ(gradient(Square(), 2.0).gradient, 4.0);
  const auto by_reference = [](const auto& x) {
    auto sum = x + x * x;
    auto scaled = sum * 3;
    return scaled - sum;
  };
  EXPECT_EQ(gradient(by_reference, 2.0).gradient, 10.0);
  EXPECT_EQ(hessian(by_reference, 2.0).hessian, 4.0);
}

// clad #1865: a division carried through a loop.
TEST(Traps, DivisionCarriedThroughALoop) {
  const auto f = [](const auto& x) {
    auto r = x[0];
    for (int i = 0; i < 3; ++i) r = r / x[1];
    return r;
  };
  const auto g = gradient(f, Vector{5, 2});
  EXPECT_EQ(g.value, 0.625);
  EXPECT_EQ(g.gradient, (Vector{0.125, -0.9375}));
}

// clad #474, #746: the number of rounds depends on the input.
TEST(Traps, RoundsThatDependOnTheInput) {
  const auto f = [](const auto& x) {
    auto p = x[1];
    for (int i = 1; i < static_cast<int>(x[0]); ++i) p = p * x[1];
    return p;
  };
  EXPECT_EQ(gradient(f, Vector{4, 3}).gradient, (Vector{0, 108}));
  EXPECT_EQ(gradient(f, Vector{2, 3}).gradient, (Vector{0, 6}));
  const auto by_value = [](const auto& x) {
    auto y = x[0];
    while (y < 100) y = y * y;
    return y;
  };
  EXPECT_EQ(gradient(by_value, Vector{3}).gradient, (Vector{8 * 2187}));
}

// clad #1070: two names for one vector.
TEST(Traps, TwoNamesForOneVector) {
  const auto f = [](const auto& x) {
    auto v = x;
    auto& alias = v;
    alias[0] = v[0] * v[1];
    v[1] = alias[0] * v[0];
    return alias[1];
  };
  EXPECT_EQ(gradient(f, Vector{2, 3}).gradient, (Vector{36, 24}));
}

// clad #1108: NaN in reverse, but not forwards, from a branch that was not taken.
TEST(Traps, AnUnusedInvalidBranch) {
  const auto f = [](const auto& x) {
    const auto root = sqrt(x[0]);
    const auto line = 2 * x[0];
    return x[0] < 0 ? line : root;
  };
  EXPECT_EQ(gradient(f, Vector{-1}).gradient[0], 2.0);
  EXPECT_EQ(gradient(f, std::array<double, 1>{-1}).gradient[0], 2.0);
  EXPECT_EQ(jvp(f, Vector{-1}, Vector{1}).tangent, 2.0);
}

// Enzyme.jl #1298: the same call gave NaN now and then.
TEST(Traps, TheSameCallGivesTheSameBits) {
  const auto f = [](const auto& x) {
    std::vector<std::remove_cvref_t<decltype(x[0])>> scratch(3);
    for (std::size_t i = 0; i < 3; ++i) scratch[i] = exp(-x[i]) / x[(i + 1) % 3];
    return scratch[0] * scratch[1] + scratch[2];
  };
  const Vector x{0.3, 1.1, 2.7};
  const Vector first = gradient(f, x).gradient;
  for (int i = 0; i < 100; ++i) {
    const Vector again = gradient(f, x).gradient;
    EXPECT_EQ(std::memcmp(first.data(), again.data(), 3 * sizeof(double)), 0);
    EXPECT_TRUE(std::isfinite(again[0]));
  }
}

// Enzyme's FAQ, and the founding example: a buffer that holds constants on one path and is
// overwritten with active values on another.
TEST(Traps, AConstantBufferOverwrittenWithActiveValues) {
  const auto f = [](const auto& x, auto& scratch) {
    for (auto& s : scratch) s = 2.0;
    for (std::size_t i = 0; i < x.size(); ++i) scratch[i] = scratch[i] * x[i];
    auto sum = scratch[0];
    for (std::size_t i = 1; i < x.size(); ++i) sum = sum + scratch[i] * scratch[i];
    return sum;
  };
  const Vector x{1, 2, 3};
  Vector dx(3);
  Vector scratch(3);
  Vector d_scratch(3);
  autodiff(reverse, f, Duplicated(x, dx), Duplicated(scratch, d_scratch));
  EXPECT_EQ(dx, (Vector{2, 16, 24}));
  EXPECT_EQ(d_scratch, (Vector{0, 0, 0}));
}

// Enzyme #1599, #940, #2119: containers it could not follow.
TEST(Traps, ContainersOnTheHeap) {
  const auto f = [](const auto& x) {
    using T = std::remove_cvref_t<decltype(x[0])>;
    std::vector<std::vector<T>> rows;
    for (const T& v : x) rows.push_back(std::vector<T>(3, v));
    std::unique_ptr<T[]> raw(new T[3]);
    for (std::size_t i = 0; i < 3; ++i) raw[i] = rows[i][2] * rows[(i + 1) % 3][0];
    return raw[0] + raw[1] * raw[2];
  };
  // xy + yz zx
  EXPECT_EQ(gradient(f, Vector{2, 3, 5}).gradient, (Vector{78, 52, 60}));
}

// PySR #37: special functions without derivatives.
TEST(Traps, SpecialFunctionsAreWired) {
  constexpr double kEuler = 0.57721566490153286;
  EXPECT_NEAR(gradient([](auto x) { return gamma(x); }, 1.0).gradient, -kEuler, 1e-16);
  EXPECT_NEAR(gradient([](auto x) { return lgamma(x); }, 2.0).gradient, 1 - kEuler, 1e-16);
  EXPECT_NEAR(gradient([](auto x) { return acosh(x); }, 1.25).gradient, 4.0 / 3, 1e-15);
}

// PySR #1012: an operator evaluated outside its domain raised instead of giving NaN.
TEST(Traps, OutsideItsDomainAnOperatorGivesNan) {
  for (const double x : {-2.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(gradient([](auto v) { return log(v) + acosh(v); }, x).value));
    EXPECT_TRUE(
        std::isnan(gradient([](const auto& v) { return pow(v[0], 0.5); }, Vector{x}).value));
  }
}

// Operon de1c39af: arguments in reverse order, and a structure taken for another by its hash.
TEST(Traps, ArgumentsKeepTheirOrder) {
  const auto r = autodiff(
      reverse, [](auto a, auto b, auto c) { return pow(a, b) - c / a; }, Active(2.0), Active(3.0),
      Active(4.0));
  EXPECT_EQ(std::get<0>(r.derivatives), 13.0);
  EXPECT_EQ(std::get<1>(r.derivatives), 8 * std::log(2.0));
  EXPECT_EQ(std::get<2>(r.derivatives), -0.5);
  EXPECT_NEAR(gradient([](auto x) { return exp(x) * exp(x) * exp(x); }, 0.1).gradient,
              3 * std::exp(0.3), 1e-15);
}

// Enzyme #1904: Duplicated on std::vector.
TEST(Traps, DuplicatedVectors) {
  Vector x{1, 2};
  Vector dx(2);
  autodiff(reverse, [](const auto& v) { return v[0] * v[1]; }, Duplicated(x, dx));
  EXPECT_EQ(dx, (Vector{2, 1}));
}

// Stan #2044, #2101: a conditional expression between a number and a literal.
TEST(Traps, ConditionalBesideALiteral) {
  const auto f = [](const auto& x) {
    auto y = x[0] > 0 ? x[0] * x[0] : 0.0;
    auto z = x[0] > 0 ? 1 : x[0];
    return y + z;
  };
  EXPECT_EQ(gradient(f, Vector{3}).gradient[0], 6.0);
  EXPECT_EQ(gradient(f, Vector{-3}).gradient[0], 1.0);
}

// autodiff #169: derivatives of order four and above.
TEST(Traps, FourthDerivativeOfTanh) {
  const auto f = [](const auto& x) { return tanh(x); };
  const auto second = [&](const auto& x) { return hessian(f, x).hessian; };
  const double x = 0.4;
  const double t = std::tanh(x);
  const double s = 1 - t * t;
  // tanh'''' = 8 t s (2 - 3 s) with s = sech^2, by hand; values of order 1, some 50 roundings.
  EXPECT_NEAR(hessian(second, x).hessian, 16 * t * s * s - 8 * t * t * t * s, 1e-14);
}

}  // namespace
}  // namespace vieta::ad
