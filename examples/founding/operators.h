// operators: up to 16 binary and 16 unary operators, generic in the number.
#pragma once

#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>

#include "founding/evaluator.h"

namespace founding {

// Unqualified calls below: a number with derivatives brings its own functions along.
using std::abs, std::asinh, std::atan, std::atan2, std::cbrt, std::cos, std::exp, std::hypot;
using std::log, std::pow, std::sin, std::sqrt, std::tanh;

// clang-format off
struct Add { template <class T> T operator()(const T& a, const T& b) const { return a + b; } };
struct Subtract { template <class T> T operator()(const T& a, const T& b) const { return a - b; } };
struct Multiply { template <class T> T operator()(const T& a, const T& b) const { return a * b; } };
struct Divide { template <class T> T operator()(const T& a, const T& b) const { return a / b; } };
struct Larger { template <class T> T operator()(const T& a, const T& b) const { return a < b ? b : a; } };
struct Smaller { template <class T> T operator()(const T& a, const T& b) const { return b < a ? b : a; } };
struct Hypot { template <class T> T operator()(const T& a, const T& b) const { return hypot(a, b); } };
struct Angle { template <class T> T operator()(const T& a, const T& b) const { return atan2(a, b); } };
struct Distance { template <class T> T operator()(const T& a, const T& b) const { return abs(a - b); } };
struct Mean { template <class T> T operator()(const T& a, const T& b) const { return (a + b) / 2; } };
struct SquaredDistance { template <class T> T operator()(const T& a, const T& b) const { return (a - b) * (a - b); } };
struct Quotient1 { template <class T> T operator()(const T& a, const T& b) const { return a / (1 + b * b); } };
struct Gate { template <class T> T operator()(const T& a, const T& b) const { return b > 0 ? a : T(0); } };
struct Damped { template <class T> T operator()(const T& a, const T& b) const { return a * exp(-b * b); } };
struct Power { template <class T> T operator()(const T& a, const T& b) const { return pow(abs(a) + 1, b); } };
struct Wave { template <class T> T operator()(const T& a, const T& b) const { return sin(a * b); } };

struct Cos { template <class T> T operator()(const T& a) const { return cos(a); } };
struct Exp { template <class T> T operator()(const T& a) const { return exp(a); } };
struct Sin { template <class T> T operator()(const T& a) const { return sin(a); } };
struct Square { template <class T> T operator()(const T& a) const { return a * a; } };
struct Tanh { template <class T> T operator()(const T& a) const { return tanh(a); } };
struct LogOfAbs { template <class T> T operator()(const T& a) const { return log(abs(a) + 1); } };
struct RootOfAbs { template <class T> T operator()(const T& a) const { return sqrt(abs(a)); } };
struct Atan { template <class T> T operator()(const T& a) const { return atan(a); } };
struct Negate { template <class T> T operator()(const T& a) const { return -a; } };
struct Cube { template <class T> T operator()(const T& a) const { return a * a * a; } };
struct Abs { template <class T> T operator()(const T& a) const { return abs(a); } };
struct Inverse { template <class T> T operator()(const T& a) const { return 1 / a; } };
struct Bell { template <class T> T operator()(const T& a) const { return exp(-a * a); } };
struct Logistic { template <class T> T operator()(const T& a) const { return 1 / (1 + exp(-a)); } };
struct CubeRoot { template <class T> T operator()(const T& a) const { return cbrt(a); } };
struct Asinh { template <class T> T operator()(const T& a) const { return asinh(a); } };
// clang-format on

using AllBinary = std::tuple<Add, Subtract, Multiply, Divide, Larger, Smaller, Hypot, Angle,
                             Distance, Mean, SquaredDistance, Quotient1, Gate, Damped, Power, Wave>;
using AllUnary = std::tuple<Cos, Exp, Sin, Square, Tanh, LogOfAbs, RootOfAbs, Atan, Negate, Cube,
                            Abs, Inverse, Bell, Logistic, CubeRoot, Asinh>;

/// The first operators of a list.
template <class List, class Indices>
struct First;
template <class List, std::size_t... i>
struct First<List, std::index_sequence<i...>> {
  using type = std::tuple<std::tuple_element_t<i, List>...>;
};

/// The first `binary_count` binary and `unary_count` unary operators.
template <std::size_t binary_count, std::size_t unary_count>
using FirstOperators =
    Operators<typename First<AllBinary, std::make_index_sequence<binary_count>>::type,
              typename First<AllUnary, std::make_index_sequence<unary_count>>::type>;

}  // namespace founding
