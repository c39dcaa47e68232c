// formula: a tree of the example as text, for Vieta's own engine.
#pragma once

#include <string>
#include <string_view>

#include "base/number_text.h"
#include "founding/node.h"

namespace founding {

/// With the operators of FirstOperators<4, 4>; feature i is called x1, x2, ...
inline std::string formula_text(const Node<double>& node) {
  constexpr std::string_view kBinary[] = {" + ", " - ", "*", "/"};
  constexpr std::string_view kUnary[] = {"cos", "exp", "sin", "square"};
  if (node.degree == 0) {
    return node.constant ? vieta::number_text(node.value) : "x" + std::to_string(node.feature + 1);
  }
  const std::string left = "(" + formula_text(*node.left) + ")";
  if (node.degree == 1) return std::string(kUnary[node.op]) + left;
  return left + std::string(kBinary[node.op]) + "(" + formula_text(*node.right) + ")";
}

}  // namespace founding
