#include "expr/fold.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "base/check.h"
#include "base/polygamma.h"

namespace vieta {
namespace {

// What the table's value column calls. A namespace of its own: `gamma`, `round` and others are
// names of the C library with another meaning.
namespace on_numbers {

using std::acos;
using std::acosh;
using std::asin;
using std::asinh;
using std::atan;
using std::atan2;
using std::atanh;
using std::cbrt;
using std::ceil;
using std::cos;
using std::cosh;
using std::erf;
using std::erfc;
using std::exp;
using std::exp2;
using std::expm1;
using std::floor;
using std::fma;
using std::fmod;
using std::hypot;
using std::lgamma;
using std::log;
using std::log10;
using std::log1p;
using std::log2;
using std::pow;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;
using std::trunc;
using vieta::digamma;
using vieta::polygamma;

double where(bool condition, double then, double otherwise) { return condition ? then : otherwise; }
double inv(double a) { return 1 / a; }
double square(double a) { return a * a; }
double cube(double a) { return a * a * a; }
double abs(double a) { return std::fabs(a); }
double sign(double a) {
  if (a > 0) return 1;
  return a < 0 ? -1 : a;
}
double round(double a) { return std::nearbyint(a); }  // halves to even in the default mode
double relu(double a) { return a > 0 || std::isnan(a) ? a : 0; }
double logistic(double a) {
  const double small = std::exp(-std::fabs(a));
  return (a < 0 ? small : 1) / (1 + small);
}
double softplus(double a) {
  if (std::isnan(a)) return a;
  return std::fmax(a, 0.0) + std::log1p(std::exp(-std::fabs(a)));
}
double gamma(double a) { return std::tgamma(a); }
double min(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  return b < a ? b : a;
}
double max(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  return b > a ? b : a;
}
double clamp(double a, double b, double c) { return min(max(a, b), c); }
double mod(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double value(Op op, double a, [[maybe_unused]] double b, [[maybe_unused]] double c) {
  switch (op) {
#define VIETA_UNARY(id, name, text, ...) \
  case Op::id:                           \
    return text;
#define VIETA_BINARY(id, name, text, ...) \
  case Op::id:                            \
    return text;
#define VIETA_TERNARY(id, name, text, ...) \
  case Op::id:                             \
    return text;
#include "ops/ops.def"
#undef VIETA_UNARY
#undef VIETA_BINARY
#undef VIETA_TERNARY
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace on_numbers
}  // namespace

double fold(Op op, std::span<const double> arguments) {
  VIETA_CHECK(arguments.size() == static_cast<std::size_t>(info(op).arity));
  const auto at = [arguments](std::size_t k) { return k < arguments.size() ? arguments[k] : 0.0; };
  return on_numbers::value(op, at(0), at(1), at(2));
}

}  // namespace vieta
