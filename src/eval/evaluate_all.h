// evaluate_all: many formulas over the same rows in one call.
#pragma once

#include <span>
#include <vector>

#include "eval/evaluate.h"

namespace vieta {

/// What evaluate gives for each formula, the same bits (of a NaN, that it is one); a formula that
/// is not ok disturbs no other. All formulas have the same number of variables and parameters.
/// `leaves` holds one list a formula, or is empty: none for any. `options.pool` shares out the
/// formulas, or the rows of each where the formulas are few; the results do not depend on it.
/// InternalError as evaluate, and on a wrong number of lists; what one formula's operators throw is
/// thrown. One thread's scratch is kept from formula to formula. Of values alone, what several
/// formulas have in common is computed once where that pays: the same operator of the same
/// arguments, numbers by their bits.
template <class T>
std::vector<Evaluation<T>> evaluate_all(std::span<const Expr> exprs, const ColumnsView<T>& columns,
                                        std::span<const double> parameters,
                                        std::span<const std::vector<Leaf>> leaves, int order,
                                        const EvalOptions& options = {});

}  // namespace vieta
