// conditioning: how far rounding may move a formula's value and gradient at a point. Every node is
// given a factor 1 + e; the derivatives by these factors, taken by the reference, say to first
// order what an error of e in a node does to the result. So a tolerance is not guessed: a formula
// that cancels may be as far off as its operators' bounds let it be, and no further.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "eval/reference.h"
#include "expr/expr.h"
#include "expr/walk.h"

namespace vieta::property {

/// The right value and gradient, and the errors that rounding explains, in units of epsilon.
struct Judgement {
  /// Finite, and smooth enough for a first-order bound to mean something.
  bool usable = false;
  long double value = 0;
  std::vector<long double> gradient;
  long double value_error = 0;
  std::vector<long double> gradient_error;
};

/// `expr` with every node times a parameter of its own; these come after its parameters.
inline Expr with_factors(const Expr& expr) {
  Symbols symbols = expr.symbols();
  const std::size_t first = symbols.parameters.size();
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < expr.size(); ++i) {
    const Node& node = expr.nodes()[i];
    if (node.kind == NodeKind::call) {
      append_call(nodes, node.op);
    } else {
      nodes.push_back(node);
    }
    nodes.push_back(Node::parameter(first + i));
    append_call(nodes, Op::mul);
    symbols.parameters.push_back("factor " + std::to_string(i));
  }
  return {std::move(nodes), std::make_shared<const Symbols>(std::move(symbols))};
}

/// Units of epsilon that the operator at a node may be off, in value or partials: the table's
/// bounds, twice for the rounding of what its partial is multiplied with.
inline long double units(const Node& node) {
  if (node.kind != NodeKind::call) return 1;
  return 2 + 2 * static_cast<long double>(std::max(info(node.op).ulp, info(node.op).ulp_d));
}

/// A formula's value, and what rounding its own nodes explains, in units of epsilon.
inline std::pair<long double, long double> value_and_error(const Expr& expr,
                                                           const std::vector<double>& x,
                                                           std::vector<double> parameters) {
  std::vector<Leaf> factors;
  for (std::size_t i = 0; i < expr.size(); ++i) {
    factors.push_back({Leaf::Kind::parameter, parameters.size() + i});
  }
  parameters.resize(parameters.size() + expr.size(), 1.0);
  const auto at = reference::evaluate(with_factors(expr), x, parameters, factors, 1);
  long double error = std::fabs(at.value);
  for (std::size_t i = 0; i < expr.size(); ++i) {
    // NaN: an argument without a derivative, as polygamma's order, which is a whole number.
    if (std::isnan(at.gradient[i])) continue;
    error += units(expr.nodes()[i]) * std::fabs(at.gradient[i]);
  }
  return {at.value, error};
}

class Judge {
 public:
  Judge(const Expr& expr, std::vector<double> parameters, std::vector<Leaf> leaves)
      : expr_(expr),
        factored_(with_factors(expr)),
        parameters_(std::move(parameters)),
        leaves_(std::move(leaves)) {
    all_ = leaves_;
    for (std::size_t i = 0; i < expr.size(); ++i) {
      all_.push_back({Leaf::Kind::parameter, parameters_.size() + i});
    }
  }

  Judgement at(const std::vector<double>& x) const {
    const auto right = reference::evaluate(factored_, x, with(factors(0, 0)), all_, 2);
    const std::size_t n = leaves_.size();
    Judgement judged;
    judged.value = right.value;
    judged.value_error = std::fabs(right.value);
    for (std::size_t i = 0; i < expr_.size(); ++i) {
      judged.value_error += units(expr_.nodes()[i]) * std::fabs(right.gradient[n + i]);
    }
    for (std::size_t j = 0; j < n; ++j) {
      judged.gradient.push_back(right.gradient[j]);
      judged.gradient_error.push_back(std::fabs(right.gradient[j]));
      for (std::size_t i = 0; i < expr_.size(); ++i) {
        judged.gradient_error.back() +=
            units(expr_.nodes()[i]) * std::fabs(right.hessian[packed(j, n + i)]);
      }
    }
    const bool in_range = add_paths(judged, right, x);
    judged.usable = in_range && is_sound(judged) && is_smooth(judged, x);
    return judged;
  }

  /// How far second derivatives move, packed, when every node errs by one unit, in units of
  /// epsilon: measured, by moving each node by 1e-7 one way or the other, for a bound as at() gives
  /// would take third derivatives. The most of twelve draws: random signs reach a part of the worst
  /// case, some 1/sqrt(nodes) where all nodes matter alike.
  std::vector<long double> hessian_moves(const std::vector<double>& x) const {
    const auto right = reference::evaluate(expr_, x, parameters_, leaves_, 2).hessian;
    std::vector<long double> most(right.size());
    for (std::uint32_t draw = 0; draw < kDraws; ++draw) {
      const auto moved = reference::evaluate(factored_, x, with(factors(kMove, draw)), leaves_, 2);
      for (std::size_t j = 0; j < most.size(); ++j) {
        const long double move = std::fabs(moved.hessian[j] - right[j]) / kMove;
        // A NaN stays: no comparison with it holds.
        if (!(move <= most[j])) most[j] = move;
      }
    }
    return most;
  }

