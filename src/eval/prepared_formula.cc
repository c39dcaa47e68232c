#include "eval/prepared_formula.h"

#include <algorithm>

#include "base/check.h"

namespace vieta {
namespace {

bool is_constant(const Leaf& leaf) { return leaf.kind == Leaf::Kind::constant; }

}  // namespace

template <class T>
void PreparedFormula<T>::prepare(const Expr& expr, std::span<const Leaf> leaves, int order,
                                 const EvalOptions& options) {
  VIETA_CHECK(order >= 0 && order <= 2);
  const Symbols& symbols = expr.symbols();
  const LowerOptions lowering{
      .tunable = options.tunable_constants || std::ranges::any_of(leaves, is_constant),
      .stable_composites = options.stable_composites,
      .reciprocals = kernels::is_fast(options.target)};
  lowering_.run(expr.nodes(), symbols.variables.size(), symbols.parameters.size(), lowering,
                program_);
  operands_.clear();
  for (const Leaf& leaf : leaves) operands_.push_back(operand_of(program_, leaf));
  if (order == 0) coder_.value(program_, code_);
  if (order == 1) coder_.gradient(program_, operands_, code_);
  if (order == 2) coder_.hessian(program_, operands_, code_);
  leaf_count_ = leaves.size();
  order_ = order;
  uniforms_.resize(program_.uniforms());
  for (std::size_t u = program_.parameters; u < uniforms_.size(); ++u)
    uniforms_[u] = program_.default_of(u);
}

template <class T>
void PreparedFormula<T>::set_constants(std::span<const double> values) {
  VIETA_CHECK(program_.tunable && values.size() == program_.uniform_of_constant.size());
  for (std::size_t c = 0; c < values.size(); ++c)
    uniforms_[program_.uniform_of_constant[c]] = values[c];
}

template <class T>
std::span<const double> PreparedFormula<T>::uniforms(std::span<const double> parameters) {
  VIETA_CHECK(parameters.size() == program_.parameters);
  std::ranges::copy(parameters, uniforms_.begin());
  return uniforms_;
}

template <class T>
EvalStatus PreparedFormula<T>::run(const ColumnsView<T>& columns,
                                   std::span<const double> parameters,
                                   const ResultSpans<T>& results, const EvalOptions& options) {
  VIETA_CHECK(columns.pointers.size() == program_.variable_count);
  place(results, columns.rows);
  const std::size_t threads = options.pool == nullptr ? 1 : options.pool->threads();
  if (workspaces_.size() < threads) workspaces_.resize(threads);
  return run_code<T>(code_, columns, uniforms(parameters), outputs_, workspaces_, options,
                     results.ok_rows);
}

template <class T>
Evaluation<T> PreparedFormula<T>::evaluate(const ColumnsView<T>& columns,
                                           std::span<const double> parameters,
                                           const EvalOptions& options) {
  Evaluation<T> result;
  result.rows = columns.rows;
  result.leaves = leaf_count_;
  result.values.resize(columns.rows);
  result.gradient.resize(columns.rows * gradient_columns());
  result.hessian.resize(columns.rows * hessian_columns());
  if (options.row_mask) result.ok_rows.resize(columns.rows);
  result.status = run(columns, parameters,
                      {result.values, result.gradient, result.hessian, result.ok_rows}, options);
  return result;
}

template <class T>
void PreparedFormula<T>::place(const ResultSpans<T>& results, std::size_t rows) {
  VIETA_CHECK(results.values.size() == rows);
  VIETA_CHECK(results.gradient.size() == rows * gradient_columns());
  VIETA_CHECK(results.hessian.size() == rows * hessian_columns());
  outputs_.assign(1, results.values.data());
  for (std::size_t j = 0; j < gradient_columns(); ++j)
    outputs_.push_back(results.gradient.data() + j * rows);
  for (std::size_t j = 0; j < hessian_columns(); ++j)
    outputs_.push_back(results.hessian.data() + j * rows);
}

template class PreparedFormula<double>;
template class PreparedFormula<float>;

}  // namespace vieta
