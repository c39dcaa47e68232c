#include "fit/fit.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "base/rng.h"
#include "eval/evaluate.h"
#include "expr/diff.h"
#include "fit/least_squares.h"
#include "fit/student_t.h"
#include "program/lower.h"

namespace vieta {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// Starts tried for a parameter nobody gave one for: all ones, then magnitudes from 1e-3 to 1e3 of
// either sign.
constexpr std::uint32_t kStarts = 40;
constexpr int kScoutIterations = 40;

/// The unknowns of one fit.
struct Unknowns {
  std::vector<Leaf> leaves;
  std::vector<std::string> names;
  std::vector<std::uint32_t> uniforms;
  std::vector<double> start;
  std::vector<bool> free_start;  ///< nobody said where to start
};

Result<Unknowns> choose_unknowns(const Expr& expr, const Program& program,
                                 const FitOptions& options) {
  bool parameters = options.tune == Tune::parameters || options.tune == Tune::all;
  bool constants = options.tune == Tune::constants || options.tune == Tune::all;
  if (options.tune == Tune::automatic) {
    parameters = program.parameters > 0;
    constants = !parameters;
  }
  Unknowns unknowns;
  const auto add = [&](const Leaf& leaf, double start, bool free_start) {
    unknowns.leaves.push_back(leaf);
    unknowns.names.push_back(leaf_name(expr, leaf));
    unknowns.uniforms.push_back(operand_of(program, leaf).index);
    const auto given = options.start.find(unknowns.names.back());
    const bool has_start = given != options.start.end();
    unknowns.start.push_back(has_start ? given->second : start);
    unknowns.free_start.push_back(free_start && !has_start);
  };
  for (std::size_t p = 0; parameters && p < program.parameters; ++p)
    add({Leaf::Kind::parameter, p}, 1.0, true);
  for (std::size_t c = 0; constants && c < program.constants.size(); ++c) {
    add({Leaf::Kind::constant, c}, program.constants[c], false);
  }
  if (unknowns.leaves.empty()) {
    return fail(ErrorCode::usage,
                "nothing to fit: the formula has no parameter and no number; name the unknowns in "
                "it, as in a*x + b");
  }
  for (const auto& [name, value] : options.start) {
    if (std::ranges::find(unknowns.names, name) != unknowns.names.end()) continue;
    return fail(ErrorCode::usage,
                fmt::format("'{}' is not fitted, so it needs no start: fitted are {}", name,
                            fmt::join(unknowns.names, ", ")),
                {.source = "--start"});
  }
  if (!parameters && program.parameters > 0) {
    return fail(ErrorCode::usage,
                fmt::format("parameter '{}' has no value: tune it, or write a number in its place",
                            expr.symbols().parameters.front()));
  }
  return unknowns;
}

Result<std::size_t> count_rows(const FitData& data) {
  std::size_t rows = 0;
  for (std::size_t r = 0; r < data.target.size(); ++r) {
    if (!data.weights.empty() && !(data.weights[r] >= 0 && std::isfinite(data.weights[r]))) {
      return fail(ErrorCode::data,
                  "a weight is negative or not finite: weights are numbers from 0 up",
                  {.row = r + 1});
    }
    if (!data.weights.empty() && data.weights[r] == 0) continue;
    if (!std::isfinite(data.target[r])) {
      return fail(ErrorCode::data, "the target is not finite: every row that counts needs a number",
                  {.row = r + 1});
    }
    ++rows;
  }
  if (rows == 0)
    return fail(ErrorCode::data, "no row counts: the table is empty or all weights are 0");
  return rows;
}

/// A fit under way.
struct Fit {
  const Expr& expr;
  const FitData& data;
  const FitOptions& options;
  const Program& program;
  const Unknowns& unknowns;
  FormulaProblem problem;
  LevenbergMarquardt minimizer;
  FitReport report;
  std::vector<double> best;

