#include "cli/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/number_text.h"

namespace vieta::cli {
namespace {

template <class T>
bool write_csv(const std::vector<std::string>& names,
               const std::vector<std::span<const T>>& columns) {
  std::string text;
  for (std::size_t c = 0; c < names.size(); ++c) text += (c == 0 ? "" : ",") + csv_cell(names[c]);
  text += '\n';
  constexpr std::size_t kChunk = 1U << 16U;
  for (std::size_t r = 0; r < columns.front().size(); ++r) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (c > 0) text += ',';
      text += number_text(columns[c][r]);
    }
    text += '\n';
    if (text.size() < kChunk) continue;
    if (!write_out(text)) return false;
    text.clear();
  }
  return write_out(text);
}

template <class T>
bool write_json(const std::vector<std::string>& names,
                const std::vector<std::span<const T>>& columns, const EvalStatus& status) {
  nlohmann::ordered_json json;
  for (std::size_t c = 0; c < names.size(); ++c) {
    auto& values = json[names[c]] = nlohmann::ordered_json::array();
    for (const T x : columns[c]) {
      // The shortest text of a float is not that of the double it becomes.
      values.push_back(std::isfinite(x) ? nlohmann::ordered_json::parse(number_text(x))
                                        : nlohmann::ordered_json(nullptr));
    }
  }
  json["ok"] = status.ok;
  json["first_bad_row"] = status.ok ? nlohmann::ordered_json(nullptr)
                                    : nlohmann::ordered_json(status.first_bad_row + 1);
  return write_out(json.dump() + "\n");
}

template <class T>
bool write_text(const std::vector<std::string>& names,
                const std::vector<std::span<const T>>& columns) {
  constexpr int kDigits = 8;
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < names.size(); ++c) {
    std::size_t width = names[c].size();
    for (const T x : columns[c])
      width = std::max(width, number_text_rounded(static_cast<double>(x), kDigits).size());
    widths.push_back(width);
  }
  std::string text;
  for (std::size_t c = 0; c < names.size(); ++c)
    text += fmt::format("{}{:>{}}", c == 0 ? "" : "  ", names[c], widths[c]);
  text += '\n';
  for (std::size_t r = 0; r < columns.front().size(); ++r) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      text +=
          fmt::format("{}{:>{}}", c == 0 ? "" : "  ",
                      number_text_rounded(static_cast<double>(columns[c][r]), kDigits), widths[c]);
    }
    text += '\n';
  }
  return write_out(text);
}

}  // namespace

bool write_out(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
         std::fflush(stdout) == 0;
}

void write_note(std::string_view text) { fmt::print(stderr, "vieta: {}\n", text); }

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",;\t\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

template <class T>
bool write_columns(const std::vector<std::string>& names,
                   const std::vector<std::span<const T>>& columns, const EvalStatus& status,
                   const std::string& format) {
  if (format == "json") return write_json<T>(names, columns, status);
  return format == "text" ? write_text<T>(names, columns) : write_csv<T>(names, columns);
}

int report_status(const EvalStatus& status, bool strict) {
  if (status.ok) {
    write_note("ok: every value is finite");
    return 0;
  }
  write_note(fmt::format("not ok: row {} is the first with a value that is not finite",
                         status.first_bad_row + 1));
  return strict ? static_cast<int>(ErrorCode::numeric) : 0;
}

template bool write_columns<double>(const std::vector<std::string>&,
                                    const std::vector<std::span<const double>>&, const EvalStatus&,
                                    const std::string&);
template bool write_columns<float>(const std::vector<std::string>&,
                                   const std::vector<std::span<const float>>&, const EvalStatus&,
                                   const std::string&);

}  // namespace vieta::cli
