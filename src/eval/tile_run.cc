#include "eval/tile_run.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.h"
#include "eval/hostile.h"
#include "ops/user_op.h"

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
}

template <class T>
void TileRun<T>::start(std::span<const double> uniforms) {
  VIETA_CHECK(code_ != nullptr && uniforms.size() == code_->uniforms);
  status_ = {};
  ok_tile_ = nullptr;
  tile_first_ = begin_;
  tile_size_ = 0;
  const std::size_t width = std::min(tile_rows_, std::max<std::size_t>(end_ - begin_, 1));
  for (std::size_t u = 0; u < uniforms.size(); ++u) {
    const std::size_t b = code_->first_uniform() + u;
    T* const place = workspace_.outputs()[b];
    *place = static_cast<T>(uniforms[u]);
    if (code_->tiled[b] != 0) table_.fill(*place, place, width);
  }
  std::fill_n(sums_, code_->sums * kernels::kMaxLanes, T{0});
  if (end_ > begin_) execute_once(width);
  uniforms_ok_ = status_.ok;
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
    execute(code_->after, 1, begin_);
    return false;
  }
  const std::size_t padded_rows = round_up(tile_size_, table_.lanes);
  place_variables(padded_rows);
  place_outputs(padded_rows);
  if (ok_rows_ != nullptr) {
    ok_tile_ = ok_rows_ + (tile_first_ - begin_);
    std::fill_n(ok_tile_, tile_size_, static_cast<std::uint8_t>(uniforms_ok_));
  }
  place_links();
  execute(code_->steps(), tile_size_, tile_first_);
  copy_out();
  return true;
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
  if (!staged_outputs_) return;
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
  for (std::size_t i = 0; i < kernels::kMaxLanes; ++i) total += parts[i];
  return total;
}

template <class T>
void TileRun<T>::execute(std::span<const Step> steps, std::size_t rows, std::size_t first_row) {
  const T* const* in = workspace_.inputs().data();
  T* const* out = workspace_.outputs().data();
  for (const Step& s : steps) {
    switch (s.kind) {
      case StepKind::value:
      case StepKind::partial:
      case StepKind::second_partial:
      case StepKind::pullback:
      case StepKind::pullback_add:
        execute_op(s, rows);
        break;
      case StepKind::one:
        table_.fill(T{1}, out[s.out], rows);
        break;
      case StepKind::zero:
        table_.fill(T{0}, out[s.out], rows);
        break;
      case StepKind::copy:
        std::copy_n(in[s.x], rows, out[s.out]);
        break;
      case StepKind::negate:
        table_.negate(in[s.x], out[s.out], rows);
        break;
      case StepKind::add:
        table_.add(in[s.x], out[s.out], rows);
        break;
      case StepKind::subtract:
        table_.subtract(in[s.x], out[s.out], rows);
        break;
      case StepKind::scale:
        table_.scale(in[s.x], in[s.y], out[s.out], rows);
        break;
      case StepKind::scale_add:
        table_.scale_add(in[s.x], in[s.y], out[s.out], rows);
        break;
      case StepKind::keep:
        table_.keep(in[s.y], in[s.x], out[s.out], rows);
        break;
      case StepKind::check:
        check(in[s.x], rows, first_row);
        break;
      case StepKind::sum:
        VIETA_CHECK(rows == 1);
        sums_[s.out * kernels::kMaxLanes] += *in[s.x];
        break;
      case StepKind::total:
        *out[s.out] = sum(s.x);
        break;
      case StepKind::chain:
        run_chain(s, rows, first_row);
        break;
    }
  }
}

template <class T>
void TileRun<T>::execute_op(const Step& s, std::size_t rows) {
  const T* const* in = workspace_.inputs().data();
  T* out = workspace_.outputs()[s.out];
  std::array<const T*, kMaxArity> args{};
  for (std::size_t k = 0; k < s.arity; ++k) args[k] = in[code_->args[s.first_arg + k]];
  if (!is_builtin(s.op)) {
    execute_function(s, args.data(), rows);
    return;
  }
  const kernels::OpKernels<T>& op = table_.ops[static_cast<std::size_t>(s.op)];
  switch (s.kind) {
    case StepKind::value:
      op.value(args.data(), out, rows);
      break;
    case StepKind::partial:
      op.partial[s.which](args.data(), in[s.y], out, rows);
      break;
    case StepKind::second_partial:
      op.second_partial[s.which](args.data(), in[s.y], out, rows);
      break;
    case StepKind::pullback:
      op.pullback[s.which](args.data(), in[s.y], in[s.x], out, rows);
      break;
    default:
      op.pullback_add[s.which](args.data(), in[s.y], in[s.x], out, rows);
      break;
  }
}

