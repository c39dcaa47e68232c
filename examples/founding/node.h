// node: a mutable expression tree, and the table of data it is evaluated on.
#pragma once

#include <cstddef>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace founding {

/// Columns of equal length, one a feature.
template <class T>
struct Matrix {
  std::size_t features = 0;
  std::size_t rows = 0;
  std::vector<T> cells;  ///< feature by feature

  Matrix() = default;
  Matrix(std::size_t feature_count, std::size_t row_count)
      : features(feature_count), rows(row_count), cells(feature_count * row_count) {}
  T& operator()(std::size_t feature, std::size_t row) { return cells[feature * rows + row]; }
  const T& operator()(std::size_t feature, std::size_t row) const {
    return cells[feature * rows + row];
  }
  const T* column(std::size_t feature) const { return cells.data() + feature * rows; }
};

/// A leaf (degree 0: a constant or a feature) or an operator with one or two children.
template <class C>
struct Node {
  int degree = 0;
  bool constant = false;
  C value{};
  std::size_t feature = 0;
  std::size_t op = 0;  ///< place in the tuple of operators of that degree
  std::unique_ptr<Node> left;
  std::unique_ptr<Node> right;
};

using Tree = std::unique_ptr<Node<double>>;

inline Tree constant(double value) {
  auto node = std::make_unique<Node<double>>();
  node->constant = true;
  node->value = value;
  return node;
}
inline Tree feature(std::size_t index) {
  auto node = std::make_unique<Node<double>>();
  node->feature = index;
  return node;
}
inline Tree unary(std::size_t op, Tree child) {
  auto node = std::make_unique<Node<double>>();
  node->degree = 1;
  node->op = op;
  node->left = std::move(child);
  return node;
}
inline Tree binary(std::size_t op, Tree left, Tree right) {
  auto node = std::make_unique<Node<double>>();
  node->degree = 2;
  node->op = op;
  node->left = std::move(left);
  node->right = std::move(right);
  return node;
}

// All that differentiation has to be told about these two types: what they are made of.
template <class T>
auto parts(Matrix<T>& m) {
  return std::tie(m.features, m.rows, m.cells);
}
template <class C>
auto parts(Node<C>& n) {
  return std::tie(n.degree, n.constant, n.value, n.feature, n.op, n.left, n.right);
}

}  // namespace founding
