#define VIETA_TARGET_NAMESPACE avx2_fast
#define VIETA_FAST 1
#include "base/polygamma.h"
#include "kernels/lanes_avx2.h"
#include "kernels/targets.h"

namespace vieta::kernels::avx2_fast {
namespace {
#include "kernels/loops.inc"
}  // namespace

void fill_float(KernelTable<float>& table) { fill_table(table); }

}  // namespace vieta::kernels::avx2_fast
