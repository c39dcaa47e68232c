#include "eval/tile_run.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "base/check.h"
#include "eval/hostile.h"

namespace vieta {
namespace {

// What a tile may take of a first-level cache of 32 KiB, the columns it reads included.
constexpr std::size_t kTileBytes = 24U * 1024U;
constexpr std::size_t kMinRows = 64;
constexpr std::size_t kMaxRows = 1024;
constexpr std::size_t kRowStep = 16;
// What chains take at once, of float, and twice that of double.
constexpr std::size_t kStripStep = 64;

std::size_t round_up(std::size_t n, std::size_t step) { return (n + step - 1) / step * step; }

}  // namespace

template <class T>
std::size_t tile_rows(std::size_t buffers, std::size_t rows) {
  if (const std::size_t asked = hostile_tile_rows(); asked > 0) return asked;
  const std::size_t fit = kTileBytes / (sizeof(T) * std::max<std::size_t>(buffers, 1));
  const std::size_t wanted = std::clamp(fit / kStripStep * kStripStep, kMinRows, kMaxRows);
  return std::min(wanted, round_up(std::max<std::size_t>(rows, 1), kRowStep));
}

template <class T>
void TileRun<T>::bind(const TileCode& code, const ColumnsView<T>& columns, std::size_t first_row,
                      std::size_t rows) {
  VIETA_CHECK(first_row + rows <= columns.rows);
  code_ = &code;
  columns_ = &columns;
  begin_ = first_row;
  end_ = first_row + rows;
  tile_rows_ = tile_rows<T>(code.tiles, rows);
  // Whole vectors may be written beyond the last row. One more cache line keeps the buffers from
  // starting at the same place of every page, where the cache has few places for them.
  stride_ = round_up(tile_rows_ + kernels::kMaxLanes, kRowStep) + kAlignment / sizeof(T);
  memory_ = workspace_.tiles(code.buffers, stride_);
  workspace_.destinations().assign(code.outputs, nullptr);
  ok_rows_ = nullptr;
  filled_ = false;
  placed_ = false;
  sums_ = workspace_.sums(code.sums);
  if (!workspace_.is_ready({code.stamp, table_.target, stride_, memory_, sums_})) make_ready();
}

// Where buffers are, and links. Columns and outputs are put in their places tile by tile.
template <class T>
void TileRun<T>::make_ready() {
  workspace_.inputs().resize(code_->buffers);
  workspace_.outputs().resize(code_->buffers);
  for (std::size_t b = 0; b < code_->buffers; ++b) {
    workspace_.outputs()[b] = memory_ + b * stride_;
    workspace_.inputs()[b] = memory_ + b * stride_;
  }
  make_links();
}

template <class T>
void TileRun<T>::direct_output(std::size_t index, T* destination) {
  VIETA_CHECK(index < workspace_.destinations().size());
  workspace_.destinations()[index] = destination;
  placed_ = false;
}

template <class T>
void TileRun<T>::start(std::span<const double> uniforms) {
  VIETA_CHECK(code_ != nullptr && uniforms.size() == code_->uniforms);
  status_ = {};
  ok_tile_ = nullptr;
  tile_first_ = begin_;
  tile_size_ = 0;
  const std::size_t width = std::min(tile_rows_, std::max<std::size_t>(end_ - begin_, 1));
  fill_uniforms(uniforms, width);
  if (code_->sums > 0) std::fill_n(sums_, code_->sums * kernels::kMaxLanes, T{0});
  if (end_ > begin_) execute_once(width);
  uniforms_ok_ = status_.ok;
}

template <class T>
void TileRun<T>::fill_uniforms(std::span<const double> uniforms, std::size_t width) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const BufferId first = code_->first_uniform();
  const std::uint8_t* tiled = code_->tiled.data() + first;
  T* const* places = workspace_.outputs().data() + first;
  for (std::size_t u = 0; u < uniforms.size(); ++u) {
    const T value = static_cast<T>(uniforms[u]);
    if (tiled[u] == 0) {
      *places[u] = value;
    } else if (!filled_ || std::bit_cast<Bits>(*places[u]) != std::bit_cast<Bits>(value)) {
      table_.fill(value, places[u], width);
    }
  }
  filled_ = true;
}

