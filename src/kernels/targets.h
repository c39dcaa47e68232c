// targets: how the compiled targets hand their loops to the table. Internal to the room.
#pragma once

#include "kernels/kernel_table.h"

namespace vieta::kernels {

namespace scalar {
void fill_double(KernelTable<double>& table);
void fill_float(KernelTable<float>& table);
}  // namespace scalar

namespace avx2 {
void fill_double(KernelTable<double>& table);
void fill_float(KernelTable<float>& table);
}  // namespace avx2

namespace avx2_fast {
void fill_double(KernelTable<double>& table);
void fill_float(KernelTable<float>& table);
}  // namespace avx2_fast

}  // namespace vieta::kernels
