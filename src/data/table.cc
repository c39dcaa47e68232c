#include "data/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/check.h"
#include "data/utf8.h"

namespace vieta {
namespace {

std::unexpected<Error> refuse(std::string message) {
  return fail(ErrorCode::data, std::move(message));
}

std::unexpected<Error> wrong_length(const std::string& name, std::size_t met, std::size_t wanted) {
  return refuse(fmt::format("column {} has {} values, wanted {} as the other columns have",
                            in_quotes(name), met, wanted));
}

std::unexpected<Error> at_column(Place place, std::size_t i, std::string message) {
  place.column = i + 1;
  return fail(ErrorCode::data, std::move(message), std::move(place));
}

}  // namespace

Result<void> check_names(std::span<const std::string> names, const Place& place) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    if (name.empty()) {
      return at_column(place, i,
                       fmt::format("column {} has no name; give it one, or take it out", i + 1));
    }
    if (!is_utf8(name)) {
      return at_column(
          place, i,
          fmt::format("the name of column {}, {}, is not UTF-8; save the text as UTF-8", i + 1,
                      in_quotes(name)));
    }
    const auto [first, is_new] = seen.emplace(name, i);
    if (!is_new) {
      return at_column(place, i,
                       fmt::format("columns {} and {} are both named {}; rename one of them",
                                   first->second + 1, i + 1, in_quotes(name)));
    }
  }
  return {};
}

std::size_t Table::readable(std::size_t rows) {
  return padded<double>(rows) + kAlignment / sizeof(double);
}

Result<Table> Table::from_columns(const std::vector<std::string>& names,
                                  const std::vector<std::vector<double>>& columns) {
  if (names.size() != columns.size()) {
    return refuse(fmt::format("met {} names for {} columns, wanted one for each", names.size(),
                              columns.size()));
  }
  const std::size_t rows = columns.empty() ? 0 : columns.front().size();
  std::vector<Column> made;
  made.reserve(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    AlignedVector<double> values;
    values.reserve(readable(columns[i].size()));
    values.assign(columns[i].begin(), columns[i].end());
    made.push_back({names[i], std::move(values)});
  }
  return assemble(std::move(made), rows);
}

Result<Table> Table::assemble(std::vector<Column> columns, std::size_t rows) {
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const Column& column : columns) names.push_back(column.name);
  if (auto fine = check_names(names); !fine) return std::unexpected(std::move(fine.error()));
  for (Column& column : columns) {
    if (column.error) {
      column.values = {};
      continue;
    }
    if (column.values.size() != rows) return wrong_length(column.name, column.values.size(), rows);
    column.values.resize(readable(rows));
  }
  Table table;
  table.columns_ = std::move(columns);
  table.rows_ = rows;
  return table;
}

const Table::Column& Table::at(std::size_t i) const {
  VIETA_CHECK(i < columns_.size());
  return columns_[i];
}

const std::string& Table::name(std::size_t i) const { return at(i).name; }

std::vector<std::string> Table::names() const {
  std::vector<std::string> all;
  all.reserve(columns_.size());
  for (const Column& column : columns_) all.push_back(column.name);
  return all;
}

std::optional<std::size_t> Table::find(std::string_view name) const {
  const auto found = std::ranges::find(columns_, name, &Column::name);
  if (found == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns_.begin());
}

std::span<const double> Table::column(std::size_t i) const {
  const Column& column = at(i);
  VIETA_CHECK(!column.error);
  return {column.values.data(), rows_};
}

const std::optional<Error>& Table::column_error(std::size_t i) const { return at(i).error; }

Result<std::span<const double>> Table::numeric_column(std::size_t i) const {
  const Column& column = at(i);
  if (column.error) return std::unexpected(*column.error);
  return std::span<const double>(column.values.data(), rows_);
}

Result<void> Table::add_column(std::string name, std::span<const double> values) {
  if (auto fine = check_names(std::span(&name, 1)); !fine) {
    return refuse(name.empty() ? "the new column has no name; give it one"
                               : std::move(fine.error().message));
  }
  if (const auto taken = find(name)) {
    return refuse(fmt::format("column {} is named {} already; choose another name for the new one",
                              *taken + 1, in_quotes(name)));
  }
  if (!columns_.empty() && values.size() != rows_) {
    return wrong_length(name, values.size(), rows_);
  }
  AlignedVector<double> kept;
  kept.reserve(readable(values.size()));
  kept.assign(values.begin(), values.end());
  kept.resize(readable(values.size()));
  columns_.push_back({std::move(name), std::move(kept)});
  rows_ = values.size();
  return {};
}

Table Table::select_rows(std::span<const std::size_t> rows) const {
  for (const std::size_t row : rows) VIETA_CHECK(row < rows_);
  Table chosen;
  chosen.rows_ = rows.size();
  chosen.columns_.reserve(columns_.size());
  for (const Column& column : columns_) {
    AlignedVector<double> values;
    if (!column.error) {
      values.resize(readable(rows.size()));
      std::ranges::transform(rows, values.begin(),
                             [&](std::size_t row) { return column.values[row]; });
    }
    chosen.columns_.push_back({column.name, std::move(values), column.error});
  }
  return chosen;
}

}  // namespace vieta
