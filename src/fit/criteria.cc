#include "fit/criteria.h"

#include <cmath>
#include <limits>

namespace vieta {
namespace {

// The variance or the scale is estimated too, unless the loss fixes it.
double count(const FitSize& size) {
  return static_cast<double>(size.constants) + (size.family == LossFamily::likelihood ? 0 : 1);
}

}  // namespace

double minus_two_log_likelihood(const FitSize& size) {
  const auto n = static_cast<double>(size.rows);
  switch (size.family) {
    case LossFamily::likelihood:
      return size.loss * size.total_weight;
    case LossFamily::kinked:
      return 2 * n * std::log(size.loss);
    default:
      return n * std::log(size.loss);
  }
}

double akaike(const FitSize& size) {
  if (size.family == LossFamily::robust) return std::numeric_limits<double>::quiet_NaN();
  return minus_two_log_likelihood(size) + 2 * count(size);
}

double schwarz(const FitSize& size) {
  if (size.family == LossFamily::robust) return std::numeric_limits<double>::quiet_NaN();
  return minus_two_log_likelihood(size) + count(size) * std::log(static_cast<double>(size.rows));
}

double description_length(const FitSize& size) {
  const auto n = static_cast<double>(size.rows);
  const double k = count(size);
  const double few_rows = n > k + 1 ? k * (k + 1) / (n - k - 1) : k * (k + 1);
  return minus_two_log_likelihood(size) / 2 + k / 2 * std::log(n) + few_rows +
         static_cast<double>(size.complexity) * std::log(static_cast<double>(size.vocabulary));
}

}  // namespace vieta