  Fit(const Expr& e, const FitData& d, const FitOptions& o, const Program& p, const Unknowns& u)
      : expr(e), data(d), options(o), program(p), unknowns(u), problem(d, o.target) {
    std::vector<double> uniforms(program.parameters, 1.0);
    uniforms.insert(uniforms.end(), program.constants.begin(), program.constants.end());
    problem.set(program, uniforms, unknowns.uniforms);
  }

  std::vector<double> start(std::uint32_t number) const {
    std::vector<double> x = unknowns.start;
    if (number == 0) return x;
    Rng rng(options.seed, number, 0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!unknowns.free_start[i]) continue;
      x[i] = std::pow(10.0, -3 + 6 * rng.uniform());
      if (rng.chance(0.3)) x[i] = -x[i];
    }
    return x;
  }

  // Scouts from every start with a few steps; the best one is followed to the end.
  Result<void> minimize() {
    const bool several = std::ranges::find(unknowns.free_start, true) != unknowns.free_start.end();
    double best_cost = std::numeric_limits<double>::infinity();
    for (std::uint32_t k = 0; k < (several ? kStarts : 1); ++k) {
      std::vector<double> x = start(k);
      const auto scout = minimizer.minimize(problem, x, {.max_iterations = kScoutIterations});
      report.n_evaluations += scout.evaluations;
      ++report.n_starts;
      if (scout.cost < best_cost) {
        best_cost = scout.cost;
        best = x;
      }
    }
    if (best.empty()) {
      return fail(ErrorCode::numeric,
                  fmt::format("no finite loss at any of {} starts: give --start values where the "
                              "formula is defined on every row",
                              report.n_starts));
    }
    const auto end = minimizer.minimize(problem, best, {.max_iterations = options.max_iterations});
    report.n_evaluations += end.evaluations;
    report.n_iterations = end.iterations;
    report.stop_reason = end.stop_reason;
    report.rss = end.cost;
    return {};
  }

  double weight(std::size_t r) const { return data.weights.empty() ? 1.0 : data.weights[r]; }

