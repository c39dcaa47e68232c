// tile_run: runs tile code over the rows of a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/columns.h"
#include "eval/workspace.h"
#include "kernels/kernel_table.h"
#include "program/tile_code.h"

namespace vieta {

/// Whether every operator result, and every variable, constant and parameter used, was finite on
/// every row.
struct EvalStatus {
  static constexpr std::size_t kNone = ~std::size_t{0};
  bool ok = true;
  std::size_t first_bad_row = kNone;  ///< from 0
};

/// Rows of a tile for code with this many buffers: they all fit into the first-level cache
/// together.
template <class T>
std::size_t tile_rows(std::size_t buffers, std::size_t rows);

/// One pass after another of the same code over the same rows, the uniforms changing in between:
///   TileRun<double> run(table, workspace);
///   run.bind(code, columns);
///   run.start(uniforms);
///   while (run.next()) { run.rows(), run.output(0), ... }
///   run.status()
/// Allocates in bind() only, and there only what the workspace lacks. The code, the columns and the
/// workspace must outlive the run. Not shared between threads.
template <class T>
class TileRun {
 public:
  TileRun(const kernels::KernelTable<T>& table, Workspace<T>& workspace)
      : table_(table), workspace_(workspace) {}

  /// Rows [first_row, first_row + rows) of the columns; `columns.pointers` is indexed by
  /// TileCode::variables.
  void bind(const TileCode& code, const ColumnsView<T>& columns, std::size_t first_row,
            std::size_t rows);
  void bind(const TileCode& code, const ColumnsView<T>& columns) {
    bind(code, columns, 0, columns.rows);
  }

  /// Writes output `index` straight to memory: rows bound elements, the first one for first_row.
  void direct_output(std::size_t index, T* destination);

  /// Writes for every row whether it is ok, 1 or 0: rows bound elements, the first one for
  /// first_row. Until the next bind(); null: not asked for.
  void direct_ok_rows(std::uint8_t* destination) { ok_rows_ = destination; }

  /// Sets the uniforms (Program::uniforms() of them, rounded to T) and goes to the first tile.
  void start(std::span<const double> uniforms);

  /// Computes the next tile; false when all rows are done.
  bool next();

  std::size_t rows() const { return tile_size_; }        ///< rows of the current tile
  std::size_t first_row() const { return tile_first_; }  ///< of the current tile
  /// Output `index` of the current tile: 0 is the value, then the derivative columns.
  const T* output(std::size_t index) const;

  /// When all rows are done: sum `index` of code that sums its outputs.
  T sum(std::size_t index) const;

  /// Any buffer of the current tile.
  const T* buffer(BufferId id) const { return workspace_.inputs()[id]; }

  const EvalStatus& status() const { return status_; }

 private:
  void execute(std::span<const Step> steps, std::size_t rows, std::size_t first_row);
  void execute_op(const Step& step, std::size_t rows);
  void execute_function(const Step& step, const T* const* args, std::size_t rows);
  void check(const T* x, std::size_t rows, std::size_t first_row);
  void mark_bad_rows(const T* x, std::size_t rows);
  void fill_uniforms(std::span<const double> uniforms, std::size_t width);
  void execute_once(std::size_t width);
  void run_chain(const Step& step, std::size_t rows, std::size_t first_row);
  void make_ready();
  void make_links();
  kernels::LinkKernels kernel_of(const ChainLink& link) const;
  void place();
  void place_links();
  void place_link(std::size_t l);
  void place_variables(std::size_t padded_rows);
  void place_outputs(std::size_t padded_rows);
  void copy_out();

  const kernels::KernelTable<T>& table_;
  Workspace<T>& workspace_;
  const TileCode* code_ = nullptr;
  const ColumnsView<T>* columns_ = nullptr;
  T* memory_ = nullptr;
  T* sums_ = nullptr;
  std::size_t stride_ = 0;
  std::size_t tile_rows_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t tile_first_ = 0;
  std::size_t tile_size_ = 0;
  bool staged_outputs_ = false;
  bool filled_ = false;  ///< tiles of uniforms hold what their first elements tell
  bool placed_ = false;  ///< all rows are one tile, and everything is where it belongs
  std::uint8_t* ok_rows_ = nullptr;
  std::uint8_t* ok_tile_ = nullptr;  ///< of the current tile; null too while uniforms are checked
  bool uniforms_ok_ = true;
  EvalStatus status_;
};

}  // namespace vieta