// What only chains read is one number, and every row of the others is like the first.
template <class T>
void TileRun<T>::execute_once(std::size_t width) {
  for (const Step& s : code_->once) {
    if (s.kind == StepKind::check) {
      if (!std::isfinite(workspace_.inputs()[s.x][0])) check(workspace_.inputs()[s.x], 1, begin_);
    } else {
      execute({&s, 1}, code_->tiled[s.out] != 0 ? width : 1, begin_);
    }
  }
}

template <class T>
bool TileRun<T>::next() {
  tile_first_ += tile_size_;
  tile_size_ = std::min(tile_rows_, end_ - tile_first_);
  if (tile_size_ == 0) {
    if (!code_->after.empty()) execute(code_->after, 1, begin_);
    return false;
  }
  if (!placed_) place();
  if (ok_rows_ != nullptr) {
    ok_tile_ = ok_rows_ + (tile_first_ - begin_);
    std::fill_n(ok_tile_, tile_size_, static_cast<std::uint8_t>(uniforms_ok_));
  }
  execute(code_->steps(), tile_size_, tile_first_);
  if (staged_outputs_) copy_out();
  return true;
}

template <class T>
void TileRun<T>::place() {
  // Lanes are a power of two.
  const std::size_t padded_rows = (tile_size_ + table_.lanes - 1) & ~(table_.lanes - 1);
  place_variables(padded_rows);
  place_outputs(padded_rows);
  place_links();
  placed_ = tile_size_ == end_ - begin_;
}

// Columns are read where they are, unless whole vectors would reach beyond their memory.
template <class T>
void TileRun<T>::place_variables(std::size_t padded_rows) {
  const bool stage = tile_first_ + padded_rows > columns_->readable;
  for (std::size_t v = 0; v < code_->variables.size(); ++v) {
    const T* column = columns_->pointers[code_->variables[v]] + tile_first_;
    if (stage) {
      T* tile = memory_ + v * stride_;
      std::copy_n(column, tile_size_, tile);
      std::fill(tile + tile_size_, tile + padded_rows, T{0});
      column = tile;
    }
    workspace_.inputs()[v] = column;
  }
}

template <class T>
void TileRun<T>::place_outputs(std::size_t padded_rows) {
  staged_outputs_ = tile_first_ + padded_rows > end_;
  for (std::size_t j = 0; j < code_->outputs; ++j) {
    const std::size_t b = code_->first_output() + j;
    T* place = memory_ + b * stride_;
    if (workspace_.destinations()[j] != nullptr && !staged_outputs_)
      place = workspace_.destinations()[j] + (tile_first_ - begin_);
    workspace_.outputs()[b] = place;
    workspace_.inputs()[b] = place;
  }
}

template <class T>
void TileRun<T>::copy_out() {
  for (std::size_t j = 0; j < code_->outputs; ++j) {
    if (workspace_.destinations()[j] != nullptr)
      std::copy_n(output(j), tile_size_, workspace_.destinations()[j] + (tile_first_ - begin_));
  }
}

template <class T>
const T* TileRun<T>::output(std::size_t index) const {
  return workspace_.inputs()[code_->first_output() + index];
}

template <class T>
T TileRun<T>::sum(std::size_t index) const {
  const T* parts = sums_ + index * kernels::kMaxLanes;
  T total = 0;
  for (std::size_t i = 0; i < table_.lanes; ++i) total += parts[i];
  return total;
}

template std::size_t tile_rows<double>(std::size_t, std::size_t);
template std::size_t tile_rows<float>(std::size_t, std::size_t);
template class TileRun<double>;
template class TileRun<float>;

}  // namespace vieta
