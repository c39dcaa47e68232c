// gradient: derivatives of the evaluator, which knows nothing of them.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "ad/autodiff.h"
#include "founding/evaluator.h"

namespace founding {

/// The evaluator as a function that writes into its last argument; false if it stopped early.
template <int fusion>
struct EvaluateInto {
  template <class C, class T, class Ops>
  bool operator()(const Node<C>& tree, const Matrix<T>& data, const Ops& ops,
                  std::vector<T>& out) const {
    Evaluation<T> evaluation = evaluate<fusion>(tree, data, ops);
    if (evaluation.complete) out = std::move(evaluation.values);
    return evaluation.complete;
  }
};

/// Adds the gradient of sum_i weights[i] tree(row i) to d_data; `weights` is used up.
/// Returns whether the tree was finite everywhere; if not, nothing is added.
template <int fusion, class Ops>
bool gradient(const Node<double>& tree, const Matrix<double>& data, const Ops& ops,
              std::vector<double>& out, std::vector<double>& weights, Matrix<double>& d_data) {
  namespace ad = vieta::ad;
  return ad::autodiff(ad::reverse, EvaluateInto<fusion>(), ad::Const(tree),
                      ad::Duplicated(data, d_data), ad::Const(ops), ad::Duplicated(out, weights))
      .value;
}

/// The same, and the change of that gradient along `direction` (Hessian times direction), added to
/// dd_data.
template <int fusion, class Ops>
bool second_order(const Node<double>& tree, const Matrix<double>& data, const Ops& ops,
                  std::vector<double>& out, std::vector<double>& weights, Matrix<double>& d_data,
                  const Matrix<double>& direction, Matrix<double>& dd_data) {
  namespace ad = vieta::ad;
  return ad::autodiff(ad::forward_over_reverse, EvaluateInto<fusion>(), ad::Const(tree),
                      ad::Directional(data, d_data, direction, dd_data), ad::Const(ops),
                      ad::Duplicated(out, weights))
      .value;
}

}  // namespace founding
