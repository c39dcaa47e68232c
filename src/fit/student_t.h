// student_t: the quantile that turns a standard error into an interval.
#pragma once

namespace vieta {

/// P(T <= t) of Student's t with `dof` > 0 degrees of freedom (may be infinite: the normal
/// distribution). Relative error of the smaller tail below 1e-12. Source: Abramowitz and
/// Stegun 26.7.1, the incomplete beta function by the continued fraction of DLMF 8.17.22.
double student_t_probability(double t, double dof);

/// The t with P(T <= t) = p, 0 < p < 1. NaN unless dof > 0.
double student_t_quantile(double p, double dof);

}  // namespace vieta
