// evaluate: a program over all rows: values and exact derivatives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "base/task_pool.h"
#include "data/columns.h"
#include "data/table.h"
#include "eval/tile_run.h"
#include "expr/diff.h"
#include "expr/expr.h"
#include "kernels/kernel_table.h"
#include "program/program.h"

namespace vieta {

struct EvalOptions {
  kernels::Target target = kernels::best_target();
  /// Stop at the first tile with a value that is not finite; rows not computed are NaN.
  bool early_exit = false;
  /// Tell of every row whether it is ok: `ok_rows` of the result.
  bool row_mask = false;
  /// As LowerOptions::stable_composites.
  bool stable_composites = true;
  /// Constants may be set anew (PreparedFormula::set_constants), as where they are differentiated
  /// by: none of them is a composite's 1 then.
  bool tunable_constants = false;
  /// Shares the rows out; null: one thread. Results do not depend on it.
  TaskPool* pool = nullptr;
};

/// Values and derivatives, each column contiguous, `rows` long. Reading is by row, then output.
template <class T>
struct Evaluation {
  std::size_t rows = 0;
  std::size_t leaves = 0;
  std::vector<T> values;
  std::vector<T> gradient;  ///< column j is d value / d leaf j; empty unless asked for
  std::vector<T> hessian;   ///< packed upper triangle of leaves x leaves; empty unless asked for
  EvalStatus status;
  /// With EvalOptions::row_mask, `rows` long: 1 where every operator result, and every variable,
  /// constant and parameter used, is finite, else 0; 0 too on rows that an early exit left out.
  /// status.ok if and only if all are 1; status.first_bad_row is the first 0.
  std::vector<std::uint8_t> ok_rows;

  std::span<const T> gradient_column(std::size_t j) const {
    return {gradient.data() + j * rows, rows};
  }
  /// i <= j
  std::span<const T> hessian_column(std::size_t i, std::size_t j) const {
    return {hessian.data() + (i * leaves - i * (i - 1) / 2 + (j - i)) * rows, rows};
  }
};

/// The lowest level: runs finished code into caller-owned memory. `outputs` holds code.outputs
/// pointers, each to columns.rows elements; `ok_rows` as Evaluation's, empty if it is not wanted
/// (options.row_mask does not count here). InternalError on wrong sizes. One workspace per thread
/// of the pool (one without). No allocation once the workspaces have grown.
template <class T>
EvalStatus run_code(const TileCode& code, const ColumnsView<T>& columns,
                    std::span<const double> uniforms, std::span<T* const> outputs,
                    std::span<Workspace<T>> workspaces, const EvalOptions& options = {},
                    std::span<std::uint8_t> ok_rows = {});

/// Value (order 0), gradient too (1), or Hessian too (2) of a formula with respect to `leaves`.
/// `columns` are the formula's variables in order; `parameters` their values. InternalError on a
/// wrong number of either. Cost: order 1 a small multiple of the value whatever the number of
/// leaves; order 2 that times leaves.
template <class T>
Evaluation<T> evaluate(const Expr& expr, const ColumnsView<T>& columns,
                       std::span<const double> parameters, std::span<const Leaf> leaves, int order,
                       const EvalOptions& options = {});

/// Default uniforms of a program: the parameters given, then its constants.
std::vector<double> uniforms_of(const Program& program, std::span<const double> parameters);

/// The operand a leaf became in a program lowered with tunable constants.
Operand operand_of(const Program& program, const Leaf& leaf);

}  // namespace vieta
