// columns: chosen columns as an evaluator reads them, a pointer each.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/aligned.h"
#include "base/result.h"
#include "data/table.h"

namespace vieta {

/// Columns that somebody else owns; a view of a caller's own arrays sets readable = rows.
template <class T>
struct ColumnsView {
  std::vector<const T*> pointers;  ///< one a column
  std::size_t rows = 0;            ///< values in each column
  std::size_t readable = 0;        ///< >= rows: elements that may be read from each pointer

  std::size_t columns() const { return pointers.size(); }
};

/// These columns of the table, in this order; each index is below table.columns(). Valid as long as
/// the table's columns are. Errors: that of the first column that is not numeric. Copies no values.
Result<ColumnsView<double>> view(const Table& table, std::span<const std::size_t> columns);
Result<ColumnsView<double>> view(const Table&&, std::span<const std::size_t>) = delete;

/// Columns rounded to float, aligned and padded with zeros as a table's are.
class FloatColumns {
 public:
  /// Errors: as view's; also (data) a finite value beyond the range of float, with column and row.
  /// What is too small for float becomes a subnormal or zero; NaN and infinities stay.
  static Result<FloatColumns> from(const Table& table, std::span<const std::size_t> columns);

  /// Valid as long as this object lives; moving it keeps the view valid.
  ColumnsView<float> view() const&;
  ColumnsView<float> view() const&& = delete;

 private:
  std::vector<AlignedVector<float>> columns_;
  std::size_t rows_ = 0;
};

}  // namespace vieta
