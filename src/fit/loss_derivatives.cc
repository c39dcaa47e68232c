#include "fit/loss_derivatives.h"

#include <cmath>

#include "base/check.h"
#include "eval/evaluate.h"
#include "fit/formula_problem.h"
#include "program/lower.h"

namespace vieta {
namespace {

// Sets the problem's formula and unknowns; gives where the leaves are now.
std::vector<double> set_leaves(const Program& program, std::span<const double> parameters,
                               std::span<const Leaf> leaves, FormulaProblem& problem) {
  const std::vector<double> uniforms = uniforms_of(program, parameters);
  std::vector<std::uint32_t> unknowns;
  std::vector<double> x;
  for (const Leaf& leaf : leaves) {
    VIETA_CHECK(leaf.kind != Leaf::Kind::variable);
    unknowns.push_back(operand_of(program, leaf).index);
    x.push_back(uniforms[unknowns.back()]);
  }
  problem.set(program, uniforms, unknowns);
  return x;
}

}  // namespace

LossDerivatives loss_derivatives(const Expr& expr, const FitData& data,
                                 std::span<const double> parameters, std::span<const Leaf> leaves,
                                 int order, kernels::Target target) {
  VIETA_CHECK(order >= 0 && order <= 2);
  VIETA_CHECK(data.x.pointers.size() == expr.symbols().variables.size());
  const Program program = lower(expr, {.tunable = true});
  FormulaProblem problem(data, target);
  const std::vector<double> x = set_leaves(program, parameters, leaves, problem);
  const double unit = problem.loss().weight_unit();
  LossDerivatives result;
  result.value = problem.cost(x) * unit;
  result.finite = std::isfinite(result.value);
  if (order == 0) return result;
  // The problem gives half of each derivative.
  NormalEquations equations;
  result.finite = problem.linearize(x, equations) && result.finite;
  for (const double g : equations.gradient) result.gradient.push_back(2 * unit * g);
  for (const double m : equations.matrix) result.gauss_newton.push_back(2 * unit * m);
  if (order == 1) return result;
  problem.set_curvature(Curvature::exact);
  result.finite = problem.linearize(x, equations) && result.finite;
  for (const double m : equations.matrix) result.hessian.push_back(2 * unit * m);
  return result;
}

LossGradient::LossGradient(const Expr& expr, const FitData& data,
                           std::span<const double> parameters, std::span<const Leaf> leaves,
                           kernels::Target target)
    : problem_(data, target) {
  VIETA_CHECK(data.x.pointers.size() == expr.symbols().variables.size());
  if (SummedLoss::takes(problem_.loss(), data)) {
    summed_.emplace(expr, data, problem_.loss(), parameters, leaves, target);
  } else {
    program_ = lower(expr, {.tunable = true});
    set_leaves(program_, parameters, leaves, problem_);
  }
}

double LossGradient::operator()(std::span<const double> point, std::span<double> gradient) {
  const double unit = problem_.loss().weight_unit();
  const double value = summed_ ? (*summed_)(point, gradient) : problem_.gradient(point, gradient);
  // The problem gives half of each derivative.
  for (double& g : gradient) g *= summed_ ? unit : 2 * unit;
  return unit * value;
}

}  // namespace vieta
