#include "report/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace vieta {
namespace {

Error file_error(const std::string& path, const char* what) {
  return {ErrorCode::data, fmt::format("{}: {}", what, std::strerror(errno)), {.source = path}};
}

}  // namespace

Result<void> write_file(const std::string& path, std::string_view content) {
  const std::string beside = fmt::format("{}.{}.tmp", path, ::getpid());
  std::FILE* file = std::fopen(beside.c_str(), "wb");
  if (file == nullptr) return std::unexpected(file_error(path, "cannot be written"));
  const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed || std::rename(beside.c_str(), path.c_str()) != 0) {
    const Error error = file_error(path, "cannot be written");
    std::remove(beside.c_str());
    return std::unexpected(error);
  }
  return {};
}

Result<std::string> read_file(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return std::unexpected(file_error(path, "cannot be read"));
  std::string content;
  std::array<char, 1U << 14U> block;
  while (const std::size_t got = std::fread(block.data(), 1, block.size(), file)) {
    content.append(block.data(), got);
  }
  // A folder opens, and fails only here.
  const bool failed = std::ferror(file) != 0;
  const Error error = file_error(path, "cannot be read");
  std::fclose(file);
  if (failed) return std::unexpected(error);
  return content;
}

}  // namespace vieta
