#include "report/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

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
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::unexpected(file_error(path, "cannot be read"));
  // A folder opens, and fails only here.
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return std::unexpected(file_error(path, "cannot be read"));
  return content;
}

}  // namespace vieta
