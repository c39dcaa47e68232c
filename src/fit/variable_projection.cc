#include "fit/variable_projection.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.h"
#include "fit/damping.h"
#include "ops/user_op.h"

namespace vieta {
namespace {

// Keeps the linear block solvable where its columns depend on each other; moves the solution by
// about this fraction at most, and the fit goes on from there.
constexpr double kRidge = 1e-13;

constexpr int kNonlinear = 2;

// Degree of a call in the leaves looked at: 0, 1, or kNonlinear for anything else.
int degree_of_call(Op op, std::span<const int> args);

int degree_of_body(const OpBody& body, std::span<const int> args) {
  using Kind = OpBody::Operand::Kind;
  std::vector<int> steps;
  const auto read = [&](const OpBody::Operand& o) {
    if (o.kind == Kind::number) return 0;
    return o.kind == Kind::argument ? args[o.index] : steps[o.index];
  };
  for (const OpBody::Step& step : body.steps) {
    std::array<int, kMaxArity> inputs{};
    const auto arity = static_cast<std::size_t>(info(step.op).arity);
    for (std::size_t k = 0; k < arity; ++k) inputs[k] = read(step.args[k]);
    steps.push_back(degree_of_call(step.op, std::span(inputs).first(arity)));
  }
  return read(body.root);
}

int degree_of_call(Op op, std::span<const int> args) {
  if (!is_builtin(op) && user_op(op).has_body()) return degree_of_body(user_op(op).body, args);
  const int largest = *std::ranges::max_element(args);
  if (largest == 0) return 0;
  switch (op) {
    case Op::add:
    case Op::sub:
    case Op::neg:
      return largest;
    case Op::mul:
      return std::min(kNonlinear, args[0] + args[1]);
    case Op::div:
      return args[1] == 0 ? args[0] : kNonlinear;
    case Op::fma:
      return std::max(std::min(kNonlinear, args[0] + args[1]), args[2]);
    case Op::if_:
      return args[0] == 0 ? largest : kNonlinear;
    default:
      return kNonlinear;
  }
}

// `is_chosen(node, constants before it)` tells the leaves that count.
template <class Chosen>
int degree(std::span<const Node> nodes, std::vector<int>& stack, Chosen is_chosen) {
  stack.clear();
  std::size_t constant = 0;
  for (const Node& node : nodes) {
    const auto arity = static_cast<std::size_t>(node.arity());
    if (arity == 0) {
      stack.push_back(is_chosen(node, constant) ? 1 : 0);
      if (node.is_constant()) ++constant;
      continue;
    }
    const int result = degree_of_call(node.op, std::span(stack).last(arity));
    stack.resize(stack.size() - arity);
    stack.push_back(result);
  }
  return stack.back();
}

bool is_leaf(const Node& node, std::size_t constant, const Leaf& leaf) {
  if (leaf.kind == Leaf::Kind::parameter)
    return node.kind == NodeKind::parameter && leaf.index == node.index;
  return leaf.kind == Leaf::Kind::constant && node.is_constant() && leaf.index == constant;
}

}  // namespace

std::vector<std::uint8_t> linear_leaves(const Expr& expr, std::span<const Leaf> leaves,
                                        std::span<const std::uint8_t> allowed) {
  VIETA_CHECK(allowed.size() == leaves.size());
  std::vector<std::uint8_t> chosen(leaves.size(), 0);
  std::vector<int> stack;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (allowed[i] == 0) continue;
    chosen[i] = 1;
    const int d = degree(expr.nodes(), stack, [&](const Node& node, std::size_t constant) {
      for (std::size_t k = 0; k <= i; ++k) {
        if (chosen[k] != 0 && is_leaf(node, constant, leaves[k])) return true;
      }
      return false;
    });
    if (d == kNonlinear) chosen[i] = 0;
  }
  return chosen;
}

void keep_linear_constants(std::span<const Node> nodes, std::span<std::uint8_t> chosen,
                           std::vector<int>& scratch) {
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i] == 0) continue;
    const int d = degree(nodes, scratch, [&](const Node& node, std::size_t constant) {
      return node.is_constant() && constant <= i && chosen[constant] != 0;
    });
    if (d == kNonlinear) chosen[i] = 0;
  }
}

