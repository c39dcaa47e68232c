#include "cli/arguments.h"

#include <algorithm>

namespace vieta::cli {
namespace {

bool is_long_option(std::string_view text) { return text.size() > 2 && text.starts_with("--"); }

// The only one-letter option is -h; a lone - is standard input.
bool is_formula_with_sign(std::string_view text) {
  return text.size() > 1 && text[0] == '-' && text[1] != '-' && text != "-h";
}

}  // namespace

std::vector<std::string> protected_arguments(std::span<char* const> arguments,
                                             std::span<const std::string> flags) {
  std::vector<std::string> result;
  bool awaits_value = false;
  for (const char* argument : arguments) {
    const std::string_view text = argument;
    const bool formula = !awaits_value && is_formula_with_sign(text);
    awaits_value = !awaits_value && is_long_option(text) &&
                   text.find('=') == std::string_view::npos &&
                   std::ranges::find(flags, text) == flags.end();
    result.push_back((formula ? " " : "") + std::string(text));
  }
  return result;
}

std::string as_typed(const std::string& argument) {
  return argument.starts_with(" -") ? argument.substr(1) : argument;
}

}  // namespace vieta::cli
