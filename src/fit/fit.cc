#include "fit/fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/check.h"
#include "eval/evaluate.h"
#include "fit/criteria.h"
#include "fit/kinked_fit.h"
#include "fit/least_squares.h"
#include "fit/profile.h"
#include "fit/starts.h"
#include "fit/student_t.h"
#include "fit/uncertainty.h"
#include "fit/unknowns.h"
#include "fit/variable_projection.h"
#include "program/lower.h"

namespace vieta {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kStarts = 40;
constexpr int kScoutIterations = 40;
constexpr int kRefinements = 8;
constexpr double kRounding = 1e-14;  // of a sum of some thousand terms
// Nodes that do not depend on the table: constants and the operators in common use.
constexpr std::size_t kVocabulary = 10;

Result<std::size_t> count_rows(const FitData& data) {
  std::size_t rows = 0;
  for (std::size_t r = 0; r < data.target.size(); ++r) {
    if (!data.weights.empty() && !(data.weights[r] >= 0 && std::isfinite(data.weights[r]))) {
      return fail(ErrorCode::data,
                  "a weight is negative or not finite: weights are numbers from 0 up",
                  {.row = r + 1});
    }
    if (!data.weights.empty() && data.weights[r] == 0) continue;
    const std::string fault = target_fault(data.loss, data.target[r]);
    if (!fault.empty()) return fail(ErrorCode::data, fault, {.row = r + 1});
    ++rows;
  }
  if (rows == 0)
    return fail(ErrorCode::data, "no row counts: the table is empty or all weights are 0");
  return rows;
}

/// A fit under way.
class Fit {
 public:
  Fit(const Expr& expr, const FitData& data, const FitOptions& options, const Program& program,
      const Unknowns& unknowns, const std::vector<double>& uniforms)
      : expr_(expr),
        data_(data),
        options_(options),
        program_(program),
        unknowns_(unknowns),
        uniforms_(uniforms),
        problem_(data, options.target) {
    reset_problem();
  }

  Result<void> minimize();
  void estimate();
  void profile_intervals();
  void tie(const std::vector<Tie>& ties);
  void judge();
  FitReport report;

 private:
  void reset_problem() { problem_.set(program_, uniforms_, unknowns_.uniforms); }
  LeastSquaresOptions bounded(int max_iterations) const {
    // Down to where rounding hides the fall: every digit of an estimate is shown.
    return {.max_iterations = max_iterations,
            .gradient_tolerance = 1e-15,
            .lower = unknowns_.lower,
            .upper = unknowns_.upper};
  }
  LeastSquaresReport descend(std::span<double> x, int max_iterations);
  std::vector<std::uint8_t> linear_unknowns() const;
  void project(std::vector<double>& x, std::span<const std::uint8_t> linear, int iterations);
  void scout_all();
  void scout(std::vector<double> x);
  void try_projected(std::span<const std::uint8_t> linear);
  void refine();
  std::vector<double> parameters_at(std::span<const double> x);
  Expr at(std::span<const double> x);
  FitEnd end_at(std::span<const double> x);
  std::vector<std::uint8_t> at_bounds();
  double quantile() const;
  double squares_about_mean() const;
  void write_estimates(const std::vector<double>& covariance);
  void warn_of(const std::vector<std::size_t>& which, const char* text);

