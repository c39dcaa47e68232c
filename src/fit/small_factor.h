// small_factor: symmetric positive definite equations of a few unknowns, on the stack.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace vieta {

inline constexpr std::size_t kSmall = 8;
using SmallVector = std::array<double, kSmall>;
using SmallMatrix = std::array<SmallVector, kSmall>;

/// A = L D L^T, L with ones on its diagonal: no square roots, and one division an unknown (Golub
/// and Van Loan, Matrix Computations, 2013, ch. 4.1). `Size` is std::size_t, or a
/// std::integral_constant, for which the compiler unrolls the loops.
struct SmallFactor {
  SmallMatrix lower;    ///< below the diagonal
  SmallVector inverse;  ///< 1 / D

  /// Reads the lower triangle. False if A is not positive definite to rounding, or not finite; what
  /// is here then means nothing.
  template <class Size>
  bool factorise(const SmallMatrix& a, Size n) {
    for (std::size_t i = 0; i < n; ++i) {
      SmallVector scaled;  // row i of L D
      double pivot = a[i][i];
      for (std::size_t j = 0; j < i; ++j) {
        scaled[j] = a[i][j];
        for (std::size_t k = 0; k < j; ++k) scaled[j] -= scaled[k] * lower[j][k];
        lower[i][j] = scaled[j] * inverse[j];
        pivot -= scaled[j] * lower[i][j];
      }
      if (!(pivot > 0)) return false;
      inverse[i] = 1 / pivot;
      // Of a pivot that is infinite or as good as 0 nothing can be told.
      if (!(inverse[i] > 0) || !std::isfinite(inverse[i])) return false;
    }
    return true;
  }

  /// v = L^-1 v
  template <class Size>
  void forward(SmallVector& v, Size n) const {
    for (std::size_t i = 1; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) v[i] -= lower[i][k] * v[k];
    }
  }

  /// v = (D L^T)^-1 v
  template <class Size>
  void backward(SmallVector& v, Size n) const {
    for (std::size_t i = n; i-- > 0;) {
      v[i] *= inverse[i];
      for (std::size_t k = i + 1; k < n; ++k) v[i] -= lower[k][i] * v[k];
    }
  }
};

}  // namespace vieta
