// formula_problem: the loss of a formula over a table, as a function of chosen uniforms.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.h"
#include "eval/tile_run.h"
#include "fit/least_squares.h"
#include "fit/row_loss.h"
#include "program/program.h"
#include "program/tile_code.h"

namespace vieta {

/// The code of one formula's value and derivatives. Written by FormulaProblem; a caller who keeps
/// it with the formula saves writing it again.
struct FormulaCode {
  TileCode value;
  TileCode derivatives;
  std::vector<Operand> leaves;  ///< of the derivatives
  bool has_value = false;
  bool has_derivatives = false;
  Curvature curvature = Curvature::gauss_newton;  ///< of the derivatives
};

/// sum over rows of weight * loss(formula, target) as a function of chosen uniforms. The gradient
/// and the curvature are accumulated tile by tile; no rows x unknowns array exists. Sums are taken
/// in an order that depends on the number of rows alone. No allocation once the largest formula was
/// seen.
class FormulaProblem : public LeastSquaresProblem {
 public:
  FormulaProblem(const FitData& data, kernels::Target target);

  /// Chains (TileCoder) also where there are few rows: for code that many fits will run.
  void set_chains(bool on) { coder_.set_chains(on); }

  /// The formula, and the uniforms that are unknown; the others keep the values given. `program`
  /// must outlive the use.
  void set(const Program& program, std::span<const double> uniforms,
           std::span<const std::uint32_t> unknowns) {
    own_code_.has_value = false;
    set(program, uniforms, unknowns, own_code_);
  }
  /// The same with code that the caller keeps: empty, or of an equal program.
  void set(const Program& program, std::span<const double> uniforms,
           std::span<const std::uint32_t> unknowns, FormulaCode& code);
  /// All uniforms with the unknowns at x.
  std::span<const double> uniforms_at(std::span<const double> x);

  void set_curvature(Curvature curvature);
  RowLoss& loss() { return loss_; }
  const RowLoss& loss() const { return loss_; }

  std::size_t unknowns() const override { return unknowns_.size(); }
  double cost(std::span<const double> x) override;
  bool linearize(std::span<const double> x, NormalEquations& equations) override;
  /// The cost, and half its gradient without the curvature. Infinite where linearize is false for a
  /// value that is not finite.
  double gradient(std::span<const double> x, std::span<double> gradient);
  /// Over the data, so far: a value or a linearisation counts 1.
  std::uint64_t passes() const { return passes_; }
  double total_weight() const { return loss_.total_weight(); }

 private:
  void code_derivatives();
  void accumulate(const TileRun<double>& run, NormalEquations& equations);
  void accumulate_squares(const TileRun<double>& run, NormalEquations& equations);
  void add_formula_curvature(const TileRun<double>& run, NormalEquations& equations);
  const double* counted(const double* column, const TileRun<double>& run);
  void bend_columns(const TileRun<double>& run);

  const FitData& data_;
  const kernels::KernelTable<double>& table_;
  std::size_t stride_;
  RowLoss loss_;
  Curvature curvature_ = Curvature::gauss_newton;
  const Program* program_ = nullptr;
  std::vector<double> uniforms_;
  std::vector<std::uint32_t> unknowns_;
  std::vector<Operand> leaves_;
  TileCoder coder_;
  FormulaCode own_code_;
  FormulaCode* code_ = &own_code_;
  std::uint64_t passes_ = 0;
  Workspace<double> workspace_;             ///< of values
  Workspace<double> derivative_workspace_;  ///< so that neither has to be made ready again
  std::vector<const double*> gram_columns_;
  std::vector<double> gram_;
  AlignedVector<double> columns_;  ///< of J unless the loss is plain: times the bend, then as it is
};

}  // namespace vieta