  const Expr& expr_;
  const FitData& data_;
  const FitOptions& options_;
  const Program& program_;
  const Unknowns& unknowns_;
  std::vector<double> uniforms_;
  FormulaProblem problem_;
  LevenbergMarquardt minimizer_;
  VariableProjection projection_;
  std::vector<double> best_;
  double best_cost_ = kInfinity;
};

LeastSquaresReport Fit::descend(std::span<double> x, int max_iterations) {
  LeastSquaresReport end;
  if (problem_.loss().kinked()) {
    end = minimize_kinked(minimizer_, problem_, data_, x, bounded(max_iterations),
                          [this](std::span<const double> point) { return end_at(point); });
  } else {
    end = minimizer_.minimize(problem_, x, bounded(max_iterations));
    report.n_evaluations += end.evaluations;
    report.n_iterations += end.iterations;
    if (data_.loss.squares() || end.stop_reason == StopReason::not_finite) return end;
    // Weights of the first kind get near from anywhere; the exact second derivatives get there.
    problem_.set_curvature(Curvature::exact);
    const LeastSquaresReport polished = minimizer_.minimize(problem_, x, bounded(max_iterations));
    problem_.set_curvature(Curvature::gauss_newton);
    if (polished.stop_reason != StopReason::not_finite) end = polished;
  }
  report.n_evaluations += end.evaluations;
  report.n_iterations += end.iterations;
  return end;
}

std::vector<std::uint8_t> Fit::linear_unknowns() const {
  const bool projects = data_.loss.squares() && unknowns_.lower.empty();
  std::vector<std::uint8_t> allowed(unknowns_.size(), projects ? 1 : 0);
  return linear_leaves(expr_, unknowns_.leaves, allowed);
}

// The linear unknowns always at their best.
void Fit::project(std::vector<double>& x, std::span<const std::uint8_t> linear, int iterations) {
  const auto end = projection_.minimize(problem_, linear, x,
                                        {.max_iterations = iterations, .cost_tolerance = 1e-9});
  report.n_evaluations += end.evaluations;
}

void Fit::scout(std::vector<double> x) {
  const auto end = problem_.loss().kinked()
                       ? descend(x, kScoutIterations)
                       : minimizer_.minimize(problem_, x, bounded(kScoutIterations));
  report.n_evaluations += end.evaluations;
  ++report.n_starts;
  if (!(end.cost < best_cost_)) return;
  best_cost_ = end.cost;
  best_ = x;
}

// A few steps from every start; the best one is followed to the end.
void Fit::scout_all() {
  const Starts starts(expr_, data_, unknowns_, uniforms_, options_.target, options_.seed);
  const std::vector<std::uint8_t> linear = linear_unknowns();
  const bool projects = std::ranges::count(linear, 1) > 0;
  const bool several = std::ranges::count(unknowns_.free_start, true) > 0;
  for (std::uint32_t k = 0; k < (several ? kStarts : 1); ++k) {
    std::vector<double> x = starts.draw(k);
    if (several && projects) project(x, linear, kScoutIterations);
    scout(std::move(x));
  }
}

// From a start that was given, the way down the valley of the linear unknowns may end lower.
void Fit::try_projected(std::span<const std::uint8_t> linear) {
  const auto known = static_cast<std::size_t>(std::ranges::count(linear, 1));
  if (known == 0 || known == linear.size()) return;
  std::vector<double> x = unknowns_.start;
  project(x, linear, options_.max_iterations);
  const auto end = descend(x, options_.max_iterations);
  // Clearly lower: between equal minima the one that the plain way leads to stays.
  if (!(end.cost < best_cost_ * (1 - 1e-6))) return;
  best_cost_ = end.cost;
  best_ = x;
  report.stop_reason = end.stop_reason;
}

// A fall of the cost that rounding hides still moves the unknowns by the root of it: steps of
// Newton's method (Gauss and Newton's for squares) as long as they shrink.
void Fit::refine() {
  if (problem_.loss().kinked() || !unknowns_.lower.empty()) return;
  problem_.set_curvature(data_.loss.squares() ? Curvature::gauss_newton : Curvature::exact);
  NormalEquations equations;
  const std::vector<double> no_damping(unknowns_.size(), 0.0);
  std::vector<double> step(unknowns_.size());
  // Of the sum: a residual has the rounding of the target it is taken from.
  const double rounding =
      kRounding *
      (std::fabs(best_cost_) + std::sqrt(std::fabs(best_cost_) * problem_.loss().target_squares()));
  double last = kInfinity;
  for (int k = 0; k < kRefinements; ++k) {
    ++report.n_evaluations;
    if (!problem_.linearize(best_, equations)) break;
    if (!solve_damped(equations, no_damping, 0, step)) break;
    double length = 0;  // in standard deviations, but for a factor
    for (std::size_t i = 0; i < step.size(); ++i) length -= step[i] * equations.gradient[i];
    if (!(length < last)) break;
    last = length;
    std::vector<double> trial = best_;
    for (std::size_t i = 0; i < step.size(); ++i) trial[i] += step[i];
    const double cost = problem_.cost(trial);
    if (!(cost <= best_cost_ + rounding)) break;
    best_ = trial;
    best_cost_ = std::min(cost, best_cost_);
  }
  problem_.set_curvature(Curvature::gauss_newton);
}

Result<void> Fit::minimize() {
  scout_all();
  if (best_.empty()) {
    return fail(ErrorCode::numeric,
                fmt::format("no finite loss at any of {} start{}{}: give --start values where the "
                            "formula is defined on every row",
                            report.n_starts, report.n_starts == 1 ? "" : "s",
                            report.n_starts == 1 ? "" : " of sizes that the data suggest"));
  }
  report.n_iterations = 0;
  const auto end = descend(best_, options_.max_iterations);
  report.stop_reason = end.stop_reason;
  best_cost_ = end.cost;
  if (std::ranges::count(unknowns_.free_start, true) == 0) try_projected(linear_unknowns());
  refine();
  return {};
}

std::vector<double> Fit::parameters_at(std::span<const double> x) {
  const auto uniforms = problem_.uniforms_at(x);
  return {uniforms.begin(), uniforms.begin() + static_cast<std::ptrdiff_t>(program_.parameters)};
}

Expr Fit::at(std::span<const double> x) {
  Expr result = expr_;
  result.set_constants(
      problem_.uniforms_at(x).subspan(program_.parameters, program_.constants.size()));
  return result;
}

FitEnd Fit::end_at(std::span<const double> x) {
  auto values = evaluate<double>(at(x), data_.x, parameters_at(x), unknowns_.leaves, 1,
                                 {.target = options_.target});
  return {data_.x.rows, unknowns_.size(), std::move(values.values), std::move(values.gradient)};
}

std::vector<std::uint8_t> Fit::at_bounds() {
  std::vector<std::uint8_t> held(unknowns_.size(), 0);
  for (std::size_t i = 0; i < unknowns_.lower.size(); ++i)
    held[i] = best_[i] <= unknowns_.lower[i] || best_[i] >= unknowns_.upper[i] ? 1 : 0;
  return held;
}

double Fit::quantile() const {
  const bool known_variance =
      options_.absolute_sigma || data_.loss.family == LossFamily::likelihood;
  return student_t_quantile(0.975, known_variance ? kInfinity : static_cast<double>(report.dof));
}

// NaN where there are none.
double Fit::squares_about_mean() const {
  const RowLoss& loss = problem_.loss();
  double mean = 0;
  for (std::size_t r = 0; r < data_.target.size(); ++r) {
    if (loss.counts(r)) mean += loss.weight(r) / loss.total_weight() * data_.target[r];
  }
  double sum = 0;
  for (std::size_t r = 0; r < data_.target.size(); ++r) {
    if (loss.counts(r)) sum += loss.weight(r) * (data_.target[r] - mean) * (data_.target[r] - mean);
  }
  return sum > 0 ? sum : kNan;
}

void Fit::warn_of(const std::vector<std::size_t>& which, const char* text) {
  if (which.empty()) return;
  std::vector<std::string> names;
  for (const std::size_t i : which) names.push_back(unknowns_.names[i]);
  report.warnings.push_back(fmt::format(fmt::runtime(text), fmt::join(names, ", ")));
}

void Fit::estimate() {
  const FitEnd end = end_at(best_);
  const RowLoss& loss = problem_.loss();
  const std::vector<std::uint8_t> held = at_bounds();
  double rss = 0;
  for (std::size_t r = 0; r < end.rows; ++r) {
    if (!loss.counts(r)) continue;
    const double residual = end.values[r] - data_.target[r];
    rss += loss.weight(r) * residual * residual;
  }
  const bool squares = data_.loss.squares();
  // The sum that was minimised, not one with other roundings.
  if (squares) rss = best_cost_;
  Covariance c = squares ? squares_covariance(end, loss, held)
                         : loss_covariance(data_, problem_, end, best_, held);
  report.dof = report.rows > c.determined ? report.rows - c.determined : 0;
  const double unit = loss.weight_unit();
  const double variance = report.dof > 0 ? rss / static_cast<double>(report.dof) : kNan;
  if (squares) {
    for (double& v : c.matrix) v *= options_.absolute_sigma ? 1 / unit : variance;
  }
  report.rss = rss * unit;
  report.r2 = 1 - rss / squares_about_mean();
  report.residual_sd = std::sqrt(variance * unit);
  report.loss = best_cost_ / loss.total_weight();
  report.absolute_sigma = options_.absolute_sigma;
  warn_of(
      c.undetermined,
      "the data do not determine {}: other values fit as well (redundant, without influence, or "
      "too few rows)");
  std::vector<std::size_t> bound;
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (held[i] != 0) bound.push_back(i);
  }
  warn_of(bound, "at its bound: {}; errors are those of the others with it held there");
  write_estimates(c.matrix);
}

