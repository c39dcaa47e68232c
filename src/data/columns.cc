#include "data/columns.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "base/number_text.h"
#include "data/utf8.h"

namespace vieta {
namespace {

std::size_t readable_floats(std::size_t rows) {
  return padded<float>(rows) + kAlignment / sizeof(float);
}

// C++ leaves the conversion of what is out of range undefined, so it must not be tried.
bool fits_float(double x) {
  return !(std::abs(x) > double{std::numeric_limits<float>::max()}) || std::isinf(x);
}

Result<AlignedVector<float>> to_float(const std::string& name, std::span<const double> values) {
  AlignedVector<float> rounded(readable_floats(values.size()));
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (!fits_float(values[row])) {
      return fail(ErrorCode::data,
                  fmt::format("column {}, value {} is {}, beyond the range of 32-bit numbers; "
                              "rescale the column, or compute in 64 bits",
                              in_quotes(name), row + 1, number_text(values[row])));
    }
    rounded[row] = static_cast<float>(values[row]);
  }
  return rounded;
}

}  // namespace

Result<ColumnsView<double>> view(const Table& table, std::span<const std::size_t> columns) {
  ColumnsView<double> seen{.pointers = {}, .rows = table.rows(), .readable = table.readable()};
  seen.pointers.reserve(columns.size());
  for (const std::size_t i : columns) {
    const auto values = table.numeric_column(i);
    if (!values) return std::unexpected(values.error());
    seen.pointers.push_back(values->data());
  }
  return seen;
}

Result<FloatColumns> FloatColumns::from(const Table& table, std::span<const std::size_t> columns) {
  FloatColumns made;
  made.rows_ = table.rows();
  made.columns_.reserve(columns.size());
  for (const std::size_t i : columns) {
    const auto values = table.numeric_column(i);
    if (!values) return std::unexpected(values.error());
    auto rounded = to_float(table.name(i), *values);
    if (!rounded) return std::unexpected(std::move(rounded.error()));
    made.columns_.push_back(std::move(*rounded));
  }
  return made;
}

ColumnsView<float> FloatColumns::view() const& {
  ColumnsView<float> seen{.pointers = {}, .rows = rows_, .readable = readable_floats(rows_)};
  seen.pointers.reserve(columns_.size());
  for (const auto& column : columns_) seen.pointers.push_back(column.data());
  return seen;
}

}  // namespace vieta
