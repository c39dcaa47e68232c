#include "fit/separable_pass.h"

#include <algorithm>
#include <cmath>

namespace vieta {
namespace {

// Keeps the functions' equations solvable where they depend on each other; moves the solution by
// about this fraction at most, and the fit goes on from there.
constexpr double kRidge = 1e-13;
// A cost has the rounding of the one it was computed from, some 1e-16 of it: of one that is not
// smaller than this fraction, twelve digits are left.
constexpr double kExact = 1e-4;

}  // namespace

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
}

void SeparablePass::set(const SeparableCode& code, std::span<const double> uniforms, bool known) {
  uniforms_.assign(uniforms.begin(), uniforms.end());
  if (!known || &code != code_) run_.bind(code.code, data_.x);
  code_ = &code;
  if (residual_.size() < data_.x.rows) residual_.resize(data_.x.rows);
  const std::size_t count = code.basis.functions.size() + code.code.columns.size();
  stride_ = count + 2;
  column_.clear();
  sign_.clear();
  for (const Basis::Term& term : code.basis.terms) {
    column_.push_back(term.function == Basis::kOne ? count + 1 : term.function);
    sign_.push_back(term.sign);
  }
}

bool SeparablePass::project(ProjectedPoint& point) {
  if (!sum_products(point) || !solve_linear(point)) return false;
  model(point);
  return std::isfinite(point.equations.cost);
}

bool SeparablePass::sum_products(const ProjectedPoint& point) {
  const Basis& basis = code_->basis;
  const std::size_t functions = basis.functions.size();
  const std::size_t derivatives = code_->code.columns.size();
  const std::size_t count = functions + derivatives;
  for (std::size_t k = 0; k < code_->nonlinear.size(); ++k)
    uniforms_[code_->nonlinear[k]] = point.nonlinear[k];
  Vector coefficients;
  std::fill_n(coefficients.begin(), functions, 0.0);
  double offset = 0;
  if (basis.fixed.function < functions) coefficients[basis.fixed.function] = basis.fixed.sign;
  for (std::size_t j = 0; j < column_.size(); ++j)
    (column_[j] < functions ? coefficients[column_[j]] : offset) += sign_[j] * point.linear[j];
  std::fill_n(sums_.begin(), stride_ * stride_, 0.0);
  run_.start(uniforms_);
  while (run_.next()) {
    if (!run_.status().ok) return false;
    for (std::size_t f = 0; f < functions; ++f) columns_[f] = run_.buffer(code_->code.results[f]);
    for (std::size_t c = 0; c < derivatives; ++c) columns_[functions + c] = run_.output(1 + c);
    table_.residual_gram(columns_.data(), count, functions, coefficients.data(), offset,
                         data_.target.data() + run_.first_row(), residual_.data(), run_.rows(),
                         sums_.data());
  }
  // An infinity or NaN of any row is in the square of its column.
  double all = 0;
  for (std::size_t i = 0; i <= count; ++i) all += sum(i, i);
  return std::isfinite(all);
}

// factor_ * factor_^T = the functions' products; moves the linear unknowns.
bool SeparablePass::solve_linear(ProjectedPoint& point) {
  const std::size_t m = column_.size();
  const std::size_t r = stride_ - 2;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double value = sign_[i] * sign_[j] * sum(column_[i], column_[j]);
      if (i == j) value += kRidge * (value > 0 ? value : 1);
      for (std::size_t k = 0; k < j; ++k) value -= factor_[i][k] * factor_[j][k];
      if (i == j && !(value > 0)) return false;
      factor_[i][j] = i == j ? std::sqrt(value) : value / factor_[j][j];
    }
    moved_[i] = -sign_[i] * sum(column_[i], r);
  }
  forward(moved_);
  backward(moved_);
  double cost = sum(r, r);
  point.cost_before = cost;
  for (std::size_t i = 0; i < m; ++i) {
    cost += sign_[i] * sum(column_[i], r) * moved_[i];
    point.linear[i] += moved_[i];
  }
  point.equations.reset(code_->nonlinear.size());
  point.equations.cost = std::max(cost, 0.0);
  point.exact = cost >= kExact * point.cost_before;
  return true;
}

