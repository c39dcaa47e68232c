#include "fit/formula_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace vieta {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// From so many rows on a search is not slower with chains: measured at 8 to 2,000 rows.
constexpr std::size_t kChainedRows = 400;

}  // namespace

FormulaProblem::FormulaProblem(const FitData& data, kernels::Target target)
    : data_(data),
      table_(kernels::kernel_table<double>(target)),
      stride_(padded<double>(tile_rows<double>(1, data.x.rows) + kernels::kMaxLanes)),
      loss_(data, target, stride_) {
  coder_.set_chains(data.x.rows >= kChainedRows);
}

void FormulaProblem::set(const Program& program, std::span<const double> uniforms,
                         std::span<const std::uint32_t> unknowns, FormulaCode& code) {
  VIETA_CHECK(uniforms.size() == program.uniforms());
  program_ = &program;
  uniforms_.assign(uniforms.begin(), uniforms.end());
  unknowns_.assign(unknowns.begin(), unknowns.end());
  leaves_.clear();
  for (const std::uint32_t u : unknowns_) leaves_.push_back({Operand::Kind::uniform, u});
  code_ = &code;
  if (!code.has_value) {
    coder_.value(program, code.value);
    code.has_value = true;
    code.has_derivatives = false;
  }
}

void FormulaProblem::set_curvature(Curvature curvature) { curvature_ = curvature; }

std::span<const double> FormulaProblem::uniforms_at(std::span<const double> x) {
  VIETA_CHECK(x.size() == unknowns_.size());
  for (std::size_t i = 0; i < x.size(); ++i) uniforms_[unknowns_[i]] = x[i];
  return uniforms_;
}

double FormulaProblem::cost(std::span<const double> x) {
  ++passes_;
  TileRun<double> run(table_, workspace_);
  run.bind(code_->value, data_.x);
  run.start(uniforms_at(x));
  double sum = 0;
  while (run.next()) {
    sum += loss_.sum(run.output(0), run.first_row(), run.rows());
    if (!run.status().ok && !loss_.has_zero_weight()) return kInfinity;
  }
  // With rows that do not count, a value that is not finite matters only if it is in the sum.
  return std::isfinite(sum) ? sum : kInfinity;
}

void FormulaProblem::code_derivatives() {
  if (code_->has_derivatives && code_->curvature == curvature_ && code_->leaves == leaves_) return;
  if (curvature_ == Curvature::exact) {
    coder_.hessian(*program_, leaves_, code_->derivatives);
  } else {
    coder_.gradient(*program_, leaves_, code_->derivatives);
  }
  code_->leaves = leaves_;
  code_->curvature = curvature_;
  code_->has_derivatives = true;
}

bool FormulaProblem::linearize(std::span<const double> x, NormalEquations& equations) {
  ++passes_;
  code_derivatives();
  const std::size_t n = unknowns_.size();
  equations.reset(n);
  TileRun<double> run(table_, derivative_workspace_);
  run.bind(code_->derivatives, data_.x);
  run.start(uniforms_at(x));
  while (run.next()) {
    equations.cost += loss_.derivatives(run.output(0), run.first_row(), run.rows(), curvature_);
    if (!run.status().ok && !loss_.has_zero_weight()) return false;
    accumulate(run, equations);
    if (curvature_ == Curvature::exact) add_formula_curvature(run, equations);
  }
  bool finite = std::isfinite(equations.cost);
  for (std::size_t i = 0; i < n; ++i) {
    finite = finite && std::isfinite(equations.gradient[i]);
    for (std::size_t j = 0; j <= i; ++j) {
      equations.at(j, i) = equations.at(i, j);
      finite = finite && std::isfinite(equations.at(i, j));
    }
  }
  return finite;
}

