// evaluate: values and exact derivatives of a formula over the rows of a matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "base/check.h"
#include "eval/evaluate.h"
#include "eval/evaluate_all.h"
#include "eval/prepared_formula.h"
#include "eval/products.h"

namespace vieta {

/// Rows x columns, each column contiguous: a view of memory that somebody else owns, or of a
/// Table's.
class Matrix {
 public:
  /// Columns of one block, one after the other: element (row, column) at data[column * rows + row].
  Matrix(const double* data, std::size_t rows, std::size_t columns) {
    view_.rows = view_.readable = rows;
    for (std::size_t c = 0; c < columns; ++c) view_.pointers.push_back(data + c * rows);
  }
  /// Columns wherever they are; all must have the same length (InternalError otherwise).
  explicit Matrix(std::span<const std::span<const double>> columns);
  explicit Matrix(ColumnsView<double> view) : view_(std::move(view)) {}

  std::size_t rows() const { return view_.rows; }
  std::size_t columns() const { return view_.pointers.size(); }
  const ColumnsView<double>& view() const { return view_; }

 private:
  ColumnsView<double> view_;
};

inline Matrix::Matrix(std::span<const std::span<const double>> columns) {
  view_.rows = view_.readable = columns.empty() ? 0 : columns.front().size();
  for (const auto& column : columns) {
    if (column.size() != view_.rows) throw InternalError("columns of a Matrix differ in length");
    view_.pointers.push_back(column.data());
  }
}

/// What to differentiate by, without naming leaves one by one.
namespace wrt {
enum class Set { variables, constants, parameters, all };
inline constexpr Set variables = Set::variables;
inline constexpr Set constants = Set::constants;
inline constexpr Set parameters = Set::parameters;
inline constexpr Set all = Set::all;  ///< variables, then constants, then parameters
}  // namespace wrt

/// The leaves of a set, in order: all of the formula's symbols, used or not; constants from left to
/// right.
inline std::vector<Leaf> leaves(const Expr& expr, wrt::Set set) {
  std::vector<Leaf> chosen;
  const auto add = [&](Leaf::Kind kind, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) chosen.push_back({kind, i});
  };
  if (set == wrt::variables || set == wrt::all)
    add(Leaf::Kind::variable, expr.symbols().variables.size());
  if (set == wrt::constants || set == wrt::all) add(Leaf::Kind::constant, expr.count_constants());
  if (set == wrt::parameters || set == wrt::all)
    add(Leaf::Kind::parameter, expr.symbols().parameters.size());
  return chosen;
}

/// `values` (rows) and `status`. X holds the formula's variables in order. InternalError if the
/// number of columns or parameters is not the formula's.
inline Evaluation<double> evaluate(const Expr& expr, const Matrix& X,
                                   std::span<const double> parameters = {},
                                   const EvalOptions& options = {}) {
  return evaluate<double>(expr, X.view(), parameters, {}, 0, options);
}

/// The same with `gradient`: rows x leaves, each column contiguous. One reverse sweep whatever the
/// number of leaves.
inline Evaluation<double> gradient(const Expr& expr, const Matrix& X,
                                   std::span<const double> parameters, wrt::Set set,
                                   const EvalOptions& options = {}) {
  return evaluate<double>(expr, X.view(), parameters, leaves(expr, set), 1, options);
}

/// The same with `hessian` too: rows x n(n+1)/2, the packed upper triangle. Forward over reverse,
/// two sweeps a leaf.
inline Evaluation<double> hessian(const Expr& expr, const Matrix& X,
                                  std::span<const double> parameters, wrt::Set set,
                                  const EvalOptions& options = {}) {
  return evaluate<double>(expr, X.view(), parameters, leaves(expr, set), 2, options);
}

