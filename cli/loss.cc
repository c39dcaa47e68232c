#include "cli/loss.h"

namespace vieta::cli {

Result<Loss> read_loss(const std::string& text, const CommonOptions& common) {
  const auto definitions = read_definitions(common.definitions);
  if (!definitions) return std::unexpected(definitions.error());
  return parse_loss(text, {.operators = &*definitions});
}

}  // namespace vieta::cli
