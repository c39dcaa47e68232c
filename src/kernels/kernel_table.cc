#include "kernels/kernel_table.h"

#include "base/check.h"
#include "kernels/targets.h"

namespace vieta::kernels {
namespace {

bool processor_runs_avx2() {
#if defined(VIETA_HAS_AVX2)
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
#else
  return false;
#endif
}

void fill_for(Target target, KernelTable<double>& table) {
#if defined(VIETA_HAS_AVX2)
  if (target == Target::avx2) return avx2::fill_double(table);
#endif
#if defined(VIETA_HAS_LIBMVEC)
  if (target == Target::avx2_fast) return avx2_fast::fill_double(table);
#endif
  VIETA_CHECK(target == Target::scalar);
  scalar::fill_double(table);
}

void fill_for(Target target, KernelTable<float>& table) {
#if defined(VIETA_HAS_AVX2)
  if (target == Target::avx2) return avx2::fill_float(table);
#endif
#if defined(VIETA_HAS_LIBMVEC)
  if (target == Target::avx2_fast) return avx2_fast::fill_float(table);
#endif
  VIETA_CHECK(target == Target::scalar);
  scalar::fill_float(table);
}

template <class T>
KernelTable<T> make_table(Target target) {
  KernelTable<T> table;
  table.target = target;
  if (has_target(target)) fill_for(target, table);
  return table;
}

}  // namespace

bool has_target(Target target) {
  switch (target) {
    case Target::scalar:
      return true;
    case Target::avx2:
      return processor_runs_avx2();
    case Target::avx2_fast:
#if defined(VIETA_HAS_LIBMVEC)
      return processor_runs_avx2();
#else
      return false;
#endif
  }
  return false;
}

Target best_target() { return has_target(Target::avx2) ? Target::avx2 : Target::scalar; }

Target fast_target() { return has_target(Target::avx2_fast) ? Target::avx2_fast : best_target(); }

template <class T>
const KernelTable<T>& kernel_table(Target target) {
  static const std::array<KernelTable<T>, kTargets.size()> tables = {
      make_table<T>(Target::scalar), make_table<T>(Target::avx2), make_table<T>(Target::avx2_fast)};
  VIETA_CHECK(has_target(target));
  return tables[static_cast<std::size_t>(target)];
}

template const KernelTable<double>& kernel_table<double>(Target);
template const KernelTable<float>& kernel_table<float>(Target);

}  // namespace vieta::kernels