void Fit::write_estimates(const std::vector<double>& covariance) {
  const std::size_t n = unknowns_.size();
  const double t = quantile();
  for (std::size_t i = 0; i < n; ++i) {
    const double error = std::sqrt(covariance[i * n + i]);
    report.estimates.push_back(
        {unknowns_.names[i], best_[i], error, best_[i] - t * error, best_[i] + t * error});
    for (std::size_t k = 0; k < n; ++k) {
      report.correlation.push_back(covariance[i * n + k] /
                                   std::sqrt(covariance[i * n + i] * covariance[k * n + k]));
    }
  }
  report.covariance = covariance;
}

void Fit::profile_intervals() {
  if (!options_.profile) return;
  const double unit = problem_.loss().weight_unit();
  const double t = quantile();
  double rise = t * t;
  if (!data_.loss.squares() || options_.absolute_sigma) {
    rise /= unit;
  } else {
    rise *= report.dof > 0 ? best_cost_ / static_cast<double>(report.dof) : kNan;
  }
  const ProfileCentre centre{program_, unknowns_, uniforms_, best_, best_cost_, rise};
  bool met_lower = false;
  for (std::size_t i = 0; i < unknowns_.size() && rise > 0; ++i) {
    Estimate& estimate = report.estimates[i];
    const double size = std::max(std::fabs(estimate.value), 1e-3);
    const double step = estimate.std_error > 0 ? t * estimate.std_error : 0.1 * size;
    const Profile p = profile(problem_, minimizer_, centre, i, step);
    estimate.profile95_low = p.low;
    estimate.profile95_high = p.high;
    report.n_evaluations += p.evaluations;
    met_lower = met_lower || p.met_lower;
  }
  reset_problem();
  if (met_lower) {
    report.warnings.push_back(
        "the profile met a lower loss than the fit: start from there, the intervals mean little");
  }
}

