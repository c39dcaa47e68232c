#include "report/front_table.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "expr/print.h"
#include "report/export.h"

namespace vieta {
namespace {

std::string cut(std::string text, std::size_t width) {
  if (text.size() <= width) return text;
  return text.substr(0, width - 3) + "...";
}

std::string fixed(double value, int decimals) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, decimals) : "-";
}

nlohmann::ordered_json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

std::string csv_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

std::string front_table(const SearchReport& report, std::size_t width) {
  constexpr std::size_t kFormulaColumn = 46;
  const std::size_t room = width > kFormulaColumn + 20 ? width - kFormulaColumn : 20;
  std::string text = fmt::format("  {:>10}  {:>11}  {:>8}  {:>6}  {}\n", "complexity", "loss", "R2",
                                 "score", "formula");
  for (std::size_t i = 0; i < report.front.size(); ++i) {
    const FrontEntry& entry = report.front[i];
    text += fmt::format("{} {:>10}  {:>11}  {:>8}  {:>6}  {}\n", i == report.selected ? '>' : ' ',
                        entry.complexity, number_text_rounded(entry.loss, 6), fixed(entry.r2, 6),
                        fixed(entry.score, 3), cut(print(entry.expr, {.digits = 6}), room));
  }
  return text;
}

std::string front_csv(const SearchReport& report) {
  std::string text = "complexity,loss,r2,score,formula\n";
  for (const FrontEntry& entry : report.front) {
    text +=
        fmt::format("{},{},{},{},{}\n", entry.complexity, number_text(entry.loss),
                    number_text(entry.r2), number_text(entry.score), csv_text(print(entry.expr)));
  }
  return text;
}

nlohmann::ordered_json front_json(const SearchReport& report) {
  nlohmann::ordered_json json;
  json["front"] = nlohmann::ordered_json::array();
  for (const FrontEntry& entry : report.front) {
    nlohmann::ordered_json row;
    row["complexity"] = entry.complexity;
    row["loss"] = number_or_null(entry.loss);
    row["r2"] = number_or_null(entry.r2);
    row["score"] = number_or_null(entry.score);
    row["formula"] = print(entry.expr);
    row["latex"] = export_expression(entry.expr, ExportLanguage::latex, 6);
    json["front"].push_back(std::move(row));
  }
  json["selected"] = report.selected;
  json["n_evaluations"] = report.n_evaluations;
  json["seconds"] = report.seconds;
  json["stop_reason"] = to_text(report.stop_reason);
  json["seed"] = report.seed;
  return json;
}

}  // namespace vieta
