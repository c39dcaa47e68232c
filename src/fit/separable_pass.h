// separable_pass: a least-squares problem whose linear constants are solved for in one pass.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.h"
#include "eval/tile_run.h"
#include "fit/projected_model.h"
#include "fit/row_loss.h"
#include "program/basis.h"
#include "program/tile_code.h"

namespace vieta {

/// A formula split into the functions that its linear constants multiply, and the code for these
/// and their derivatives by the other constants.
struct SeparableCode {
  /// Functions and derivatives; with more of them, sums of all products cost more than they save.
  static constexpr std::size_t kMaxColumns = kSmall;

  bool usable = false;
  std::vector<std::uint32_t> linear;     ///< uniforms
  std::vector<std::uint32_t> nonlinear;  ///< uniforms
  Basis basis;
  TileCode code;
  ProjectedModel model;
};

/// Splits one program after another, keeping its scratch.
class SeparableCoder {
 public:
  /// `is_linear`: one for every entry of `unknowns`. The code is not usable where the split is not
  /// known or has too many columns.
  void run(const Program& program, std::span<const std::uint32_t> unknowns,
           std::span<const std::uint8_t> is_linear, SeparableCode& code);

 private:
  BasisSplitter splitter_;
  TileCoder coder_;
  std::vector<Operand> leaves_;
};

/// The sum of squared residuals of a formula over a table as a function of the constants that do
/// not enter linearly (variable projection: Golub and Pereyra, SIAM J. Numer. Anal. 10, 1973). One
/// pass gives the linear constants, the sum, its gradient and the curvature of its Gauss-Newton
/// model, all from the sums of products of the functions, their derivatives and the residual; the
/// residual is taken with the linear constants as predicted, so that no digits are lost where it
/// is small. No allocation once the largest formula was seen.
class SeparablePass {
 public:
  SeparablePass(const FitData& data, const kernels::KernelTable<double>& table)
      : data_(data), table_(table), run_(table, workspace_) {}

  /// `code` must be usable and outlive the use; `uniforms` are all of the program's. `known`: it
  /// has not been written since it was set here, if it was.
  void set(const SeparableCode& code, std::span<const double> uniforms, bool known);
  const SeparableCode& code() const { return *code_; }

  /// Moves the linear unknowns to where the sum is least and gives the local model. False if
  /// anything is not finite.
  bool project(ProjectedPoint& point);

 private:
  static constexpr std::size_t kMax = SeparableCode::kMaxColumns;

  bool sum_products(const ProjectedPoint& point);

  const FitData& data_;
  const kernels::KernelTable<double>& table_;
  Workspace<double> workspace_;
  TileRun<double> run_;
  const SeparableCode* code_ = nullptr;
  std::vector<double> uniforms_;
  std::array<const double*, kMax + 1> columns_{};
  std::array<double, (kMax + 2) * (kMax + 2)> sums_{};
  AlignedVector<double> residual_;
};

}  // namespace vieta