/// A formula made ready once and evaluated many times into the caller's memory. Nothing is
/// allocated after the first evaluation with the most rows, threads included. One a thread; copies
/// are independent. A user's operator that is called row by row may allocate what it likes.
///   Evaluator f(expr, wrt::constants, 1);
///   f.set_constants(c);
///   EvalStatus status = f(X, parameters, values, gradient);
class Evaluator {
 public:
  /// Values (order 0), the gradient too (1), or the Hessian too (2) with respect to the set.
  /// `options` hold for every evaluation; its pool must outlive this. With
  /// `options.tunable_constants`, or a set that holds the constants, constants may be set anew.
  /// InternalError on another order. O(nodes), order 2 times leaves.
  Evaluator(const Expr& expr, wrt::Set set, int order, const EvalOptions& options = {})
      : options_(options) {
    formula_.prepare(expr, order == 0 ? std::vector<Leaf>{} : vieta::leaves(expr, set), order,
                     options);
  }
  /// Values alone.
  explicit Evaluator(const Expr& expr, const EvalOptions& options = {}) : options_(options) {
    formula_.prepare(expr, {}, 0, options);
  }

  /// Columns of the gradient.
  std::size_t leaves() const { return formula_.leaves(); }
  /// Columns of the Hessian, when the order is 2: the packed upper triangle.
  std::size_t packed() const { return leaves() * (leaves() + 1) / 2; }

  /// The constants of the formula from left to right. O(constants), nothing is lowered again.
  /// InternalError on a wrong number of them, or if they were not to be set.
  void set_constants(std::span<const double> values) { formula_.set_constants(values); }

  /// Fills values (rows), gradient (rows x leaves) and hessian (rows x packed), each column
  /// contiguous; what the order does not give must be empty. ok_rows (rows, or empty: not wanted)
  /// is Evaluation's. The same bits as evaluate, gradient, hessian. InternalError on wrong sizes.
  EvalStatus operator()(const Matrix& X, std::span<const double> parameters,
                        std::span<double> values, std::span<double> gradient = {},
                        std::span<double> hessian = {}, std::span<std::uint8_t> ok_rows = {}) {
    return formula_.run(X.view(), parameters, {values, gradient, hessian, ok_rows}, options_);
  }

 private:
  EvalOptions options_;
  PreparedFormula<double> formula_;
};

/// `evaluate` for each formula, the same bits, in one call: all have the same variables and
/// parameters. With a pool, formulas are shared out to its threads, or rows where formulas are few.
inline std::vector<Evaluation<double>> evaluate_all(std::span<const Expr> exprs, const Matrix& X,
                                                    std::span<const double> parameters = {},
                                                    const EvalOptions& options = {}) {
  return evaluate_all<double>(exprs, X.view(), parameters, {}, 0, options);
}

/// `gradient` (order 1) or `hessian` (order 2) for each formula, likewise.
inline std::vector<Evaluation<double>> evaluate_all(std::span<const Expr> exprs, const Matrix& X,
                                                    std::span<const double> parameters,
                                                    wrt::Set set, int order,
                                                    const EvalOptions& options = {}) {
  std::vector<std::vector<Leaf>> all;
  for (const Expr& expr : exprs) all.push_back(leaves(expr, set));
  return evaluate_all<double>(exprs, X.view(), parameters, all, order, options);
}

/// J v: rows tangents along one direction, an entry a leaf of the set.
inline Tangents<double> jvp(const Expr& expr, const Matrix& X, std::span<const double> parameters,
                            wrt::Set set, std::span<const double> direction,
                            const EvalOptions& options = {}) {
  return jvp<double>(expr, X.view(), parameters, leaves(expr, set), direction, options);
}

/// w^T J: an adjoint a leaf, summed over rows; a weight a row.
inline Adjoints<double> vjp(const Expr& expr, const Matrix& X, std::span<const double> parameters,
                            wrt::Set set, std::span<const double> weights,
                            const EvalOptions& options = {}) {
  return vjp<double>(expr, X.view(), parameters, leaves(expr, set), weights, options);
}

/// H v on every row: rows x leaves.
inline HessianProducts<double> hvp(const Expr& expr, const Matrix& X,
                                   std::span<const double> parameters, wrt::Set set,
                                   std::span<const double> direction,
                                   const EvalOptions& options = {}) {
  return hvp<double>(expr, X.view(), parameters, leaves(expr, set), direction, options);
}

}  // namespace vieta