LeastSquaresReport VariableProjection::minimize(LeastSquaresProblem& problem,
                                                std::span<const std::uint8_t> linear,
                                                std::span<double> x,
                                                const LeastSquaresOptions& options) {
  const std::size_t n = problem.unknowns();
  VIETA_CHECK(linear.size() == n && x.size() == n && options.lower.empty());
  is_linear_.assign(linear.begin(), linear.end());
  linear_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    if (linear[i] != 0) linear_.push_back(i);
  }
  scale_.assign(n, 0.0);
  step_.resize(n);
  here_.x.assign(x.begin(), x.end());
  here_.predicted = false;
  LeastSquaresReport report;
  report.evaluations = 2;
  if (!linearize(problem, here_)) {
    report.stop_reason = StopReason::not_finite;
    return report;
  }
  report.cost = here_.equations.cost;
  const auto stop = [&](StopReason reason) {
    report.stop_reason = reason;
    if (here_.predicted && !linearize(problem, here_)) return report;
    if (!(here_.equations.cost < report.cost)) return report;
    report.cost = here_.equations.cost;
    std::ranges::copy(here_.x, x.begin());
    return report;
  };
  // True if the model was a predicted one and has been taken anew.
  const auto refreshed = [&] {
    if (!here_.predicted) return false;
    ++report.evaluations;
    return linearize(problem, here_);
  };

  if (!linear_.empty()) solve_linear(here_);
  Damping damping;
  while (true) {
    const bool done = here_.equations.cost <= options.negligible_cost ||
                      is_stationary(options.gradient_tolerance);
    if (done && !refreshed()) return stop(StopReason::converged);
    if (done) continue;
    if (report.iterations == options.max_iterations) return stop(StopReason::iteration_limit);
    ++report.iterations;
    set_scale(damping.value);
    if (solve_damped(here_.equations, scale_, damping.value, step_)) {
      there_.x = here_.x;
      for (std::size_t i = 0; i < n; ++i) there_.x[i] += step_[i];
      ++report.evaluations;
      const double predicted = predicted_fall(damping.value);
      const double before = here_.equations.cost;
      const bool finite = reach(problem, there_);
      const double fall = before - there_.equations.cost;
      if (finite && fall > 0) {
        std::swap(here_, there_);
        damping.accept(fall / predicted);
        if (std::max(fall, predicted) <= options.cost_tolerance * before)
          return stop(StopReason::converged);
        continue;
      }
      if (predicted <= options.cost_tolerance * before && !here_.predicted)
        return stop(StopReason::converged);
    }
    if (refreshed()) continue;
    damping.refuse();
    if (damping.value > kLargestDamping) return stop(StopReason::no_progress);
  }
}

// The local model where the point stands.
bool VariableProjection::linearize(LeastSquaresProblem& problem, Point& point) {
  point.predicted = false;
  return problem.linearize(point.x, point.equations);
}

// The same, the linear unknowns then moved to where it is least.
bool VariableProjection::reach(LeastSquaresProblem& problem, Point& point) {
  return linearize(problem, point) && (linear_.empty() || solve_linear(point));
}

bool VariableProjection::solve_linear(Point& point) {
  NormalEquations& e = point.equations;
  const std::size_t m = linear_.size();
  block_.reset(m);
  block_scale_.resize(m);
  block_step_.resize(m);
  for (std::size_t a = 0; a < m; ++a) {
    block_.gradient[a] = e.gradient[linear_[a]];
    for (std::size_t b = 0; b < m; ++b) block_.at(a, b) = e.at(linear_[a], linear_[b]);
    block_scale_[a] = block_.at(a, a) > 0 ? block_.at(a, a) : 1;
  }
  if (!solve_damped(block_, block_scale_, kRidge, block_step_)) return false;
  for (std::size_t a = 0; a < m; ++a) {
    e.cost += block_.gradient[a] * block_step_[a];
    point.x[linear_[a]] += block_step_[a];
    for (std::size_t i = 0; i < point.x.size(); ++i)
      e.gradient[i] += e.at(i, linear_[a]) * block_step_[a];
  }
  e.cost = std::max(e.cost, 0.0);
  point.predicted = true;
  return true;
}

// Marquardt's scale, kept from shrinking; linear unknowns are not damped, but for the ridge.
void VariableProjection::set_scale(double damping) {
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    const double size = here_.equations.at(i, i);
    if (is_linear_[i] != 0) {
      scale_[i] = (size > 0 ? size : 1) * kRidge / damping;
    } else {
      scale_[i] = std::max(scale_[i], size);
      if (scale_[i] == 0) scale_[i] = 1;
    }
  }
}

bool VariableProjection::is_stationary(double tolerance) const {
  const NormalEquations& e = here_.equations;
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    if (std::fabs(e.gradient[i]) > tolerance * std::sqrt(e.at(i, i)) * std::sqrt(e.cost))
      return false;
  }
  return true;
}

double VariableProjection::predicted_fall(double damping) const {
  double fall = 0;
  for (std::size_t i = 0; i < step_.size(); ++i)
    fall += step_[i] * (damping * scale_[i] * step_[i] - here_.equations.gradient[i]);
  return fall;
}

}  // namespace vieta