double FormulaProblem::gradient(std::span<const double> x, std::span<double> gradient) {
  VIETA_CHECK(gradient.size() == unknowns_.size());
  ++passes_;
  set_curvature(Curvature::gauss_newton);
  code_derivatives();
  std::ranges::fill(gradient, 0.0);
  TileRun<double> run(table_, derivative_workspace_);
  run.bind(code_->derivatives, data_.x);
  run.start(uniforms_at(x));
  double sum = 0;
  while (run.next()) {
    sum += loss_.derivatives(run.output(0), run.first_row(), run.rows(), curvature_);
    if (!run.status().ok && !loss_.has_zero_weight()) return kInfinity;
    for (std::size_t i = 0; i < gradient.size(); ++i)
      gradient[i] += table_.dot(counted(run.output(1 + i), run), loss_.pull(), run.rows());
  }
  return std::isfinite(sum) ? sum : kInfinity;
}

// A column of the tile, 0 on rows that do not count.
const double* FormulaProblem::counted(const double* column, const TileRun<double>& run) {
  if (!loss_.has_zero_weight()) return column;
  if (columns_.size() < stride_) columns_.resize(stride_);
  for (std::size_t r = 0; r < run.rows(); ++r)
    columns_[r] = loss_.counts(run.first_row() + r) ? column[r] : 0;
  return columns_.data();
}

// All products of the columns of J with each other and with the residuals, which stand behind them.
void FormulaProblem::accumulate_squares(const TileRun<double>& run, NormalEquations& equations) {
  const std::size_t n = unknowns_.size();
  gram_columns_.resize(n + 1);
  for (std::size_t i = 0; i < n; ++i) gram_columns_[i] = run.output(1 + i);
  gram_columns_[n] = loss_.pull();
  gram_.assign((n + 1) * (n + 1), 0.0);
  table_.add_gram(gram_columns_.data(), n + 1, run.rows(), gram_.data(), n + 1);
  for (std::size_t i = 0; i < n; ++i) {
    equations.gradient[i] += gram_[n * (n + 1) + i];
    for (std::size_t j = 0; j <= i; ++j) equations.at(i, j) += gram_[i * (n + 1) + j];
  }
}

void FormulaProblem::accumulate(const TileRun<double>& run, NormalEquations& equations) {
  if (loss_.plain()) return accumulate_squares(run, equations);
  const std::size_t n = unknowns_.size();
  bend_columns(run);
  for (std::size_t i = 0; i < n; ++i) {
    const double* bent = columns_.data() + i * stride_;
    const double* column = columns_.data() + (n + i) * stride_;
    equations.gradient[i] += table_.dot(column, loss_.pull(), run.rows());
    for (std::size_t j = 0; j <= i; ++j)
      equations.at(i, j) += table_.dot(bent, columns_.data() + (n + j) * stride_, run.rows());
  }
}

// Columns of J twice: times the bend, and as they are; both zero on rows that do not count,
// whatever J holds there.
void FormulaProblem::bend_columns(const TileRun<double>& run) {
  const std::size_t n = unknowns_.size();
  if (columns_.size() < 2 * n * stride_) columns_.resize(2 * n * stride_);
  const bool mask = loss_.has_zero_weight();
  for (std::size_t i = 0; i < n; ++i) {
    double* bent = columns_.data() + i * stride_;
    double* column = columns_.data() + (n + i) * stride_;
    for (std::size_t r = 0; r < run.rows(); ++r) {
      column[r] = mask && !loss_.counts(run.first_row() + r) ? 0 : run.output(1 + i)[r];
      bent[r] = loss_.bend()[r] * column[r];
    }
  }
}

// The part of the second derivative that Gauss and Newton leave out: loss' times the formula's own.
void FormulaProblem::add_formula_curvature(const TileRun<double>& run, NormalEquations& equations) {
  const std::size_t n = unknowns_.size();
  std::size_t packed = 1 + n;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i, ++packed) {
      const double* second = counted(run.output(packed), run);
      equations.at(i, j) += table_.dot(second, loss_.pull(), run.rows());
    }
  }
}

}  // namespace vieta
