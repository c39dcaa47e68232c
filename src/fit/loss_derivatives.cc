#include "fit/loss_derivatives.h"

#include <cmath>

#include "base/check.h"
#include "eval/evaluate.h"
#include "fit/formula_problem.h"
#include "program/lower.h"

namespace vieta {

LossDerivatives loss_derivatives(const Expr& expr, const FitData& data,
                                 std::span<const double> parameters, std::span<const Leaf> leaves,
                                 int order, kernels::Target target) {
  VIETA_CHECK(order >= 0 && order <= 2);
  VIETA_CHECK(data.x.pointers.size() == expr.symbols().variables.size());
  const Program program = lower(expr, {.tunable = true});
  const std::vector<double> uniforms = uniforms_of(program, parameters);
  std::vector<std::uint32_t> unknowns;
  std::vector<double> x;
  for (const Leaf& leaf : leaves) {
    VIETA_CHECK(leaf.kind != Leaf::Kind::variable);
    unknowns.push_back(operand_of(program, leaf).index);
    x.push_back(uniforms[unknowns.back()]);
  }
  FormulaProblem problem(data, target);
  problem.set(program, uniforms, unknowns);
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

}  // namespace vieta
