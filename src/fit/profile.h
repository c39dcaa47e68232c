// profile: intervals from the likelihood itself.
#pragma once

#include <span>
#include <utility>

#include "fit/formula_problem.h"
#include "fit/least_squares.h"
#include "fit/unknowns.h"

namespace vieta {

/// A fit that has ended, to look around in.
struct ProfileCentre {
  const Program& program;
  const Unknowns& unknowns;
  std::span<const double> uniforms;  ///< all of them, at the end of the fit
  std::span<const double> x;         ///< the unknowns there
  double cost = 0;                   ///< the least
  double rise = 0;                   ///< at the ends of the interval the cost is cost + rise
};

struct Profile {
  double low = 0;   ///< -inf where the cost never rises so far (or down to its bound: the bound)
  double high = 0;  ///< likewise
  bool met_lower = false;  ///< a cost clearly below the centre's: the fit had missed the least
};

/// The interval of unknown `index` within which the cost, least over all other unknowns, rises by
/// at most `rise` (profile likelihood; Bates and Watts, Nonlinear Regression, 1988, ch. 6).
/// `first_step` is a guess of its half width, above 0. Ends are found to 1e-8 of the width.
Profile profile(FormulaProblem& problem, LevenbergMarquardt& minimizer, const ProfileCentre& centre,
                std::size_t index, double first_step);

}  // namespace vieta
