#include "data/file_text.h"

#include <fmt/format.h>
#define ZLIB_CONST  // input pointers to const
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace vieta {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18U;

std::unexpected<Error> refuse(const std::string& source, std::string message) {
  return fail(ErrorCode::data, std::move(message), {source, 0, 0, ""});
}

std::string system_reason(int number) { return std::generic_category().message(number); }

Result<std::string> read_all(std::FILE* file, const std::string& source, std::size_t expected) {
  std::string bytes;
  bytes.reserve(expected);
  std::vector<char> chunk(kChunk);
  while (const std::size_t n = std::fread(chunk.data(), 1, chunk.size(), file)) {
    bytes.append(chunk.data(), n);
  }
  if (std::ferror(file) != 0) {
    return refuse(source, "cannot be read: " + system_reason(errno));
  }
  return bytes;
}

Result<std::string> read_bytes(const std::string& path) {
  if (path == "-") return read_all(stdin, source_name(path), 0);
  const auto close = [](std::FILE* f) { std::fclose(f); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (!file) {
    return refuse(path, fmt::format("cannot be opened: {}; check the path", system_reason(errno)));
  }
  std::error_code unknown;
  const auto size = std::filesystem::file_size(path, unknown);
  return read_all(file.get(), path, unknown ? 0 : size);
}

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1F\x8B"); }

// zlib's state with its end tied to the scope.
class Inflater {
 public:
  // 16: gzip framing with its check sum.
  Inflater() : ready_(inflateInit2(&stream_, 16 + MAX_WBITS) == Z_OK) {}
  ~Inflater() {
    if (ready_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Unpacks the member at the front of `bytes`, takes it off, and appends its text. The status is
  // Z_STREAM_END for a sound member, Z_BUF_ERROR for one cut short, another for a corrupt one.
  int take_member(std::string_view& bytes, std::string& text) {
    if (!ready_ || inflateReset(&stream_) != Z_OK) return Z_MEM_ERROR;
    int status = Z_OK;
    while (status == Z_OK) {
      // zlib counts in 32 bits, so that a large file goes in by pieces.
      const std::size_t given = std::min(bytes.size(), std::size_t{1} << 30U);
      stream_.next_in = reinterpret_cast<const Bytef*>(bytes.data());
      stream_.avail_in = static_cast<uInt>(given);
      stream_.next_out = reinterpret_cast<Bytef*>(chunk_.data());
      stream_.avail_out = static_cast<uInt>(chunk_.size());
      status = inflate(&stream_, Z_NO_FLUSH);
      bytes.remove_prefix(given - stream_.avail_in);
      text.append(chunk_.data(), chunk_.size() - stream_.avail_out);
    }
    return status;
  }

 private:
  std::vector<char> chunk_ = std::vector<char>(kChunk);
  z_stream stream_{};
  bool ready_;
};

Result<std::string> unpack(std::string_view bytes, const std::string& source) {
  Inflater inflater;
  std::string text;
  while (is_gzip(bytes)) {
    const int status = inflater.take_member(bytes, text);
    if (status != Z_STREAM_END) {
      return refuse(source, status == Z_BUF_ERROR
                                ? "the gzip data end too early; fetch the file again"
                                : "the gzip data are corrupt; fetch the file again");
    }
  }
  // Tapes and disks pad with zeros.
  if (bytes.find_first_not_of('\0') != std::string_view::npos) {
    return refuse(source, "the gzip data are followed by something else; fetch the file again");
  }
  return text;
}

}  // namespace

std::string source_name(const std::string& path_or_dash) {
  return path_or_dash == "-" ? "standard input" : path_or_dash;
}

Result<std::string> read_file_text(const std::string& path_or_dash) {
  auto bytes = read_bytes(path_or_dash);
  if (!bytes || !is_gzip(*bytes)) return bytes;
  return unpack(*bytes, source_name(path_or_dash));
}

}  // namespace vieta
