// evaluator: evaluates a tree on all rows, recursively, buffer by buffer.
//
// It is written for values, with no thought of derivatives: nothing of vieta is included here.
// Operators are a compile-time tuple, tried one after the other. Fusion level 1 evaluates a binary
// operator on leaves without copying them; level 2 also a unary operator on an operator on leaves,
// one kernel for each pair.
#pragma once

#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "founding/node.h"

namespace founding {

template <class Binary, class Unary>
struct Operators {
  Binary binary;  ///< std::tuple of callables
  Unary unary;
};

/// Values on every row; not complete if some result was not finite and the rest was left out.
template <class T>
struct Evaluation {
  std::vector<T> values;
  bool complete = true;
};

/// Calls visit(operator) for the operator at `index` of the tuple.
template <class Tuple, class Visit, std::size_t... i>
void dispatch(const Tuple& operators, std::size_t index, const Visit& visit,
              std::index_sequence<i...>) {
  static_cast<void>((... || (i == index && (visit(std::get<i>(operators)), true))));
}
template <class Visit, class... Op>
void dispatch(const std::tuple<Op...>& operators, std::size_t index, const Visit& visit) {
  dispatch(operators, index, visit, std::index_sequence_for<Op...>());
}

template <class T>
struct ColumnLeaf {
  const T* cells;
  const T& operator[](std::size_t row) const { return cells[row]; }
};
template <class T>
struct ConstantLeaf {
  T value;
  const T& operator[](std::size_t) const { return value; }
};

/// Calls kernel with a leaf as a column or as a constant: two loops, each without a branch.
template <class C, class T, class Kernel>
void with_leaf(const Node<C>& leaf, const Matrix<T>& data, const Kernel& kernel) {
  if (leaf.constant) {
    kernel(ConstantLeaf<T>{T(leaf.value)});
  } else {
    kernel(ColumnLeaf<T>{data.column(leaf.feature)});
  }
}

template <class C>
bool has_features(const Node<C>& node) {
  if (node.degree == 0) return !node.constant;
  return has_features(*node.left) || (node.degree == 2 && has_features(*node.right));
}

template <class T>
bool all_finite(const std::vector<T>& values) {
  using std::isfinite;
  for (const T& v : values) {
    if (!isfinite(v)) return false;
  }
  return true;
}

/// The one value of a tree without features.
template <class T, class C, class Ops>
T evaluate_constant(const Node<C>& node, const Ops& ops) {
  if (node.degree == 0) return T(node.value);
  T result{};
  const T left = evaluate_constant<T>(*node.left, ops);
  if (node.degree == 1) {
    dispatch(ops.unary, node.op, [&](const auto& op) { result = op(left); });
  } else {
    const T right = evaluate_constant<T>(*node.right, ops);
    dispatch(ops.binary, node.op, [&](const auto& op) { result = op(left, right); });
  }
  return result;
}

template <int fusion, class C, class T, class Ops>
Evaluation<T> evaluate(const Node<C>& node, const Matrix<T>& data, const Ops& ops);

template <int fusion, class Op, class C, class T, class Ops>
void apply_unary(const Op& op, const Node<C>& node, const Matrix<T>& data, const Ops& ops,
                 Evaluation<T>& out) {
  const Node<C>& child = *node.left;
  if constexpr (fusion >= 2) {
    if (child.degree == 2 && child.left->degree == 0 && child.right->degree == 0) {
      out.values.resize(data.rows);
      dispatch(ops.binary, child.op, [&](const auto& inner) {
        with_leaf(*child.left, data, [&](const auto& a) {
          with_leaf(*child.right, data, [&](const auto& b) {
            for (std::size_t i = 0; i < data.rows; ++i) out.values[i] = op(inner(a[i], b[i]));
          });
        });
      });
      return;
    }
    if (child.degree == 1 && child.left->degree == 0) {
      out.values.resize(data.rows);
      dispatch(ops.unary, child.op, [&](const auto& inner) {
        with_leaf(*child.left, data, [&](const auto& a) {
          for (std::size_t i = 0; i < data.rows; ++i) out.values[i] = op(inner(a[i]));
        });
      });
      return;
    }
  }
  out = evaluate<fusion>(child, data, ops);
  if (!out.complete) return;
  for (T& v : out.values) v = op(v);
}

template <int fusion, class Op, class C, class T, class Ops>
void apply_binary(const Op& op, const Node<C>& node, const Matrix<T>& data, const Ops& ops,
                  Evaluation<T>& out) {
  const Node<C>& left = *node.left;
  const Node<C>& right = *node.right;
  if constexpr (fusion >= 1) {
    if (left.degree == 0 && right.degree == 0) {
      out.values.resize(data.rows);
      with_leaf(left, data, [&](const auto& a) {
        with_leaf(right, data, [&](const auto& b) {
          for (std::size_t i = 0; i < data.rows; ++i) out.values[i] = op(a[i], b[i]);
        });
      });
      return;
    }
    if (left.degree == 0) {
      out = evaluate<fusion>(right, data, ops);
      if (!out.complete) return;
      with_leaf(left, data, [&](const auto& a) {
        for (std::size_t i = 0; i < data.rows; ++i) out.values[i] = op(a[i], out.values[i]);
      });
      return;
    }
    if (right.degree == 0) {
      out = evaluate<fusion>(left, data, ops);
      if (!out.complete) return;
      with_leaf(right, data, [&](const auto& b) {
        for (std::size_t i = 0; i < data.rows; ++i) out.values[i] = op(out.values[i], b[i]);
      });
      return;
    }
  }
  out = evaluate<fusion>(left, data, ops);
  if (!out.complete) return;
  const Evaluation<T> other = evaluate<fusion>(right, data, ops);
  if (!other.complete) {
    out.complete = false;
    return;
  }
  for (std::size_t i = 0; i < data.rows; ++i) out.values[i] = op(out.values[i], other.values[i]);
}

/// Value of the tree on every row. A subtree without features is computed once. Stops after the
/// first operator with a result that is not finite.
template <int fusion, class C, class T, class Ops>
Evaluation<T> evaluate(const Node<C>& node, const Matrix<T>& data, const Ops& ops) {
  Evaluation<T> out;
  if (!has_features(node)) {
    out.values.assign(data.rows, evaluate_constant<T>(node, ops));
  } else if (node.degree == 0) {
    const T* const column = data.column(node.feature);
    out.values.assign(column, column + data.rows);
  } else if (node.degree == 1) {
    dispatch(ops.unary, node.op,
             [&](const auto& op) { apply_unary<fusion>(op, node, data, ops, out); });
  } else {
    dispatch(ops.binary, node.op,
             [&](const auto& op) { apply_binary<fusion>(op, node, data, ops, out); });
  }
  if (out.complete && !all_finite(out.values)) out.complete = false;
  return out;
}

}  // namespace founding
