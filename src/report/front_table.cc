#include "report/front_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "expr/print.h"
#include "report/csv_cell.h"
#include "report/export.h"
#include "report/json_number.h"
#include "report/text_width.h"

namespace vieta {
namespace {

std::string fixed(double value, int decimals) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, decimals) : "-";
}

}  // namespace

std::string front_table(const SearchReport& report, std::size_t width) {
  constexpr std::size_t kFormulaColumn = 46;
  constexpr std::size_t kLeastRoom = 40;
  const std::size_t room =
      width == 0 ? 0 : std::max(width, kFormulaColumn + kLeastRoom) - kFormulaColumn;
  std::string text = fmt::format("  {:>10}  {:>11}  {:>8}  {:>6}  {}\n", "complexity", "loss", "R2",
                                 "score", "formula");
  for (std::size_t i = 0; i < report.front.size(); ++i) {
    const FrontEntry& entry = report.front[i];
    const std::string formula = print(entry.expr, {.digits = 6});
    const bool whole = room == 0 || i == report.selected;
    text += fmt::format("{} {:>10}  {:>11}  {:>8}  {:>6}  {}\n", i == report.selected ? '>' : ' ',
                        entry.complexity, number_text_rounded(entry.loss, 6), fixed(entry.r2, 6),
                        fixed(entry.score, 3), whole ? formula : cut_to_width(formula, room));
  }
  return text;
}

std::string front_csv(const SearchReport& report) {
  std::string text = "complexity,loss,r2,score,formula\n";
  for (const FrontEntry& entry : report.front) {
    text +=
        fmt::format("{},{},{},{},{}\n", entry.complexity, number_text(entry.loss),
                    number_text(entry.r2), number_text(entry.score), csv_quoted(print(entry.expr)));
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
