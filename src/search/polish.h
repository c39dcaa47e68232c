// polish: the last hand on a front.
#pragma once

#include "base/task_pool.h"
#include "search/archive.h"
#include "search/search.h"

namespace vieta {

/// The loss of a formula whose residuals are rounding and nothing else.
double exact_loss(const FitData& data);

/// Fits the constants of every formula of the archive to the end, from where they are and from a
/// few other starts, then takes a simple number (an integer, a half, a third, a quarter) for each
/// constant that cannot be told from it: where the loss, the others fitted again, rises by less
/// than one standard error of that constant would. Deterministic. Returns the evaluations used.
std::uint64_t polish(Archive& archive, const FitData& data, const SearchOptions& options,
                     TaskPool& pool);

/// The front with its figures, and the entry to select.
std::vector<FrontEntry> make_front(const Archive& archive, const FitData& data,
                                   const std::shared_ptr<const Symbols>& symbols);
/// The entry of least description length: residuals, constants and nodes, in nats.
std::size_t select_entry(const std::vector<FrontEntry>& front, const FitData& data);

}  // namespace vieta
