// names: what bare names mean besides columns and parameters, and what a misspelt one may have
// meant.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vieta {

/// The value of a bare name that is neither column nor parameter: pi, e, and the numbers that have
/// no digits (inf, nan and other spellings of them).
std::optional<double> named_constant(std::string_view name);

/// Spellings of infinity (or NaN), the usual one first: a formula over a column called `inf` needs
/// another.
std::span<const std::string_view> spellings(double not_finite);

/// The candidate with the fewest single-letter edits (letters changed, missing, added or exchanged
/// with their neighbour; case does not count), if it is near enough to be meant.
std::optional<std::string> nearest_name(std::string_view name,
                                        std::span<const std::string> candidates);

/// "; did you mean 'x'?", or a list of what there is, or nothing: the end of an error message.
std::string suggestion(std::string_view name, std::span<const std::string> candidates);

/// Every name that may stand before a bracket: operators and their aliases.
const std::vector<std::string>& function_names();

}  // namespace vieta
