// What each step of a tile does, but for chains.

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.h"
#include "eval/tile_run.h"
#include "ops/user_op.h"

namespace vieta {

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

template void TileRun<double>::execute(std::span<const Step>, std::size_t, std::size_t);
template void TileRun<float>::execute(std::span<const Step>, std::size_t, std::size_t);
template void TileRun<double>::check(const double*, std::size_t, std::size_t);
template void TileRun<float>::check(const float*, std::size_t, std::size_t);

}  // namespace vieta
