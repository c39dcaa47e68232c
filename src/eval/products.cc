#include "eval/products.h"

#include <algorithm>

#include "base/check.h"
#include "program/lower.h"

namespace vieta {
namespace {

// Rows that one piece of work takes: of fixed size, so that sums over pieces do not depend on the
// threads.
constexpr std::size_t kPieceRows = 16384;

/// A formula's tile code, and everything that a pass over its rows needs.
template <class T>
class Pass {
 public:
  Pass(const Expr& expr, const ColumnsView<T>& columns, std::span<const double> parameters,
       std::span<const Leaf> leaves, const EvalOptions& options)
      : columns_(columns),
        options_(options),
        program_(lower(
            expr, {.tunable = std::ranges::any_of(
                       leaves, [](const Leaf& leaf) { return leaf.kind == Leaf::Kind::constant; }),
                   .stable_composites = options.stable_composites})),
        uniforms_(uniforms_of(program_, parameters)) {
    VIETA_CHECK(columns.pointers.size() == expr.symbols().variables.size());
    for (const Leaf& leaf : leaves) leaves_.push_back(operand_of(program_, leaf));
  }

  void code_gradient() { TileCoder().gradient(program_, leaves_, code_); }
  void code_hessian_product(std::span<const double> direction) {
    std::vector<std::uint8_t> moves;
    for (const double d : direction) moves.push_back(d != 0 ? 1 : 0);
    TileCoder().hessian_product(program_, leaves_, moves, code_);
    uniforms_.insert(uniforms_.end(), direction.begin(), direction.end());
  }

  std::size_t pieces() const { return (columns_.rows + kPieceRows - 1) / kPieceRows; }

  // Calls take(piece, run) for every tile.
  template <class Take>
  EvalStatus for_each_tile(std::vector<std::uint8_t>& ok_rows, Take take) {
    if (options_.row_mask) ok_rows.resize(columns_.rows);
    const std::size_t threads = options_.pool == nullptr ? 1 : options_.pool->threads();
    std::vector<Workspace<T>> workspaces(threads);
    std::vector<EvalStatus> status(pieces());
    const auto work = [&](std::size_t piece, std::size_t thread) {
      TileRun<T> run(kernels::kernel_table<T>(options_.target), workspaces[thread]);
      const std::size_t first = piece * kPieceRows;
      run.bind(code_, columns_, first, std::min(kPieceRows, columns_.rows - first));
      if (options_.row_mask) run.direct_ok_rows(ok_rows.data() + first);
      run.start(uniforms_);
      while (run.next()) take(piece, run);
      status[piece] = run.status();
    };
    if (options_.pool == nullptr) {
      for (std::size_t piece = 0; piece < pieces(); ++piece) work(piece, 0);
    } else {
      options_.pool->run(pieces(), work);
    }
    EvalStatus all;
    for (const EvalStatus& s : status) {
      all.ok = all.ok && s.ok;
      all.first_bad_row = std::min(all.first_bad_row, s.first_bad_row);
    }
    return all;
  }

 private:
  const ColumnsView<T>& columns_;
  const EvalOptions& options_;
  Program program_;
  std::vector<double> uniforms_;
  std::vector<Operand> leaves_;
  TileCode code_;
};

template <class T>
void add_scaled(const T* x, double by, std::size_t rows, T* out) {
  if (by == 0) return;
  for (std::size_t r = 0; r < rows; ++r) out[r] += x[r] * static_cast<T>(by);
}

}  // namespace

template <class T>
Tangents<T> jvp(const Expr& expr, const ColumnsView<T>& columns, std::span<const double> parameters,
                std::span<const Leaf> leaves, std::span<const double> direction,
                const EvalOptions& options) {
  VIETA_CHECK(direction.size() == leaves.size());
  Pass<T> pass(expr, columns, parameters, leaves, options);
  pass.code_gradient();
  Tangents<T> result;
  result.values.resize(columns.rows);
  result.tangents.assign(columns.rows, T{0});
  result.status = pass.for_each_tile(result.ok_rows, [&](std::size_t, const TileRun<T>& run) {
    std::copy_n(run.output(0), run.rows(), result.values.data() + run.first_row());
    T* out = result.tangents.data() + run.first_row();
    for (std::size_t j = 0; j < leaves.size(); ++j)
      add_scaled(run.output(1 + j), direction[j], run.rows(), out);
  });
  return result;
}

template <class T>
Adjoints<T> vjp(const Expr& expr, const ColumnsView<T>& columns, std::span<const double> parameters,
                std::span<const Leaf> leaves, std::span<const T> weights,
                const EvalOptions& options) {
  VIETA_CHECK(weights.size() == columns.rows);
  Pass<T> pass(expr, columns, parameters, leaves, options);
  pass.code_gradient();
  const std::size_t n = leaves.size();
  std::vector<double> sums(pass.pieces() * n, 0.0);
  Adjoints<T> result;
  result.values.resize(columns.rows);
  result.status = pass.for_each_tile(result.ok_rows, [&](std::size_t piece, const TileRun<T>& run) {
    std::copy_n(run.output(0), run.rows(), result.values.data() + run.first_row());
    const T* weight = weights.data() + run.first_row();
    for (std::size_t j = 0; j < n; ++j) {
      const T* slope = run.output(1 + j);
      double sum = 0;
      for (std::size_t r = 0; r < run.rows(); ++r) {
        if (weight[r] != 0) sum += static_cast<double>(weight[r]) * static_cast<double>(slope[r]);
      }
      sums[piece * n + j] += sum;
    }
  });
  result.adjoints.assign(n, 0.0);
  for (std::size_t i = 0; i < sums.size(); ++i) result.adjoints[i % n] += sums[i];
  return result;
}

template <class T>
HessianProducts<T> hvp(const Expr& expr, const ColumnsView<T>& columns,
                       std::span<const double> parameters, std::span<const Leaf> leaves,
                       std::span<const double> direction, const EvalOptions& options) {
  VIETA_CHECK(direction.size() == leaves.size());
  Pass<T> pass(expr, columns, parameters, leaves, options);
  pass.code_hessian_product(direction);
  const std::size_t n = leaves.size();
  HessianProducts<T> result;
  result.rows = columns.rows;
  result.values.resize(columns.rows);
  result.products.resize(columns.rows * n);
  result.status = pass.for_each_tile(result.ok_rows, [&](std::size_t, const TileRun<T>& run) {
    std::copy_n(run.output(0), run.rows(), result.values.data() + run.first_row());
    for (std::size_t j = 0; j < n; ++j) {
      std::copy_n(run.output(1 + n + j), run.rows(),
                  result.products.data() + j * columns.rows + run.first_row());
    }
  });
  return result;
}

#define VIETA_INSTANTIATE(T)                                                                       \
  template Tangents<T> jvp<T>(const Expr&, const ColumnsView<T>&, std::span<const double>,         \
                              std::span<const Leaf>, std::span<const double>, const EvalOptions&); \
  template Adjoints<T> vjp<T>(const Expr&, const ColumnsView<T>&, std::span<const double>,         \
                              std::span<const Leaf>, std::span<const T>, const EvalOptions&);      \
  template HessianProducts<T> hvp<T>(const Expr&, const ColumnsView<T>&, std::span<const double>,  \
                                     std::span<const Leaf>, std::span<const double>,               \
                                     const EvalOptions&);
VIETA_INSTANTIATE(double)
VIETA_INSTANTIATE(float)
#undef VIETA_INSTANTIATE

}  // namespace vieta
