#include "fit/separable_pass.h"

#include <algorithm>
#include <cmath>

namespace vieta {
void SeparableCoder::run(const Program& program, std::span<const std::uint32_t> unknowns,
                         std::span<const std::uint8_t> is_linear, SeparableCode& code) {
  code.usable = false;
  code.linear.clear();
  code.nonlinear.clear();
  leaves_.clear();
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    (is_linear[i] != 0 ? code.linear : code.nonlinear).push_back(unknowns[i]);
    if (is_linear[i] == 0) leaves_.push_back({Operand::Kind::uniform, unknowns[i]});
  }
  if (code.linear.empty() || code.linear.size() > SeparableCode::kMaxColumns) return;
  if (code.nonlinear.size() > SeparableCode::kMaxColumns) return;
  if (!splitter_.run(program, code.linear, code.basis) || code.basis.functions.empty()) return;
  coder_.several(code.basis.program, code.basis.functions, leaves_, code.code);
  code.usable =
      code.basis.functions.size() + code.code.columns.size() <= SeparableCode::kMaxColumns;
  if (code.usable) code.model.set(code.basis, code.code.columns, code.nonlinear.size());
}

void SeparablePass::set(const SeparableCode& code, std::span<const double> uniforms, bool known) {
  uniforms_.assign(uniforms.begin(), uniforms.end());
  if (!known || &code != code_) run_.bind(code.code, data_.x);
  code_ = &code;
  if (residual_.size() < data_.x.rows) residual_.resize(data_.x.rows);
}

bool SeparablePass::project(ProjectedPoint& point) {
  return sum_products(point) && code_->model.solve(sums_.data(), point);
}

bool SeparablePass::sum_products(const ProjectedPoint& point) {
  const std::size_t functions = code_->basis.functions.size();
  const std::size_t derivatives = code_->code.columns.size();
  const std::size_t count = functions + derivatives;
  const std::size_t stride = code_->model.stride();
  for (std::size_t k = 0; k < code_->nonlinear.size(); ++k)
    uniforms_[code_->nonlinear[k]] = point.nonlinear[k];
  SmallVector coefficients;
  const double offset = code_->model.combine(point.linear, coefficients);
  std::fill_n(sums_.begin(), stride * stride, 0.0);
  run_.start(uniforms_);
  while (run_.next()) {
    if (!run_.status().ok) return false;
    for (std::size_t f = 0; f < functions; ++f) columns_[f] = run_.buffer(code_->code.results[f]);
    const BufferId output = code_->code.first_output();
    for (std::size_t c = 0; c < derivatives; ++c)
      columns_[functions + c] = run_.buffer(output + 1 + static_cast<BufferId>(c));
    table_.residual_gram(columns_.data(), count, functions, coefficients.data(), offset,
                         data_.target.data() + run_.first_row(), residual_.data(), run_.rows(),
                         sums_.data());
  }
  // An infinity or NaN of any row is in the square of its column.
  double all = 0;
  for (std::size_t i = 0; i <= count; ++i) all += sums_[i * stride + i];
  return std::isfinite(all);
}

}  // namespace vieta