// v = L^-1 v, L the factor.
void SeparablePass::forward(Vector& v) const {
  for (std::size_t i = 0; i < column_.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) v[i] -= factor_[i][k] * v[k];
    v[i] /= factor_[i][i];
  }
}

// v = L^-T v
void SeparablePass::backward(Vector& v) const {
  const std::size_t m = column_.size();
  for (std::size_t i = m; i-- > 0;) {
    for (std::size_t k = i + 1; k < m; ++k) v[i] -= factor_[k][i] * v[k];
    v[i] /= factor_[i][i];
  }
}

// J is the derivative of the formula by the nonlinear unknowns, F the functions, r the residual.
void SeparablePass::model(ProjectedPoint& point) {
  const auto& columns = code_->code.columns;
  const std::size_t functions = code_->basis.functions.size();
  const std::size_t m = column_.size();
  const std::size_t n = code_->nonlinear.size();
  NormalEquations& e = point.equations;
  for (std::size_t k = 0; k < n; ++k) std::fill_n(product_[k].begin(), m, 0.0);
  for (std::size_t k = 0; k < n; ++k) std::fill_n(pull_[k].begin(), m, 0.0);
  Vector weight;  // of each column of derivatives in J
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::size_t at = functions + c;
    const std::size_t k = columns[c].leaf;
    double slope = sum(at, stride_ - 2);
    weight[c] = 0;
    if (code_->basis.fixed.function == columns[c].function) weight[c] = code_->basis.fixed.sign;
    for (std::size_t j = 0; j < m; ++j) {
      slope += sign_[j] * moved_[j] * sum(at, column_[j]);
      if (column_[j] == columns[c].function) weight[c] += sign_[j] * point.linear[j];
    }
    for (std::size_t j = 0; j < m; ++j) {
      product_[k][j] += weight[c] * sign_[j] * sum(at, column_[j]);
      if (column_[j] == columns[c].function) pull_[k][j] += sign_[j] * slope;
    }
    e.gradient[k] += weight[c] * slope;
    for (std::size_t d = 0; d <= c; ++d) {
      const double both = weight[c] * weight[d] * sum(at, functions + d);
      e.at(k, columns[d].leaf) += both;
      if (d != c) e.at(columns[d].leaf, k) += both;
    }
  }
  point.size.resize(n);
  for (std::size_t k = 0; k < n; ++k) point.size[k] = e.at(k, k);
  follow(point);
}

// With product_ = F^T J and pull_ = R, the products of r with the derivatives of the functions: as
// the nonlinear unknowns move, the linear ones follow by -(F^T F)^-1 (F^T J + R), and the Jacobian
// of the projected residual has the products J^T J - (F^T J)^T (F^T F)^-1 (F^T J) +
// R^T (F^T F)^-1 R.
void SeparablePass::follow(ProjectedPoint& point) {
  const std::size_t m = column_.size();
  const std::size_t n = code_->nonlinear.size();
  point.follow.resize(m * n);
  for (std::size_t k = 0; k < n; ++k) {
    forward(product_[k]);
    forward(pull_[k]);
    for (std::size_t l = 0; l <= k; ++l) {
      double change = 0;
      for (std::size_t j = 0; j < m; ++j)
        change += pull_[k][j] * pull_[l][j] - product_[k][j] * product_[l][j];
      point.equations.at(k, l) += change;
      if (l != k) point.equations.at(l, k) += change;
    }
    Vector moves;
    for (std::size_t j = 0; j < m; ++j) moves[j] = -(product_[k][j] + pull_[k][j]);
    backward(moves);
    for (std::size_t j = 0; j < m; ++j) point.follow[j * n + k] = moves[j];
  }
}

}  // namespace vieta
