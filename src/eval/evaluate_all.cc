#include "eval/evaluate_all.h"

#include <algorithm>

#include "base/check.h"
#include "eval/prepared_formula.h"
#include "eval/shared_run.h"

namespace vieta {
namespace {

// Fewer formulas than this a thread would leave threads idle at the end.
constexpr std::size_t kFormulasPerThread = 4;
// What formulas have in common is looked for among this many neighbours or more.
constexpr std::size_t kNeighbours = 64;

// What one thread keeps from formula to formula.
template <class T>
struct Scratch {
  PreparedFormula<T> formula;
  SharedRun<T> shared;
};

// Consecutive formulas [first, first + count) of the call.
struct Slice {
  std::size_t first;
  std::size_t count;
};

// A few slices a thread, if that leaves each its neighbours.
Slice slice(std::size_t index, std::size_t slices, std::size_t formulas) {
  const std::size_t first = formulas * index / slices;
  return {first, formulas * (index + 1) / slices - first};
}

std::size_t count_slices(std::size_t formulas, std::size_t threads) {
  return std::clamp(formulas / kNeighbours, threads, 4 * threads);
}

}  // namespace

template <class T>
std::vector<Evaluation<T>> evaluate_all(std::span<const Expr> exprs, const ColumnsView<T>& columns,
                                        std::span<const double> parameters,
                                        std::span<const std::vector<Leaf>> leaves, int order,
                                        const EvalOptions& options) {
  VIETA_CHECK(leaves.empty() || leaves.size() == exprs.size());
  const std::size_t threads = options.pool == nullptr ? 1 : options.pool->threads();
  const bool by_formula = threads > 1 && exprs.size() >= kFormulasPerThread * threads;
  const bool rows_shared_out = threads > 1 && !by_formula;
  EvalOptions each = options;
  if (by_formula) each.pool = nullptr;
  std::vector<Evaluation<T>> results(exprs.size());
  std::vector<Scratch<T>> scratch(by_formula ? threads : 1);
  const auto one = [&](std::size_t i, Scratch<T>& own) {
    own.formula.prepare(exprs[i], leaves.empty() ? std::span<const Leaf>{} : leaves[i], order,
                        each);
    results[i] = own.formula.evaluate(columns, parameters, each);
  };
  const bool share = order == 0 && leaves.empty() && !rows_shared_out &&
                     SharedRun<T>::is_worth_trying(exprs, columns.rows, options);
  const auto some = [&](const Slice& s, Scratch<T>& own) {
    if (share && own.shared.run(exprs.subspan(s.first, s.count), columns, parameters, each,
                                std::span(results).subspan(s.first, s.count)))
      return;
    for (std::size_t i = s.first; i < s.first + s.count; ++i) one(i, own);
  };
  if (!by_formula) {
    some({0, exprs.size()}, scratch[0]);
  } else if (share) {
    const std::size_t slices = count_slices(exprs.size(), threads);
    options.pool->run(slices, [&](std::size_t s, std::size_t thread) {
      some(slice(s, slices, exprs.size()), scratch[thread]);
    });
  } else {
    options.pool->run(exprs.size(),
                      [&](std::size_t i, std::size_t thread) { one(i, scratch[thread]); });
  }
  return results;
}

#define VIETA_INSTANTIATE(T)                                                 \
  template std::vector<Evaluation<T>> evaluate_all<T>(                       \
      std::span<const Expr>, const ColumnsView<T>&, std::span<const double>, \
      std::span<const std::vector<Leaf>>, int, const EvalOptions&);
VIETA_INSTANTIATE(double)
VIETA_INSTANTIATE(float)
#undef VIETA_INSTANTIATE

}  // namespace vieta
