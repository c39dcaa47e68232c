// file_text: the whole of a file or of standard input as text, unpacked if it is gzip.
#pragma once

#include <string>

#include "base/result.h"

namespace vieta {

/// The bytes of the file, or of standard input for "-". Bytes that start as gzip does (RFC 1952)
/// are unpacked, whatever the file's name; several gzip members in a row give their texts in a row.
/// Errors (data): a file that cannot be opened or read; gzip that is cut short, corrupt or followed
/// by something else than zeros.
Result<std::string> read_file_text(const std::string& path_or_dash);

/// How messages name that source: the path, or "standard input".
std::string source_name(const std::string& path_or_dash);

}  // namespace vieta
