// files: text files, written whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace vieta {

/// Writes a file beside the place and renames it there: a reader sees the old content or the new
/// one, never a part. Errors (data): with the path and the system's reason.
Result<void> write_file(const std::string& path, std::string_view content);

/// The whole content. Errors (data).
Result<std::string> read_file(const std::string& path);

}  // namespace vieta