// A function knows values and partials; what is made of them are the kernels' products.
template <class T>
void TileRun<T>::execute_function(const Step& s, const T* const* args, std::size_t rows) {
  const OpFunction& function = *user_op(s.op).function;
  T* out = workspace_.outputs()[s.out];
  const int which = s.which;
  switch (s.kind) {
    case StepKind::value:
      function.value(args, out, rows);
      break;
    case StepKind::partial:
      function.partial(args, which, out, rows);
      break;
    case StepKind::second_partial: {
      int k = 0;
      while (packed_index(s.arity, k, s.arity - 1) < which) ++k;
      function.second_partial(args, k, which - packed_index(s.arity, k, k) + k, out, rows);
      break;
    }
    case StepKind::pullback:
      function.partial(args, which, out, rows);
      table_.scale(workspace_.inputs()[s.x], out, out, rows);
      break;
    default: {
      T* partial = workspace_.partial(rows + kernels::kMaxLanes);
      function.partial(args, which, partial, rows);
      table_.scale_add(workspace_.inputs()[s.x], partial, out, rows);
      break;
    }
  }
}

template <class T>
void TileRun<T>::run_chain(const Step& s, std::size_t rows, std::size_t first_row) {
  if (table_.run_chain(workspace_.links().data() + s.first_arg, workspace_.spread(), rows)) return;
  for (std::size_t l = s.first_arg; code_->links[l].kind != ChainLink::Kind::end; ++l) {
    if (code_->links[l].kind == ChainLink::Kind::check)
      check(workspace_.inputs()[code_->links[l].x], rows, first_row);
  }
}

template <class T>
inline kernels::LinkKernels TileRun<T>::kernel_of(const ChainLink& link) const {
  const kernels::OpKernels<T>& op = table_.ops[static_cast<std::size_t>(link.op)];
  const bool number =
      link.literal || (link.x >= code_->first_uniform() && link.x < code_->first_output());
  switch (link.kind) {
    case ChainLink::Kind::load:
      return number ? table_.load_number : table_.load;
    case ChainLink::Kind::store:
      return table_.store;
    case ChainLink::Kind::check:
      return table_.check;
    case ChainLink::Kind::sum:
      return table_.sum;
    case ChainLink::Kind::alone:
      return op.alone;
    case ChainLink::Kind::left:
      return number ? op.left_number : op.left;
    case ChainLink::Kind::right:
      return number ? op.right_number : op.right;
    case ChainLink::Kind::end:
      break;
  }
  return table_.end;
}

template <class T>
void TileRun<T>::make_links() {
  const std::size_t count = code_->links.size();
  workspace_.literals().assign(code_->literals.begin(), code_->literals.end());
  workspace_.links().resize(count);
  const ChainLink* from = code_->links.data();
  kernels::Link<T>* to = workspace_.links().data();
  const T* literals = workspace_.literals().data();
  T* spread = workspace_.spread();
  workspace_.moving_links().clear();
  for (std::size_t l = 0; l < count; ++l) {
    const kernels::LinkKernels kernel = kernel_of(from[l]);
    to[l] = {kernel.wide, kernel.narrow, from[l].literal ? literals + from[l].x : nullptr, spread};
    if (from[l].kind == ChainLink::Kind::sum) {
      to[l].in = spread + kernels::kMaxLanes;
      to[l].out = sums_ + from[l].x * kernels::kMaxLanes;
    }
    if (!from[l].has_buffer()) continue;
    place_link(l);
    const bool is_column = from[l].x < code_->first_uniform();
    const bool is_output = from[l].x - code_->first_output() < code_->outputs;
    if (is_column || is_output) workspace_.moving_links().push_back(static_cast<std::uint32_t>(l));
  }
}

template <class T>
inline void TileRun<T>::place_link(std::size_t l) {
  const ChainLink& from = code_->links[l];
  kernels::Link<T>& to = workspace_.links()[l];
  to.in = workspace_.inputs()[from.x];
  if (from.kind == ChainLink::Kind::store) to.out = workspace_.outputs()[from.x];
}

template <class T>
void TileRun<T>::place_links() {
  for (const std::uint32_t l : workspace_.moving_links()) place_link(l);
}

template <class T>
void TileRun<T>::check(const T* x, std::size_t rows, std::size_t first_row) {
  if (table_.all_finite(x, rows)) return;
  const auto bad = static_cast<std::size_t>(
      std::find_if(x, x + rows, [](T value) { return !std::isfinite(value); }) - x);
  status_.ok = false;
  status_.first_bad_row = std::min(status_.first_bad_row, first_row + bad);
  if (ok_tile_ != nullptr) mark_bad_rows(x, rows);
}

template <class T>
void TileRun<T>::mark_bad_rows(const T* x, std::size_t rows) {
  for (std::size_t r = 0; r < rows; ++r) {
    ok_tile_[r] = static_cast<std::uint8_t>(ok_tile_[r] & (std::isfinite(x[r]) ? 1U : 0U));
  }
}

template std::size_t tile_rows<double>(std::size_t, std::size_t);
template std::size_t tile_rows<float>(std::size_t, std::size_t);
template class TileRun<double>;
template class TileRun<float>;

}  // namespace vieta
