#include "fit/fit_input.h"

#include "eval/evaluate.h"

namespace vieta {
namespace {

std::vector<double> uniforms_at(const FitInput& input, std::span<const double> x) {
  std::vector<double> uniforms = input.uniforms;
  for (std::size_t i = 0; i < x.size(); ++i) uniforms[input.unknowns.uniforms[i]] = x[i];
  return uniforms;
}

}  // namespace

std::vector<double> FitInput::parameters_at(std::span<const double> x) const {
  std::vector<double> parameters = uniforms_at(*this, x);
  parameters.resize(program.parameters);
  return parameters;
}

Expr FitInput::model_at(std::span<const double> x) const {
  const std::vector<double> there = uniforms_at(*this, x);
  Expr model = expr;
  model.set_constants(std::span(there).subspan(program.parameters, program.constants.size()));
  return model;
}

FitEnd FitInput::end_at(std::span<const double> x) const {
  auto values = evaluate<double>(model_at(x), data.x, parameters_at(x), unknowns.leaves, 1,
                                 {.target = options.target});
  return {data.x.rows, unknowns.size(), std::move(values.values), std::move(values.gradient)};
}

}  // namespace vieta
