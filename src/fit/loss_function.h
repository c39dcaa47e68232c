// loss_function: a loss as a callable of the user's own, differentiated with no rule written.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "ad/ad.h"
#include "fit/loss.h"

namespace vieta {

/// The loss that `f(prediction, target)` gives for a row. `f` is one generic callable, as
///   [](auto prediction, auto target) { const auto r = prediction - target; return log(1 + r*r); }
/// called with double and with ad::Jet2<double, 1> predictions, targets always double; branches,
/// loops and recursion are fine. It should be least where the two are equal. `family` says how the
/// spread of estimates follows: robust, or likelihood for minus twice a log-likelihood. A kink
/// where the two meet is found by itself. Cost: a call a row.
template <class F>
Loss loss_function(std::string name, F f, LossFamily family = LossFamily::robust) {
  Loss loss;
  loss.name = std::move(name);
  loss.family = family;
  loss.function = [f = std::move(f)](const double* prediction, const double* target,
                                     std::size_t rows, int order, double* const* results) {
    for (std::size_t r = 0; r < rows; ++r) {
      if (order == 0) {
        results[0][r] = static_cast<double>(f(prediction[r], target[r]));
        continue;
      }
      using Jet = ad::Jet2<double, 1>;
      const Jet l = f(Jet::variable(prediction[r], 0), target[r]);
      results[0][r] = l.value;
      results[1][r] = l.d[0];
      if (order == 2) results[2][r] = l.dd[0];
    }
  };
  return loss;
}

}  // namespace vieta
