#include "report/fit_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "expr/print.h"

namespace vieta {
namespace {

nlohmann::ordered_json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

std::string value_with_error(double value, double error) {
  if (!std::isfinite(error) || !std::isfinite(value)) return number_text_rounded(value, 8) + " ± ?";
  if (error == 0) return number_text_rounded(value, 12) + " ± 0";
  // The place of the error's second digit, after rounding (0.0996 becomes 0.10).
  const int place = static_cast<int>(std::floor(std::log10(error * (1 + 5e-3)))) - 1;
  const double largest = std::max(std::fabs(value), error);
  if (place > 0 || largest >= 1e7 || largest < 1e-4) {
    const int exponent = static_cast<int>(std::floor(std::log10(largest)));
    const double scale = std::pow(10.0, exponent);
    return fmt::format("({:.{}f} ± {:.{}f})e{}", value / scale, std::max(0, exponent - place),
                       error / scale, std::max(0, exponent - place), exponent);
  }
  return fmt::format("{:.{}f} ± {:.{}f}", value, -place, error, -place);
}

std::string fit_text(const FitReport& report) {
  std::size_t width = 4;
  for (const Estimate& e : report.estimates) width = std::max(width, e.name.size());
  std::string text;
  for (const Estimate& e : report.estimates) {
    text += fmt::format("{:<{}}  {}", e.name, width, value_with_error(e.value, e.std_error));
    if (std::isfinite(e.ci95_low)) {
      text += fmt::format("   95 %: {} to {}", number_text_rounded(e.ci95_low, 6),
                          number_text_rounded(e.ci95_high, 6));
    }
    text += "\n";
  }
  text += fmt::format(
      "rss {}, {} degrees of freedom, residual sd {}\n", number_text_rounded(report.rss, 8),
      report.dof,
      std::isfinite(report.residual_sd) ? number_text_rounded(report.residual_sd, 8) : "-");
  text += fmt::format("{} after {} evaluations from {} start{}\n", to_text(report.stop_reason),
                      report.n_evaluations, report.n_starts, report.n_starts == 1 ? "" : "s");
  return text + print(report.formula) + "\n";
}

nlohmann::ordered_json fit_json(const FitReport& report) {
  nlohmann::ordered_json json;
  const std::size_t n = report.estimates.size();
  json["parameters"] = nlohmann::ordered_json::object();
  for (const Estimate& e : report.estimates) {
    json["parameters"][e.name] = {
        {"value", number_or_null(e.value)},
        {"std_error", number_or_null(e.std_error)},
        {"ci95", {number_or_null(e.ci95_low), number_or_null(e.ci95_high)}}};
  }
  json["loss"] = number_or_null(report.loss);
  json["rss"] = number_or_null(report.rss);
  json["dof"] = report.dof;
  json["residual_sd"] = number_or_null(report.residual_sd);
  json["n_evaluations"] = report.n_evaluations;
  json["stop_reason"] = to_text(report.stop_reason);
  json["formula"] = print(report.formula);
  json["n_iterations"] = report.n_iterations;
  json["n_starts"] = report.n_starts;
  json["aic"] = number_or_null(report.aic);
  json["bic"] = number_or_null(report.bic);
  json["covariance"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < n; ++i) {
    nlohmann::ordered_json row = nlohmann::ordered_json::array();
    for (std::size_t j = 0; j < n; ++j) row.push_back(number_or_null(report.covariance[i * n + j]));
    json["covariance"].push_back(std::move(row));
  }
  json["warnings"] = report.warnings;
  return json;
}

}  // namespace vieta
