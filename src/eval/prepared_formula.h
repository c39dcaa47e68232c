// prepared_formula: a formula lowered once and run many times into the caller's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "eval/evaluate.h"
#include "program/lower.h"

namespace vieta {

/// Where the results go, each column contiguous: values rows, gradient rows x leaves, hessian
/// rows x n(n+1)/2, empty where the order does not give them; ok_rows rows, or empty.
template <class T>
struct ResultSpans {
  std::span<T> values;
  std::span<T> gradient = {};
  std::span<T> hessian = {};
  std::span<std::uint8_t> ok_rows = {};
};

/// A formula's tile code, its constants, and all the scratch of its evaluations. Nothing is
/// allocated once the largest formula and the most rows were seen. Not shared between threads.
template <class T>
class PreparedFormula {
 public:
  /// As evaluate: order 0, 1 or 2 with respect to `leaves`. Overwrites what was prepared before.
  /// InternalError on an order or a leaf that is none of the formula's. O(nodes), order 2 times
  /// leaves.
  void prepare(const Expr& expr, std::span<const Leaf> leaves, int order,
               const EvalOptions& options = {});

  /// New values for the formula's constants, from left to right, without lowering it again.
  /// InternalError if their number is another, or they were not tunable: differentiated by, or
  /// EvalOptions::tunable_constants. O(constants).
  void set_constants(std::span<const double> values);

  /// What evaluate gives, the same bits, at the constants that are set. `options` as prepare's, but
  /// stable_composites and tunable_constants do not count. InternalError on wrong sizes.
  EvalStatus run(const ColumnsView<T>& columns, std::span<const double> parameters,
                 const ResultSpans<T>& results, const EvalOptions& options = {});

  /// The same into memory of its own.
  Evaluation<T> evaluate(const ColumnsView<T>& columns, std::span<const double> parameters,
                         const EvalOptions& options = {});

  const TileCode& code() const { return code_; }
  std::size_t leaves() const { return leaf_count_; }
  int order() const { return order_; }
  std::size_t gradient_columns() const { return order_ >= 1 ? leaf_count_ : 0; }
  std::size_t hessian_columns() const {
    return order_ >= 2 ? leaf_count_ * (leaf_count_ + 1) / 2 : 0;
  }
  /// The uniforms of the code with these parameters. InternalError on a wrong number of them.
  std::span<const double> uniforms(std::span<const double> parameters);

 private:
  void place(const ResultSpans<T>& results, std::size_t rows);

  Lowering lowering_;
  TileCoder coder_;
  Program program_;
  TileCode code_;
  std::vector<Operand> operands_;
  std::vector<double> uniforms_;
  std::vector<T*> outputs_;
  std::vector<Workspace<T>> workspaces_;
  std::size_t leaf_count_ = 0;
  int order_ = 0;
};

}  // namespace vieta
