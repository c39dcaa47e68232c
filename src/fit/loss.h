// loss: what a fit minimises. Every loss is a formula in the prediction and the target, so that its
// derivatives are the engine's.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "expr/expr.h"
#include "expr/parse.h"

namespace vieta {

/// How the spread of the estimates follows from a loss.
enum class LossFamily {
  squares,     ///< l2: Gaussian residuals of unknown variance
  likelihood,  ///< minus twice a log-likelihood up to a constant: inverse of the information
  robust,      ///< anything else that is smooth: sandwich estimate
  kinked,      ///< l1, quantile: sandwich estimate with the density of the residuals at 0
};

/// The loss of one row. The fit minimises the sum over rows of weight * loss.
struct Loss {
  std::string name = "l2";  ///< as parse_loss reads it
  LossFamily family = LossFamily::squares;
  Expr formula;           ///< over variables prediction and target; unused for l2
  double quantile = 0.5;  ///< that a kinked loss estimates
  /// Instead of a formula: fills results[k], k <= order, with the k-th derivative by the prediction
  /// (see loss_function.h). Called from several threads.
  std::function<void(const double* prediction, const double* target, std::size_t rows, int order,
                     double* const* results)>
      function = {};

  bool squares() const { return family == LossFamily::squares; }
};

/// l2            (prediction - target)^2
/// l1            |prediction - target|
/// huber:d       r^2/2 up to |r| = d, then d*(|r| - d/2)             Huber, Ann. Math. Stat. 35
/// (1964) quantile:q    q*r above, (q - 1)*r below, r = target - prediction  Koenker, Bassett
/// (1978) log_cosh      log(cosh(r)) poisson       deviance of counts; the prediction is their
/// mean, above 0 binomial      deviance of fractions; the prediction is a probability, between 0
/// and 1; weights
///               are numbers of trials
/// a formula     in `prediction` and `target` (also `f` and `y`), as in 'abs(f - y)^1.5'; it should
///               be least where they are equal
///
/// `operators` gives what the formula may call besides the built-in operators. Errors (usage): an
/// unknown name, a shape out of range, a formula that does not parse or lacks the prediction.
Result<Loss> parse_loss(std::string_view text, const ParseOptions& operators = {});

/// Why the loss cannot take this target, and what it wants; empty if it can.
std::string target_fault(const Loss& loss, double target);

}  // namespace vieta
