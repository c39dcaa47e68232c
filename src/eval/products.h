// products: derivatives times vectors: jvp, vjp, hvp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "eval/evaluate.h"

namespace vieta {

/// Tangents of the values along one direction of the leaves.
template <class T>
struct Tangents {
  std::vector<T> values;    ///< rows
  std::vector<T> tangents;  ///< rows: sum over leaves of d value / d leaf * direction
  EvalStatus status;
  std::vector<std::uint8_t> ok_rows;  ///< as Evaluation's
};

/// J v. `direction` has one entry a leaf. A leaf whose entry is 0 takes no part, whatever its
/// derivative. InternalError on wrong sizes, as evaluate. Cost: a gradient. No rows x leaves array.
template <class T>
Tangents<T> jvp(const Expr& expr, const ColumnsView<T>& columns, std::span<const double> parameters,
                std::span<const Leaf> leaves, std::span<const double> direction,
                const EvalOptions& options = {});

/// Adjoints of the leaves.
template <class T>
struct Adjoints {
  std::vector<T> values;         ///< rows
  std::vector<double> adjoints;  ///< leaves: sum over rows of weight * d value / d leaf
  EvalStatus status;
  std::vector<std::uint8_t> ok_rows;  ///< as Evaluation's
};

/// w^T J. `weights` has one entry a row; rows whose entry is 0 take no part, whatever their
/// derivatives. Sums are in double, in an order that depends on the number of rows alone, whatever
/// `options.pool` is. InternalError on wrong sizes. Cost: a gradient. No rows x leaves array.
template <class T>
Adjoints<T> vjp(const Expr& expr, const ColumnsView<T>& columns, std::span<const double> parameters,
                std::span<const Leaf> leaves, std::span<const T> weights,
                const EvalOptions& options = {});

/// Hessians times one direction.
template <class T>
struct HessianProducts {
  std::size_t rows = 0;
  std::vector<T> values;    ///< rows
  std::vector<T> products;  ///< rows x leaves, each column contiguous
  EvalStatus status;
  std::vector<std::uint8_t> ok_rows;  ///< as Evaluation's

  std::span<const T> column(std::size_t leaf) const {
    return {products.data() + leaf * rows, rows};
  }
};

/// H v on every row, for all leaves. Entries of `direction` that are 0 take no part. InternalError
/// on wrong sizes. Cost: a small multiple of the gradient, whatever the number of leaves (forward
/// over reverse).
template <class T>
HessianProducts<T> hvp(const Expr& expr, const ColumnsView<T>& columns,
                       std::span<const double> parameters, std::span<const Leaf> leaves,
                       std::span<const double> direction, const EvalOptions& options = {});

}  // namespace vieta