 private:
  static constexpr double kMove = 1e-7;
  static constexpr std::uint32_t kDraws = 12;

  std::size_t packed(std::size_t i, std::size_t j) const {
    return i * all_.size() - i * (i - 1) / 2 + (j - i);
  }

  // A partial is rounded apart from the value it is a partial of: each path from the result through
  // a node to a leaf may be off, however well all of them together cancel. A node's adjoint is the
  // derivative by its factor over its value. False if a node, or what a partial makes of its
  // square, could leave the range of double.
  bool add_paths(Judgement& judged, const reference::Derivatives& right,
                 const std::vector<double>& x) const {
    const auto above = parents(expr_.nodes());
    for (std::size_t i = 0; i < expr_.size(); ++i) {
      const auto part =
          reference::evaluate(extract(expr_, i), x, parameters_, variable_leaves(), 1);
      // The sign of a zero, which simplify does not promise, decides between two halves there.
      if (part.value == 0 && expr_.nodes()[above[i]].is_call(Op::atan2)) return false;
      if (part.value == 0) continue;
      const long double size = std::fabs(part.value);
      if (!(size > 1e-90L && size < 1e90L)) return false;
      const long double adjoint = std::fabs(right.gradient[leaves_.size() + i] / part.value);
      const long double path = adjoint * units(expr_.nodes()[above[i]]);
      for (std::size_t j = 0; j < part.gradient.size(); ++j) {
        judged.gradient_error[j] += path * std::fabs(part.gradient[j]);
      }
    }
    return true;
  }

  // Those in front that are no constants: constants have other numbers in a part, and one path
  // each.
  std::vector<Leaf> variable_leaves() const {
    std::vector<Leaf> chosen;
    for (const Leaf& leaf : leaves_) {
      if (leaf.kind != Leaf::Kind::constant) chosen.push_back(leaf);
    }
    return chosen;
  }

  // Finite, and six digits are left.
  static bool is_sound(const Judgement& judged) {
    const auto sound = [](long double value, long double error) {
      return std::fabs(value) < 1e90L && error < 1e10L * (std::fabs(value) + 1);
    };
    if (!sound(judged.value, judged.value_error)) return false;
    for (std::size_t j = 0; j < judged.gradient.size(); ++j) {
      if (!sound(judged.gradient[j], judged.gradient_error[j])) return false;
    }
    return true;
  }

  std::vector<double> factors(double size, std::uint32_t draw) const {
    Rng rng(11, 3, draw);
    std::vector<double> all(expr_.size());
    for (double& factor : all) factor = 1 + size * (rng.chance(0.5) ? 1 : -1);
    return all;
  }

  std::vector<double> with(const std::vector<double>& factors) const {
    std::vector<double> all = parameters_;
    all.insert(all.end(), factors.begin(), factors.end());
    return all;
  }

  // A step or a choice that rounding decides shows when every node moves by 1e-7, one way or the
  // other: each draw misses it with probability 1/2.
  bool is_smooth(const Judgement& judged, const std::vector<double>& x) const {
    const auto near = [](long double moved, long double right, long double error) {
      return std::fabs(moved - right) <= 2 * kMove * error;
    };
    for (std::uint32_t draw = 0; draw < kDraws; ++draw) {
      const auto moved = reference::evaluate(factored_, x, with(factors(kMove, draw)), leaves_, 1);
      if (!near(moved.value, judged.value, judged.value_error)) return false;
      for (std::size_t j = 0; j < leaves_.size(); ++j) {
        if (!near(moved.gradient[j], judged.gradient[j], judged.gradient_error[j])) return false;
      }
    }
    return true;
  }

  const Expr& expr_;
  Expr factored_;
  std::vector<double> parameters_;
  std::vector<Leaf> leaves_;
  std::vector<Leaf> all_;
};

/// Whether `value` is `right` within the errors rounding explains; `slack` for what came on top.
/// NaN is not. The smallest normal number is below every error: results underflow.
inline bool is_close(long double value, long double right, long double error,
                     long double slack = 2) {
  constexpr long double kEpsilon = std::numeric_limits<double>::epsilon();
  constexpr long double kLeast = std::numeric_limits<double>::min();
  return std::fabs(value - right) <= slack * kEpsilon * error + kLeast;
}

/// "what: met, wanted".
inline std::string differs(const std::string& what, long double met, long double wanted) {
  return what + ": " + std::to_string(met) + ", wanted " + std::to_string(wanted) + ", apart " +
         std::to_string(static_cast<double>((met - wanted) / wanted * 1e16L)) + "e-16 of it";
}

}  // namespace vieta::property
