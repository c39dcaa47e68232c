#include "cli/choose_entry.h"

#include <fmt/format.h>

namespace vieta::cli {

Result<std::size_t> choose_entry(const Model& model, const std::optional<std::size_t>& index,
                                 const std::optional<std::size_t>& complexity) {
  const auto& front = model.report.front;
  if (index && complexity)
    return fail(ErrorCode::usage,
                "--index and --complexity both choose a formula: give one of them");
  if (index) {
    if (*index < front.size()) return *index;
    return fail(ErrorCode::usage,
                fmt::format("the model has no formula {}: its {} are numbered from 0", *index,
                            front.size()),
                {.source = "--index"});
  }
  if (!complexity) return model.report.selected;
  std::string known;
  for (std::size_t i = 0; i < front.size(); ++i) {
    if (front[i].complexity == *complexity) return i;
    known += fmt::format("{}{}", i == 0 ? "" : ", ", front[i].complexity);
  }
  return fail(
      ErrorCode::usage,
      fmt::format("the model has no formula of complexity {}: it has {}", *complexity, known),
      {.source = "--complexity"});
}

}  // namespace vieta::cli
