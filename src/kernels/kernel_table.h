// kernel_table: the compiled loops. One table a SIMD target and scalar type; each entry works on a
// tile, that is, on arrays of some rows. Kernels see no formula, no table of data and no heap.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "ops/op.h"

namespace vieta::kernels {

/// What the kernels are compiled for: an instruction set, and how accurate its functions are. All
/// of them give results within the operator table's bounds: `scalar` and `avx2` the exact one
/// (functions to 1 ULP), `avx2_fast` the fast one (4 ULP).
enum class Target { scalar, avx2, avx2_fast };
inline constexpr std::array kTargets = {Target::scalar, Target::avx2, Target::avx2_fast};

constexpr std::string_view to_text(Target target) {
  if (target == Target::scalar) return "scalar";
  return target == Target::avx2 ? "avx2" : "avx2_fast";
}

/// Every kernel processes whole vectors: it reads and writes up to kMaxLanes - 1 elements beyond
/// `rows`, and what it writes there means nothing. Every row goes through the same instructions
/// wherever it stands, so a row's result depends neither on its position nor on its neighbours.
/// `out` may be one of the inputs.
inline constexpr std::size_t kMaxLanes = 16;

/// out[r] = op(args[0][r], args[1][r], ...)
template <class T>
using ValueKernel = void (*)(const T* const* args, T* out, std::size_t rows);

/// out[r] = (or +=) adjoint[r] * (d op / d args[k])[r]; `value` holds op's own results. `out` is
/// none of the inputs of an accumulating kernel.
template <class T>
using PullbackKernel = void (*)(const T* const* args, const T* value, const T* adjoint, T* out,
                                std::size_t rows);

/// out[r] = a first or second partial of op.
template <class T>
using PartialKernel = void (*)(const T* const* args, const T* value, T* out, std::size_t rows);

/// A link of a chain: does its part on the value in registers and goes on to the next link. Which
/// function it is, its target alone knows.
using LinkKernel = void (*)();
/// The same link for many vectors at once, and for one.
struct LinkKernels {
  LinkKernel wide = nullptr;
  LinkKernel narrow = nullptr;
};
template <class T>
struct Link {
  LinkKernel wide = nullptr;
  LinkKernel narrow = nullptr;
  const T* in = nullptr;  ///< what it reads: a tile, or one number
  T* out = nullptr;       ///< what it writes
};

/// The loops of one operator. Entries of structurally zero partials are null.
template <class T>
struct OpKernels {
  ValueKernel<T> value = nullptr;
  std::array<PullbackKernel<T>, kMaxBuiltinArity> pullback{};      ///< assigns
  std::array<PullbackKernel<T>, kMaxBuiltinArity> pullback_add{};  ///< accumulates
  std::array<PartialKernel<T>, kMaxBuiltinArity> partial{};
  std::array<PartialKernel<T>, 6> second_partial{};  ///< packed_index order
  // Links, where is_cheap(op). v is the value in registers, x what the link reads.
  LinkKernels alone;         ///< v = op(v)
  LinkKernels left;          ///< v = op(v, x)
  LinkKernels right;         ///< v = op(x, v)
  LinkKernels left_number;   ///< the same where x is one number
  LinkKernels right_number;  ///< likewise
};

template <class T>
struct KernelTable {
  Target target = Target::scalar;
  std::size_t lanes = 1;  ///< elements of a vector
  std::array<OpKernels<T>, kOpCount> ops{};

  LinkKernels load;         ///< v = x
  LinkKernels load_number;  ///< likewise
  LinkKernels store;        ///< writes v
  LinkKernels check;  ///< notes in `out`, which must be run_chain's `spread`, if v is not finite
  LinkKernels sum;    ///< adds v to the kMaxLanes sums at `out`; `in` must be spread + kMaxLanes
  LinkKernels end;    ///< the last of every chain
  /// Runs a chain over the rows. Whether all that its check links met on the first `rows` was
  /// finite, exactly. `spread` is scratch of 2 * kMaxLanes elements.
  bool (*run_chain)(const Link<T>* links, T* spread, std::size_t rows) = nullptr;

  void (*fill)(T value, T* out, std::size_t rows) = nullptr;
  /// out[r] = x[r] * y[r]
  void (*scale)(const T* x, const T* y, T* out, std::size_t rows) = nullptr;
  /// out[r] += x[r] * y[r]
  void (*scale_add)(const T* x, const T* y, T* out, std::size_t rows) = nullptr;
  /// out[r] += x[r]
  void (*add)(const T* x, T* out, std::size_t rows) = nullptr;
  /// out[r] -= x[r]
  void (*subtract)(const T* x, T* out, std::size_t rows) = nullptr;
  /// out[r] = -x[r]
  void (*negate)(const T* x, T* out, std::size_t rows) = nullptr;
  /// out[r] = x[r] where mask[r] is not zero, else 0: what is left out does not count, infinite or
  /// NaN.
  void (*keep)(const T* mask, const T* x, T* out, std::size_t rows) = nullptr;
  /// Whether no element of the first `rows` is an infinity or NaN. Exact.
  bool (*all_finite)(const T* x, std::size_t rows) = nullptr;
  /// Sum of x[r] * y[r] over the first `rows`, in double, in an order fixed by `rows` alone.
  double (*dot)(const T* x, const T* y, std::size_t rows) = nullptr;
  /// out[r] = x[r] - y[r] on exactly `rows` rows; the sum of its squares, as dot adds them.
  double (*residuals)(const double* x, const double* y, double* out, std::size_t rows) = nullptr;
  /// The same sum, without writing the differences.
  double (*squared_distance)(const double* x, const double* y, std::size_t rows) = nullptr;
  /// sums[i * stride + j] += sum of columns[i][r] * columns[j][r] over the first `rows`, j <= i; in
  /// an order fixed by `rows` alone.
  void (*add_gram)(const double* const* columns, std::size_t count, std::size_t rows, double* sums,
                   std::size_t stride) = nullptr;
  /// The same for count + 2 columns, of which these are the last: the residual, that is, the sum
  /// of coefficients[i] * columns[i] over the first `combined` plus offset - target, and 1. The
  /// stride is count + 2. `columns` has room for one pointer more, `residual` for `rows` numbers:
  /// scratch, both.
  void (*residual_gram)(const double** columns, std::size_t count, std::size_t combined,
                        const double* coefficients, double offset, const double* target,
                        double* residual, std::size_t rows, double* sums) = nullptr;
};

/// The best exact target that this processor runs and this build holds: for numbers that people
/// read.
Target best_target();
/// The fastest one: for the inside of a search.
Target fast_target();
constexpr bool is_fast(Target target) { return target == Target::avx2_fast; }
/// Whether this processor runs, and this build holds, the target.
bool has_target(Target target);

/// Immutable. InternalError if !has_target(target). T is float or double.
template <class T>
const KernelTable<T>& kernel_table(Target target);

}  // namespace vieta::kernels
