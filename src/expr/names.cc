#include "expr/names.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "expr/characters.h"
#include "ops/op.h"

namespace vieta {
namespace {

constexpr std::string_view kInfinities[] = {"inf", "Inf", "INF", "infinity", "Infinity"};
constexpr std::string_view kNans[] = {"nan", "NaN", "NAN", "Nan"};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Optimal string alignment distance, or anything above `limit` once that is certain. Three rows.
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit) return limit + 1;
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      const bool exchanged = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                             lower(a[i - 2]) == lower(b[j - 1]);
      if (exchanged) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    if (*std::ranges::min_element(row) > limit) return limit + 1;
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::optional<double> named_constant(std::string_view name) {
  if (name == "pi") return std::numbers::pi;
  if (name == "e") return std::numbers::e;
  if (std::ranges::find(kInfinities, name) != std::end(kInfinities)) {
    return std::numeric_limits<double>::infinity();
  }
  if (std::ranges::find(kNans, name) != std::end(kNans)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return std::nullopt;
}

std::span<const std::string_view> spellings(double not_finite) {
  return std::isnan(not_finite) ? std::span<const std::string_view>(kNans) : kInfinities;
}

std::optional<std::string> nearest_name(std::string_view name,
                                        std::span<const std::string> candidates) {
  // A third of the letters: more, and the proposal would be a guess.
  std::size_t limit = std::clamp<std::size_t>(name.size() / 3, 1, 4);
  std::optional<std::string> nearest;
  for (const std::string& candidate : candidates) {
    const std::size_t edits = distance(name, candidate, limit);
    // One letter for another one is no misspelling.
    if (edits > limit || edits >= std::max(name.size(), candidate.size())) continue;
    nearest = candidate;
    if (edits == 0) break;
    limit = edits - 1;
  }
  return nearest;
}

std::string suggestion(std::string_view name, std::span<const std::string> candidates) {
  if (const auto nearest = nearest_name(name, candidates)) {
    return "; did you mean '" + clipped(*nearest) + "'?";
  }
  constexpr std::size_t most = 12;
  if (candidates.empty()) return {};
  std::string list = "; there are ";
  if (candidates.size() == 1) list = "; there is ";
  for (std::size_t i = 0; i < std::min(most, candidates.size()); ++i) {
    list += (i == 0 ? std::string() : ", ") + "'" + clipped(candidates[i]) + "'";
  }
  if (candidates.size() > most) list += ", ... (" + std::to_string(candidates.size()) + " in all)";
  return list;
}

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const OpInfo& row : all_ops()) {
      if (row.precedence == 0) all.emplace_back(row.name);
    }
    for (const Alias& alias : all_aliases()) {
      if (starts_name(static_cast<unsigned char>(alias.alias.front())))
        all.emplace_back(alias.alias);
    }
    return all;
  }();
  return names;
}

}  // namespace vieta