  // The Jacobian at the end, rows times the root of their weight. Rows that do not count are zero.
  Eigen::MatrixXd jacobian() {
    std::vector<double> parameters(program.parameters, 1.0);
    const auto uniforms = problem.uniforms_at(best);
    std::copy_n(uniforms.begin(), program.parameters, parameters.begin());
    Expr at_best = expr;
    at_best.set_constants(uniforms.subspan(program.parameters));
    const auto values = evaluate<double>(at_best, data.x, parameters, unknowns.leaves, 1,
                                         {.target = options.target});
    const auto n = static_cast<Eigen::Index>(unknowns.leaves.size());
    Eigen::MatrixXd jacobian(static_cast<Eigen::Index>(data.x.rows), n);
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto column = values.gradient_column(static_cast<std::size_t>(j));
      for (std::size_t r = 0; r < column.size(); ++r) {
        jacobian(static_cast<Eigen::Index>(r), j) =
            weight(r) == 0 ? 0 : std::sqrt(weight(r)) * column[r];
      }
    }
    return jacobian;
  }

  // Standard errors from a QR factorisation of the scaled Jacobian: J^T J would lose half the
  // digits.
  void estimate() {
    const auto n = static_cast<Eigen::Index>(unknowns.leaves.size());
    Eigen::MatrixXd j = jacobian();
    Eigen::VectorXd norms = j.colwise().norm().transpose();
    for (Eigen::Index i = 0; i < n; ++i) {
      if (norms(i) > 0) j.col(i) /= norms(i);
    }
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(j);
    qr.setThreshold(1e-13);
    const Eigen::Index rank = std::min<Eigen::Index>(qr.rank(), j.rows());
    const auto determined = static_cast<std::size_t>(rank);
    report.dof = report.rows > determined ? report.rows - determined : 0;
    report.loss = report.rss / problem.total_weight();
    report.residual_sd =
        report.dof > 0 ? std::sqrt(report.rss / static_cast<double>(report.dof)) : kNan;
    Eigen::MatrixXd covariance = Eigen::MatrixXd::Constant(n, n, kNan);
    if (rank > 0) {
      const Eigen::MatrixXd r = qr.matrixR().topLeftCorner(rank, rank);
      const Eigen::MatrixXd inverse =
          r.triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(rank, rank));
      const Eigen::MatrixXd product = inverse * inverse.transpose();
      const double variance =
          options.absolute_sigma ? 1.0 : report.residual_sd * report.residual_sd;
      const auto& order = qr.colsPermutation().indices();
      for (Eigen::Index a = 0; a < rank; ++a) {
        for (Eigen::Index b = 0; b < rank; ++b) {
          covariance(order(a), order(b)) =
              variance * product(a, b) / (norms(order(a)) * norms(order(b)));
        }
      }
    }
    if (rank < n) report_undetermined(qr, rank);
    write_estimates(covariance);
  }

  void report_undetermined(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr,
                           Eigen::Index rank) {
    std::vector<std::string> names;
    for (Eigen::Index a = rank; a < qr.cols(); ++a) {
      names.push_back(unknowns.names[static_cast<std::size_t>(qr.colsPermutation().indices()(a))]);
    }
    report.warnings.push_back(
        fmt::format("the data do not determine {}: other values fit as well (redundant, without "
                    "influence, or too few rows)",
                    fmt::join(names, ", ")));
  }

  void write_estimates(const Eigen::MatrixXd& covariance) {
    const std::size_t n = unknowns.leaves.size();
    const double t =
        student_t_quantile(0.975, options.absolute_sigma ? std::numeric_limits<double>::infinity()
                                                         : static_cast<double>(report.dof));
    for (std::size_t i = 0; i < n; ++i) {
      const auto a = static_cast<Eigen::Index>(i);
      const double error = std::sqrt(covariance(a, a));
      report.estimates.push_back(
          {unknowns.names[i], best[i], error, best[i] - t * error, best[i] + t * error});
      for (std::size_t k = 0; k < n; ++k) {
        const auto b = static_cast<Eigen::Index>(k);
        report.covariance.push_back(covariance(a, b));
        report.correlation.push_back(covariance(a, b) /
                                     std::sqrt(covariance(a, a) * covariance(b, b)));
      }
    }
    const auto rows = static_cast<double>(report.rows);
    const double count = static_cast<double>(n) + 1;  // the variance is estimated too
    report.aic = rows * std::log(report.rss / rows) + 2 * count;
    report.bic = rows * std::log(report.rss / rows) + count * std::log(rows);
  }

  // Parameters become numbers.
  Expr formula() {
    const auto uniforms = problem.uniforms_at(best);
    std::vector<Node> nodes(expr.nodes().begin(), expr.nodes().end());
    std::size_t constant = program.parameters;
    for (Node& node : nodes) {
      if (node.kind == NodeKind::constant) node = Node::constant(uniforms[constant++]);
      if (node.kind == NodeKind::parameter) node = Node::constant(uniforms[node.index]);
    }
    return Expr(std::move(nodes),
                std::make_shared<const Symbols>(Symbols{expr.symbols().variables, {}}));
  }
};

}  // namespace

Result<FitReport> fit(const Expr& expr, const FitData& data, const FitOptions& options) {
  VIETA_CHECK(data.x.pointers.size() == expr.symbols().variables.size());
  const Program program = lower(expr, {.tunable = true});
  const Result<Unknowns> unknowns = choose_unknowns(expr, program, options);
  if (!unknowns) return std::unexpected(unknowns.error());
  const Result<std::size_t> rows = count_rows(data);
  if (!rows) return std::unexpected(rows.error());
  Fit run(expr, data, options, program, *unknowns);
  run.report.rows = *rows;
  if (const auto done = run.minimize(); !done) return std::unexpected(done.error());
  run.estimate();
  run.report.formula = run.formula();
  if (run.report.stop_reason == StopReason::iteration_limit ||
      run.report.stop_reason == StopReason::no_progress) {
    run.report.warnings.push_back(fmt::format("no minimum was proved ({}): try other starts",
                                              to_text(run.report.stop_reason)));
  }
  return std::move(run.report);
}

}  // namespace vieta
