#include "base/polygamma.h"
#include "kernels/lanes_scalar.h"
#include "kernels/targets.h"

namespace vieta::kernels::scalar {
namespace {
#include "kernels/loops.inc"
}  // namespace

void fill_double(KernelTable<double>& table) { fill_table(table); }

}  // namespace vieta::kernels::scalar
