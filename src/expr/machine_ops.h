// machine_ops: the built-in operators on one value of any number type: plain, or carrying
// derivatives. Read from the operator table, as the kernels are.
#pragma once

#include <cmath>
#include <limits>

#include "ad/std_names.h"
#include "ops/op.h"

namespace vieta {

/// X is float, double, or a number of room ad over one of them.
template <class X>
struct OpsOn {
  static X value(Op op, const X& a, [[maybe_unused]] const X& b, [[maybe_unused]] const X& c) {
    // NOLINTNEXTLINE(google-build-using-namespace): the table's functions for every number type
    using namespace ad;
    switch (op) {
#define VIETA_UNARY(id, name, text, ...) \
  case Op::id:                           \
    return X(text);
#define VIETA_BINARY(id, name, text, ...) \
  case Op::id:                            \
    return X(text);
#define VIETA_TERNARY(id, name, text, ...) \
  case Op::id:                             \
    return X(text);
#include "ops/ops.def"
#undef VIETA_UNARY
#undef VIETA_BINARY
#undef VIETA_TERNARY
    }
    return nan();
  }

 private:
  static X nan() { return X(std::numeric_limits<double>::quiet_NaN()); }
  static bool is_nan(const X& a) {
    return !(a == a);  // NOLINT(misc-redundant-expression)
  }

  // Where the table means something else than the function of that name in C++.
  static X where(bool condition, const X& then, const X& otherwise) {
    return condition ? then : otherwise;
  }
  static X round(const X& a) { return X(std::nearbyint(ad::value(a))); }  // halves to even
  static X min(const X& a, const X& b) {
    if (is_nan(a) || is_nan(b)) return nan();
    return b < a ? b : a;
  }
  static X max(const X& a, const X& b) {
    if (is_nan(a) || is_nan(b)) return nan();
    return b > a ? b : a;
  }
  static X clamp(const X& a, const X& b, const X& c) { return min(max(a, b), c); }
  static X polygamma(const X& order, const X& a) {
    const double n = static_cast<double>(ad::value(order));
    if (!(n >= 0 && n <= 1000 && n == std::floor(n))) return nan();
    if constexpr (ad::Number<X>) {
      return ad::polygamma(static_cast<int>(n), a);
    } else {
      return X(vieta::polygamma(order, a));
    }
  }
};

}  // namespace vieta
