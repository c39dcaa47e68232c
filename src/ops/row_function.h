// row_function: an operator that is called row by row. The loops over rows, for double and float,
// value and partials, are here once; what derives from it gives the calls.
#pragma once

#include <cstddef>

#include "ad/jet.h"
#include "ops/user_op.h"

namespace vieta {

/// It computes in double whatever the tiles hold, its partials with numbers that carry derivatives
/// in one or two directions: what it costs to compile does not depend on its arity.
class RowFunction : public OpFunction {
 public:
  using First = ad::Jet<double, 1>;
  using Second = ad::Jet2<double, 2>;

  /// 1 <= arity <= kMaxArity
  explicit RowFunction(std::size_t arity) : arity_(arity) {}

  void value(const double* const* args, double* out, std::size_t rows) const final;
  void value(const float* const* args, float* out, std::size_t rows) const final;
  void partial(const double* const* args, int k, double* out, std::size_t rows) const override;
  void partial(const float* const* args, int k, float* out, std::size_t rows) const override;
  void second_partial(const double* const* args, int k, int l, double* out,
                      std::size_t rows) const final;
  void second_partial(const float* const* args, int k, int l, float* out,
                      std::size_t rows) const final;

 protected:
  std::size_t arity() const { return arity_; }

 private:
  /// out[r] = f(x[r * arity], ..., x[r * arity + arity - 1]). All arguments are finite.
  virtual void call(const double* x, double* out, std::size_t rows) const = 0;
  virtual void call(const First* x, First* out, std::size_t rows) const = 0;
  virtual void call(const Second* x, Second* out, std::size_t rows) const = 0;

  template <class E>
  void values(const E* const* args, E* out, std::size_t rows) const;
  template <class E>
  void first_partials(const E* const* args, int k, E* out, std::size_t rows) const;
  template <class E>
  void second_partials(const E* const* args, int k, int l, E* out, std::size_t rows) const;
  template <class X, class E, class Argument, class R>
  void on_rows(const E* const* args, E* out, std::size_t rows, Argument argument, R result) const;

  std::size_t arity_;
};

}  // namespace vieta
