// unknowns: what a fit is to find, and what it is told of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "expr/diff.h"
#include "expr/expr.h"
#include "fit/fit.h"
#include "program/program.h"

namespace vieta {

/// One entry for every unknown in each list.
struct Unknowns {
  std::vector<Leaf> leaves;
  std::vector<std::string> names;
  std::vector<std::uint32_t> uniforms;  ///< of the program
  std::vector<double> start;
  std::vector<bool> free_start;  ///< nobody said where to start
  std::vector<double> lower;     ///< empty if nothing is bounded
  std::vector<double> upper;

  std::size_t size() const { return leaves.size(); }
};

/// The unknowns of a formula lowered with tunable constants. `uniforms` is set to where the fit
/// starts: starts and fixed values. Errors: as fit's.
Result<Unknowns> choose_unknowns(const Expr& expr, const Program& program,
                                 const FitOptions& options, std::vector<double>& uniforms);

/// A parameter that is a formula of others, with all ties in it resolved.
struct Tie {
  std::string name;
  Expr formula;  ///< no variables; its parameters are those of the tied formula
};

/// `expr` with tied parameters replaced by their formulas; its parameters are those that are left
/// and the new ones. Errors (usage): as fit's.
struct TiedFormula {
  Expr expr;
  std::vector<Tie> ties;
};
Result<TiedFormula> tie_parameters(const Expr& expr, const FitOptions& options);

}  // namespace vieta
