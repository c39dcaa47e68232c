// callable_check: a generic callable held against long-double differences of itself, in all modes,
// at several points.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <type_traits>
#include <utility>

#include "ad/derivative_check.h"

namespace vieta::ad {

template <class X>
using scalar_in_t = std::remove_cvref_t<decltype(std::declval<X&>()[0])>;

inline const std::array<Point, 3> kPoints = {Point{0.7, 1.3, 2.1}, Point{1.9, 0.6, 1.2},
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

}  // namespace vieta::ad