// Values of the ties and, to first order, their errors.
void Fit::tie(const std::vector<Tie>& ties) {
  const ColumnsView<double> no_columns{{}, 1, 1};
  const std::vector<double> parameters = parameters_at(best_);
  const std::size_t n = unknowns_.size();
  for (const Tie& tie : ties) {
    const auto e = evaluate<double>(tie.formula, no_columns, parameters, unknowns_.leaves, 1, {});
    double variance = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const double slopes = e.gradient_column(i)[0] * e.gradient_column(j)[0];
        if (slopes != 0) variance += slopes * report.covariance[i * n + j];
      }
    }
    const double error = std::sqrt(variance);
    const double value = e.values[0];
    report.tied.push_back(
        {tie.name, value, error, value - quantile() * error, value + quantile() * error});
  }
}

// Parameters become numbers, and a sign before one its own.
Expr with_numbers(const Expr& expr, std::span<const double> parameters) {
  std::vector<Node> nodes;
  for (const Node& node : expr.nodes()) {
    if (node.kind == NodeKind::parameter) {
      nodes.push_back(Node::constant(parameters[node.index]));
    } else if (node.is_call(Op::neg) && nodes.back().is_constant()) {
      nodes.back().value = -nodes.back().value;
    } else {
      nodes.push_back(node);
    }
  }
  restore_sizes(nodes);
  return Expr(std::move(nodes),
              std::make_shared<const Symbols>(Symbols{expr.symbols().variables, {}}));
}

void Fit::judge() {
  report.model = at(best_);
  report.leaves = unknowns_.leaves;
  report.parameters = parameters_at(best_);
  report.formula = with_numbers(report.model, report.parameters);
  report.loss_name = data_.loss.name;
  report.family = data_.loss.family;
  for (const auto& entry : options_.fixed) report.fixed.emplace_back(entry);
  const FitSize size{report.family,
                     report.loss,
                     problem_.total_weight() * problem_.loss().weight_unit(),
                     report.rows,
                     unknowns_.size(),
                     expr_.complexity(),
                     data_.x.pointers.size() + kVocabulary};
  report.aic = akaike(size);
  report.bic = schwarz(size);
  report.description_length = description_length(size);
  if (report.stop_reason == StopReason::iteration_limit ||
      report.stop_reason == StopReason::no_progress) {
    report.warnings.push_back(
        fmt::format("no minimum was proved ({}): try other starts", to_text(report.stop_reason)));
  }
}

}  // namespace

Result<FitReport> fit(const Expr& expr, const FitData& data, const FitOptions& options) {
  VIETA_CHECK(data.x.pointers.size() == expr.symbols().variables.size());
  if (options.profile &&
      (data.loss.family == LossFamily::robust || data.loss.family == LossFamily::kinked)) {
    return fail(
        ErrorCode::usage,
        fmt::format("profile intervals need a likelihood, and the loss '{}' is none: use l2, "
                    "poisson or binomial, or do without",
                    data.loss.name),
        {.source = "--profile"});
  }
  const Result<TiedFormula> tied = tie_parameters(expr, options);
  if (!tied) return std::unexpected(tied.error());
  const Program program = lower(tied->expr, {.tunable = true});
  std::vector<double> uniforms;
  const Result<Unknowns> unknowns = choose_unknowns(tied->expr, program, options, uniforms);
  if (!unknowns) return std::unexpected(unknowns.error());
  const Result<std::size_t> rows = count_rows(data);
  if (!rows) return std::unexpected(rows.error());
  Fit run(tied->expr, data, options, program, *unknowns, uniforms);
  run.report.rows = *rows;
  if (const auto done = run.minimize(); !done) return std::unexpected(done.error());
  run.estimate();
  run.profile_intervals();
  run.tie(tied->ties);
  run.judge();
  return std::move(run.report);
}

}  // namespace vieta
