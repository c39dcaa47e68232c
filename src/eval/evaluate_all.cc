#include "eval/evaluate_all.h"

#include "base/check.h"
#include "eval/prepared_formula.h"

namespace vieta {
namespace {

// Fewer formulas than this a thread would leave threads idle at the end.
constexpr std::size_t kFormulasPerThread = 4;

}  // namespace

template <class T>
std::vector<Evaluation<T>> evaluate_all(std::span<const Expr> exprs, const ColumnsView<T>& columns,
                                        std::span<const double> parameters,
                                        std::span<const std::vector<Leaf>> leaves, int order,
                                        const EvalOptions& options) {
  VIETA_CHECK(leaves.empty() || leaves.size() == exprs.size());
  const std::size_t threads = options.pool == nullptr ? 1 : options.pool->threads();
  const bool by_formula = threads > 1 && exprs.size() >= kFormulasPerThread * threads;
  EvalOptions each = options;
  if (by_formula) each.pool = nullptr;
  std::vector<Evaluation<T>> results(exprs.size());
  std::vector<PreparedFormula<T>> formulas(by_formula ? threads : 1);
  const auto work = [&](std::size_t i, std::size_t thread) {
    PreparedFormula<T>& formula = formulas[thread];
    formula.prepare(exprs[i], leaves.empty() ? std::span<const Leaf>{} : leaves[i], order, each);
    results[i] = formula.evaluate(columns, parameters, each);
  };
  if (by_formula) {
    options.pool->run(exprs.size(), work);
  } else {
    for (std::size_t i = 0; i < exprs.size(); ++i) work(i, 0);
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
