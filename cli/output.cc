#include "cli/output.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "report/csv_cell.h"
#include "report/text_width.h"

namespace vieta::cli {
namespace {

constexpr std::size_t kChunk = 1U << 16U;

void write_if_full(std::string& text) {
  if (text.size() < kChunk) return;
  write_out(text);
  text.clear();
}

template <class T>
void write_csv(const std::vector<std::string>& names,
               const std::vector<std::span<const T>>& columns) {
  std::string text;
  for (std::size_t c = 0; c < names.size(); ++c) text += (c == 0 ? "" : ",") + csv_cell(names[c]);
  text += '\n';
  for (std::size_t r = 0; r < columns.front().size(); ++r) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (c > 0) text += ',';
      text += number_text(columns[c][r]);
    }
    text += '\n';
    write_if_full(text);
  }
  write_out(text);
}

template <class T>
void write_json(const std::vector<std::string>& names,
                const std::vector<std::span<const T>>& columns, const EvalStatus& status) {
  std::string text = "{";
  for (std::size_t c = 0; c < names.size(); ++c) {
    text += nlohmann::json(names[c]).dump() + ":[";
    for (std::size_t r = 0; r < columns[c].size(); ++r) {
      if (r > 0) text += ',';
      text += std::isfinite(columns[c][r]) ? number_text(columns[c][r]) : "null";
      write_if_full(text);
    }
    text += "],\n";
  }
  text += fmt::format("\"ok\":{},\"first_bad_row\":{}}}\n", status.ok,
                      status.ok ? "null" : std::to_string(status.first_bad_row + 1));
  write_out(text);
}

template <class T>
void write_text(const std::vector<std::string>& names,
                const std::vector<std::span<const T>>& columns) {
  constexpr int kDigits = 8;
  const auto cell = [](T x) { return number_text_rounded(static_cast<double>(x), kDigits); };
  std::vector<std::size_t> widths;
  std::string text;
  for (std::size_t c = 0; c < names.size(); ++c) {
    std::size_t width = text_width(names[c]);
    for (const T x : columns[c]) width = std::max(width, cell(x).size());
    widths.push_back(width);
    text += (c == 0 ? "" : "  ") + right_aligned(names[c], width);
  }
  text += '\n';
  for (std::size_t r = 0; r < columns.front().size(); ++r) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      text += (c == 0 ? "" : "  ") + right_aligned(cell(columns[c][r]), widths[c]);
    }
    text += '\n';
    write_if_full(text);
  }
  write_out(text);
}

}  // namespace

void write_out(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) {
    return;
  }
  const int reason = errno;
  throw OutputError(
      fmt::format("the result cannot be written: {}; check standard output", std::strerror(reason)),
      reason == EPIPE);
}

void write_note(std::string_view text) { fmt::print(stderr, "vieta: {}\n", text); }

std::size_t terminal_columns(int descriptor) {
  constexpr std::size_t kUsual = 80;
  if (isatty(descriptor) == 0) return 0;
  winsize size{};
  const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kUsual;
}

void write_named_text(const std::string& name, const std::string& text, const std::string& format) {
  if (format == "json") {
    write_out(nlohmann::ordered_json{{name, text}}.dump(1) + "\n");
  } else if (format == "csv") {
    write_out(csv_cell(name) + "\n" + csv_cell(text) + "\n");
  } else {
    write_out(text.ends_with('\n') ? text : text + "\n");
  }
}

template <class T>
void write_columns(const std::vector<std::string>& names,
                   const std::vector<std::span<const T>>& columns, const EvalStatus& status,
                   const std::string& format) {
  if (format == "json") {
    write_json<T>(names, columns, status);
  } else if (format == "text") {
    write_text<T>(names, columns);
  } else {
    write_csv<T>(names, columns);
  }
}

int report_status(const EvalStatus& status, bool strict) {
  if (status.ok) {
    write_note("ok: every value is finite");
    return 0;
  }
  write_note(fmt::format(
      "not ok: first bad row is data row {}: a value there, or one on the way to it, is "
      "not finite",
      status.first_bad_row + 1));
  return strict ? static_cast<int>(ErrorCode::numeric) : 0;
}

template void write_columns<double>(const std::vector<std::string>&,
                                    const std::vector<std::span<const double>>&, const EvalStatus&,
                                    const std::string&);
template void write_columns<float>(const std::vector<std::string>&,
                                   const std::vector<std::span<const float>>&, const EvalStatus&,
                                   const std::string&);

}  // namespace vieta::cli
