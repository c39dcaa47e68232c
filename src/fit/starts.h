// starts: where to look for unknowns that nobody gave a start for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "expr/expr.h"
#include "fit/row_loss.h"
#include "fit/unknowns.h"
#include "kernels/kernel_table.h"

namespace vieta {

/// What the formula's structure and the data say of one unknown: beside a factor u it is of the
/// size of 1/u, beside a summand u it lies among the values of u.
struct StartHint {
  double size = 1;             ///< above 0
  std::vector<double> places;  ///< values it may start from, if it is a summand
};

/// Draws points to start from: number 0 at the hinted sizes, 1 at ones, the others at random around
/// the hints and, now and then, anywhere between 1e-3 and 1e3 of either sign. The same for the same
/// seed. Unknowns with a start given stay there; bounds are kept.
class Starts {
 public:
  /// `uniforms`: parameters, then constants, for what is not unknown.
  Starts(const Expr& expr, const FitData& data, const Unknowns& unknowns,
         std::span<const double> uniforms, kernels::Target target, std::uint64_t seed);

  std::vector<double> draw(std::uint32_t number) const;
  const StartHint& hint(std::size_t unknown) const { return hints_[unknown]; }

 private:
  const Unknowns& unknowns_;
  std::vector<StartHint> hints_;
  std::uint64_t seed_;
};

}  // namespace vieta
