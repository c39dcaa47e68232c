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

template <class T>
KernelTable<T> make_table(Target target, void (*fill_table)(KernelTable<T>&)) {
  KernelTable<T> table;
  table.target = target;
  fill_table(table);
  return table;
}

template <class T>
struct Filler;
template <>
struct Filler<double> {
  static constexpr auto scalar = scalar::fill_double;
#if defined(VIETA_HAS_AVX2)
  static constexpr auto avx2 = avx2::fill_double;
#else
  static constexpr auto avx2 = scalar;
#endif
};
template <>
struct Filler<float> {
  static constexpr auto scalar = scalar::fill_float;
#if defined(VIETA_HAS_AVX2)
  static constexpr auto avx2 = avx2::fill_float;
#else
  static constexpr auto avx2 = scalar;
#endif
};

}  // namespace

bool has_target(Target target) { return target == Target::scalar || processor_runs_avx2(); }

Target best_target() { return processor_runs_avx2() ? Target::avx2 : Target::scalar; }

template <class T>
const KernelTable<T>& kernel_table(Target target) {
  VIETA_CHECK(has_target(target));
  static const KernelTable<T> scalar_table = make_table<T>(Target::scalar, Filler<T>::scalar);
  if (target == Target::scalar) return scalar_table;
  static const KernelTable<T> avx2_table = make_table<T>(Target::avx2, Filler<T>::avx2);
  return avx2_table;
}

template const KernelTable<double>& kernel_table<double>(Target);
template const KernelTable<float>& kernel_table<float>(Target);

}  // namespace vieta::kernels
