#include "fit/fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "eval/evaluate.h"
#include "expr/operators.h"
#include "fit/criteria.h"
#include "fit/descent.h"
#include "fit/fit_input.h"
#include "fit/profile.h"
#include "fit/student_t.h"
#include "fit/uncertainty.h"
#include "fit/unknowns.h"
#include "program/lower.h"

namespace vieta {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
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
  explicit Fit(const FitInput& input)
      : input_(input),
        data_(input.data),
        options_(input.options),
        unknowns_(input.unknowns),
        problem_(data_, options_.target) {}

  Result<void> minimize();
  void estimate();
  void profile_intervals();
  void tie(const std::vector<Tie>& ties);
  void judge();
  FitReport report;

 private:
  std::vector<std::uint8_t> at_bounds() const;
  double quantile() const;
  double squares_about_mean() const;
  void write_estimates(const std::vector<double>& covariance);
  void warn_of(const std::vector<std::size_t>& which, const char* text);

  const FitInput& input_;
  const FitData& data_;
  const FitOptions& options_;
  const Unknowns& unknowns_;
  FormulaProblem problem_;
  LevenbergMarquardt minimizer_;
  Minimum best_;
};

Result<void> Fit::minimize() {
  best_ = Descent(input_, problem_, minimizer_).run();
  report.n_starts = best_.starts;
  if (best_.x.empty()) {
    const std::string fault = unfinished_calls(input_.expr);
    return fail(ErrorCode::numeric,
                fmt::format("no finite loss at any of {} start{}{}: give --start values where the "
                            "formula is defined on every row{}",
                            report.n_starts, report.n_starts == 1 ? "" : "s",
                            report.n_starts == 1 ? "" : " of sizes that the data suggest",
                            fault.empty() ? "" : "; " + fault + ": does it end for every row?"));
  }
  report.n_iterations = best_.iterations;
  report.stop_reason = best_.stop_reason;
  return {};
}

std::vector<std::uint8_t> Fit::at_bounds() const {
  std::vector<std::uint8_t> held(unknowns_.size(), 0);
  for (std::size_t i = 0; i < unknowns_.lower.size(); ++i)
    held[i] = best_.x[i] <= unknowns_.lower[i] || best_.x[i] >= unknowns_.upper[i] ? 1 : 0;
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
  const FitEnd end = input_.end_at(best_.x);
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
  if (squares) rss = best_.cost;
  Covariance c = squares ? squares_covariance(end, loss, held)
                         : loss_covariance(data_, problem_, end, best_.x, held);
  report.dof = report.rows > c.determined ? report.rows - c.determined : 0;
  const double unit = loss.weight_unit();
  const double variance = report.dof > 0 ? rss / static_cast<double>(report.dof) : kNan;
  if (squares) {
    for (double& v : c.matrix) v *= options_.absolute_sigma ? 1 / unit : variance;
  }
  report.rss = rss * unit;
  report.r2 = 1 - rss / squares_about_mean();
  report.residual_sd = std::sqrt(variance * unit);
  report.loss = best_.cost / loss.total_weight();
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
        {unknowns_.names[i], best_.x[i], error, best_.x[i] - t * error, best_.x[i] + t * error});
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
    rise *= report.dof > 0 ? best_.cost / static_cast<double>(report.dof) : kNan;
  }
  const ProfileCentre centre{input_.program, unknowns_, input_.uniforms, best_.x, best_.cost, rise};
  bool met_lower = false;
  for (std::size_t i = 0; i < unknowns_.size() && rise > 0; ++i) {
    Estimate& estimate = report.estimates[i];
    const double size = std::max(std::fabs(estimate.value), 1e-3);
    const double step = estimate.std_error > 0 ? t * estimate.std_error : 0.1 * size;
    const Profile p = profile(problem_, minimizer_, centre, i, step);
    estimate.profile95_low = p.low;
    estimate.profile95_high = p.high;
    met_lower = met_lower || p.met_lower;
  }
  if (met_lower) {
    report.warnings.push_back(
        "the profile met a lower loss than the fit: start from there, the intervals mean little");
  }
}

// Values of the ties and, to first order, their errors.
void Fit::tie(const std::vector<Tie>& ties) {
  const ColumnsView<double> no_columns{{}, 1, 1};
  const std::vector<double> parameters = input_.parameters_at(best_.x);
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
  report.n_evaluations = problem_.passes();
  report.model = input_.model_at(best_.x);
  report.leaves = unknowns_.leaves;
  report.parameters = input_.parameters_at(best_.x);
  report.formula = with_numbers(report.model, report.parameters);
  report.loss_name = data_.loss.name;
  report.family = data_.loss.family;
  for (const auto& entry : options_.fixed) report.fixed.emplace_back(entry);
  const FitSize size{report.family,
                     report.loss,
                     problem_.total_weight() * problem_.loss().weight_unit(),
                     report.rows,
                     unknowns_.size(),
                     input_.expr.complexity(),
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
  const FitInput input{tied->expr, data, options, program, *unknowns, uniforms};
  Fit run(input);
  run.report.rows = *rows;
  if (const auto done = run.minimize(); !done) return std::unexpected(done.error());
  run.estimate();
  run.profile_intervals();
  run.tie(tied->ties);
  run.judge();
  return std::move(run.report);
}

}  // namespace vieta
