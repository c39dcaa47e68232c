// shared_run: values of many formulas over the same rows, what they have in common computed once.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/aligned.h"
#include "eval/evaluate.h"
#include "program/lower.h"
#include "program/shared_programs.h"
#include "program/tile_code.h"

namespace vieta {

/// Keeps the scratch of one thread from call to call. Not shared between threads.
template <class T>
class SharedRun {
 public:
  /// Whether run() is likely to be faster than one formula after another: many rows, functions in
  /// the formulas and much in common, as far as can be told without lowering them. O(nodes).
  static bool is_worth_trying(std::span<const Expr> exprs, std::size_t rows,
                              const EvalOptions& options);

  /// What evaluate gives for each formula, the same bits (of a NaN, that it is one). False, and
  /// nothing is done, where a function is the caller's.
  bool run(std::span<const Expr> exprs, const ColumnsView<T>& columns,
           std::span<const double> parameters, const EvalOptions& options,
           std::span<Evaluation<T>> results);

 private:
  // A part, or what is left of a formula.
  struct Unit {
    TileCode code;
    std::vector<std::uint32_t> uses;
    std::vector<double> uniforms;
  };

  bool lower_all(std::span<const Expr> exprs, const EvalOptions& options);
  void prepare(std::size_t unit, std::span<const double> parameters);
  void place(const ColumnsView<T>& columns, std::size_t rows, bool row_mask);
  std::size_t run_unit(const Unit& unit, T* out, std::span<std::uint8_t> ok_rows,
                       const EvalOptions& options);
  std::span<std::uint8_t> part_ok_rows(std::size_t part);

  Lowering lowering_;
  std::vector<Program> programs_;
  ProgramSharer sharer_;
  PartProgram written_;
  TileCoder coder_;
  std::vector<Unit> units_;
  std::vector<Workspace<T>> workspaces_{1};
  // of the block of rows at hand
  ColumnsView<T> view_;
  std::size_t table_columns_ = 0;
  std::size_t first_ = 0;
  std::size_t stride_ = 0;  ///< between the results of two parts
  AlignedVector<T> parts_;
  std::vector<std::uint8_t> part_ok_;
  std::vector<std::size_t> first_bad_row_;  ///< of each part and all that it reads, in the block
};

}  // namespace vieta
