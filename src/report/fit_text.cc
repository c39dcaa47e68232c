#include "report/fit_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "expr/print.h"
#include "report/csv_cell.h"
#include "report/json_number.h"
#include "report/text_width.h"

namespace vieta {

namespace {

// The decimal place of the error's second digit, after rounding (0.0996 becomes 0.10).
int place_of(double error) {
  return static_cast<int>(std::floor(std::log10(error * (1 + 5e-3)))) - 1;
}

int exponent_of(double value) { return static_cast<int>(std::floor(std::log10(std::fabs(value)))); }

// Down to the place of the error and one further, so that the ends tell the width of the interval.
std::string interval_text(const Estimate& e) {
  if (std::isnan(e.ci95_low) || std::isnan(e.ci95_high)) return "-";
  const auto end = [&](double x) -> std::string {
    if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
    if (x == 0 || !(e.std_error > 0)) return number_text_rounded(x, 8);
    const int digits = exponent_of(x) - place_of(e.std_error) + 2;
    return number_text_rounded(x, std::clamp(digits, 1, 17));
  };
  return end(e.ci95_low) + " to " + end(e.ci95_high);
}

}  // namespace

std::string value_with_error(double value, double error) {
  if (!std::isfinite(error) || !std::isfinite(value)) return number_text_rounded(value, 8) + " ± ?";
  if (error == 0) return number_text_rounded(value, 12) + " ± 0";
  const int place = place_of(error);
  const double largest = std::max(std::fabs(value), error);
  if (place > 0 || largest >= 1e7 || largest < 1e-4) {
    const int exponent = exponent_of(largest);
    const double scale = std::pow(10.0, exponent);
    return fmt::format("({:.{}f} ± {:.{}f})e{}", value / scale, std::max(0, exponent - place),
                       error / scale, std::max(0, exponent - place), exponent);
  }
  return fmt::format("{:.{}f} ± {:.{}f}", value, -place, error, -place);
}

namespace {

std::string profile_text(const Estimate& e) {
  if (std::isnan(e.profile95_low)) return "";
  Estimate shown = e;
  shown.ci95_low = e.profile95_low;
  shown.ci95_high = e.profile95_high;
  return "  profile: " + interval_text(shown);
}

std::size_t longest_name(const FitReport& report) {
  std::size_t length = 4;
  for (const auto* list : {&report.estimates, &report.tied}) {
    for (const Estimate& e : *list) length = std::max(length, text_width(e.name));
  }
  for (const auto& [name, value] : report.fixed) length = std::max(length, text_width(name));
  return length;
}

std::string figures(const FitReport& report) {
  std::string text;
  if (report.family != LossFamily::squares) {
    text = fmt::format("loss {} {}\n", report.loss_name, number_text_rounded(report.loss, 8));
  }
  text += fmt::format(
      "rss {}, {} degree{} of freedom, residual sd {}\n", number_text_rounded(report.rss, 8),
      report.dof, report.dof == 1 ? "" : "s",
      std::isfinite(report.residual_sd) ? number_text_rounded(report.residual_sd, 8) : "-");
  if (std::isfinite(report.aic)) {
    text += fmt::format("R2 {}, AIC {}, BIC {}, description length {} nats\n",
                        std::isfinite(report.r2) ? number_text_rounded(report.r2, 6) : "-",
                        number_text_rounded(report.aic, 6), number_text_rounded(report.bic, 6),
                        number_text_rounded(report.description_length, 6));
  }
  return text;
}

}  // namespace

std::string fit_text(const FitReport& report) {
  const std::size_t names = longest_name(report);
  std::size_t values = 0;
  std::size_t intervals = 0;
  for (const auto* list : {&report.estimates, &report.tied}) {
    for (const Estimate& e : *list) {
      values = std::max(values, text_width(value_with_error(e.value, e.std_error)));
      intervals = std::max(intervals, text_width(interval_text(e)));
    }
  }
  std::string text;
  const auto line = [&](const Estimate& e, const std::string& remark) {
    const std::string more = profile_text(e) + remark;
    text += fmt::format("{}  {}  95 %: {}{}\n", left_aligned(e.name, names),
                        left_aligned(value_with_error(e.value, e.std_error), values),
                        more.empty() ? interval_text(e) : left_aligned(interval_text(e), intervals),
                        more);
  };
  for (const Estimate& e : report.estimates) line(e, "");
  for (const Estimate& e : report.tied) line(e, "  tied");
  for (const auto& [name, value] : report.fixed)
    text += fmt::format("{}  {}  fixed\n", left_aligned(name, names), number_text(value));
  text += figures(report);
  text += fmt::format("{} after {} evaluations from {} start{}\n", to_text(report.stop_reason),
                      report.n_evaluations, report.n_starts, report.n_starts == 1 ? "" : "s");
  return text + print(report.formula) + "\n";
}

std::string fit_csv(const FitReport& report) {
  std::string text = "name,value,std_error,ci95_low,ci95_high\n";
  for (const Estimate& e : report.estimates) {
    text +=
        fmt::format("{},{},{},{},{}\n", csv_cell(e.name), number_text(e.value),
                    number_text(e.std_error), number_text(e.ci95_low), number_text(e.ci95_high));
  }
  return text;
}

namespace {

nlohmann::ordered_json estimate_json(const Estimate& e) {
  nlohmann::ordered_json json{{"value", number_or_null(e.value)},
                              {"std_error", number_or_null(e.std_error)},
                              {"ci95", {number_or_null(e.ci95_low), number_or_null(e.ci95_high)}}};
  // An end that is infinite is null too: the interval is open there.
  if (!std::isnan(e.profile95_low) || !std::isnan(e.profile95_high))
    json["profile95"] = {number_or_null(e.profile95_low), number_or_null(e.profile95_high)};
  return json;
}

nlohmann::ordered_json square(const std::vector<double>& values, std::size_t n) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < n; ++i) {
    nlohmann::ordered_json row = nlohmann::ordered_json::array();
    for (std::size_t j = 0; j < n; ++j) row.push_back(number_or_null(values[i * n + j]));
    json.push_back(std::move(row));
  }
  return json;
}

}  // namespace

nlohmann::ordered_json fit_json(const FitReport& report) {
  nlohmann::ordered_json json;
  const std::size_t n = report.estimates.size();
  json["parameters"] = nlohmann::ordered_json::object();
  for (const Estimate& e : report.estimates) json["parameters"][e.name] = estimate_json(e);
  for (const Estimate& e : report.tied) json["tied"][e.name] = estimate_json(e);
  for (const auto& [name, value] : report.fixed) json["fixed"][name] = number_or_null(value);
  json["loss_name"] = report.loss_name;
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
  json["description_length"] = number_or_null(report.description_length);
  json["r2"] = number_or_null(report.r2);
  json["covariance"] = square(report.covariance, n);
  json["correlation"] = square(report.correlation, n);
  json["warnings"] = report.warnings;
  return json;
}

}  // namespace vieta
