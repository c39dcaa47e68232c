// loops: the suite's formulas as hand-written loops (see generate_loops.cc).
#pragma once

#include <cstddef>

namespace vieta::bench {

template <class T>
using Loop = void (*)(const T* const* x, T* out, std::size_t rows);

/// One loop for every formula of make_suite() and then of make_loss_suite(), in their order.
template <class T>
const Loop<T>* loops();
template <>
const Loop<double>* loops<double>();
template <>
const Loop<float>* loops<float>();

}  // namespace vieta::bench
