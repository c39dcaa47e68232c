// search: the formulas of given data.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "data/columns.h"
#include "data/table.h"
#include "search/search.h"

namespace vieta {

/// A search over a table's columns.
struct TableSearch {
  std::string target;  ///< column to explain
  std::vector<std::string> inputs =
      {};                    ///< columns to explain it by; empty: all other numeric ones
  std::string weights = {};  ///< column of weights; empty: all 1
  Loss loss = {};            ///< l2; others by parse_loss
  SearchOptions options = {};
  Budget budget = {};       ///< neither evaluations nor seconds: kDefaultEvaluations
  std::size_t threads = 0;  ///< 0: one for every core
};

/// The front, simplest to most accurate. Errors (usage): a column that is not there; (data): one
/// that is not numeric; and those of run_search.
inline Result<SearchReport> search(const Table& table, const TableSearch& request) {
  const auto column = [&](const std::string& name) -> Result<std::size_t> {
    const auto index = table.find(name);
    if (!index) return fail(ErrorCode::usage, "the table has no column '" + name + "'");
    if (auto values = table.numeric_column(*index); !values) return std::unexpected(values.error());
    return *index;
  };
  const auto target = column(request.target);
  if (!target) return std::unexpected(target.error());
  FitData data;
  data.loss = request.loss;
  data.target = table.column(*target);
  if (!request.weights.empty()) {
    const auto weights = column(request.weights);
    if (!weights) return std::unexpected(weights.error());
    data.weights = table.column(*weights);
  }
  std::vector<std::size_t> inputs;
  for (const std::string& name : request.inputs) {
    const auto index = column(name);
    if (!index) return std::unexpected(index.error());
    inputs.push_back(*index);
  }
  for (std::size_t c = 0; request.inputs.empty() && c < table.columns(); ++c) {
    const bool taken = c == *target || table.name(c) == request.weights;
    if (!taken && table.numeric_column(c)) inputs.push_back(c);
  }
  auto columns = view(table, inputs);
  if (!columns) return std::unexpected(columns.error());
  data.x = std::move(*columns);
  data.x.rows = table.rows();
  data.x.readable = std::max(data.x.readable, data.x.rows);
  std::vector<std::string> names;
  for (const std::size_t c : inputs) names.push_back(table.name(c));
  TaskPool pool(request.threads);
  return run_search(data, names, request.options, request.budget, pool);
}

}  // namespace vieta
