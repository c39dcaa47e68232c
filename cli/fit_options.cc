#include "cli/fit_options.h"

#include <fmt/format.h>

#include "base/number_text.h"
#include "cli/input.h"

namespace vieta::cli {
namespace {

std::unexpected<Error> bad(const std::string& text, const char* option, const char* wanted) {
  return fail(ErrorCode::usage, fmt::format("'{}' is not understood: wanted {}", text, wanted),
              {.source = option});
}

// Empty text leaves the side as it is.
bool read_side(std::string_view text, double& side) {
  if (text.empty()) return true;
  const auto number = read_number(text);
  if (!number) return false;
  side = *number;
  return true;
}

}  // namespace

Result<std::map<std::string, Bounds>> read_bounds(const std::vector<std::string>& texts) {
  constexpr const char* kWanted = "name=lower:upper, as in a=0:1 or b=0: or c=:5";
  std::map<std::string, Bounds> result;
  for (const std::string& text : texts) {
    for (const std::string& part : split_names(text)) {
      const std::size_t equals = part.find('=');
      const std::size_t colon = equals == std::string::npos ? equals : part.find(':', equals);
      if (colon == std::string::npos || equals == 0) return bad(part, "--bounds", kWanted);
      Bounds bounds;
      const std::string_view view(part);
      if (!read_side(view.substr(equals + 1, colon - equals - 1), bounds.lower) ||
          !read_side(view.substr(colon + 1), bounds.upper))
        return bad(part, "--bounds", kWanted);
      if (!result.emplace(part.substr(0, equals), bounds).second) {
        return fail(ErrorCode::usage,
                    fmt::format("'{}' has bounds twice: give them once", part.substr(0, equals)),
                    {.source = "--bounds"});
      }
    }
  }
  return result;
}

Result<std::map<std::string, std::string>> read_ties(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> result;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return bad(text, "--tie", "name=formula of other parameters, as in b=2*a");
    std::string name = text.substr(0, equals);
    while (!name.empty() && name.back() == ' ') name.pop_back();
    if (!result.emplace(name, text.substr(equals + 1)).second) {
      return fail(ErrorCode::usage, fmt::format("'{}' is tied twice: tie it once", name),
                  {.source = "--tie"});
    }
  }
  return result;
}

}  // namespace vieta::cli
