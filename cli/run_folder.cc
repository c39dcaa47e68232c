#include "cli/run_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "cli/output.h"
#include "report/files.h"
#include "report/front_table.h"
#include "report/model.h"

namespace vieta::cli {

Result<void> RunFolder::create() const {
  if (path_.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(path_, error);
  if (!error && !std::filesystem::is_directory(path_)) {
    error = std::make_error_code(std::errc::not_a_directory);
  }
  if (!error && ::access(path_.c_str(), W_OK) != 0) {
    error = std::make_error_code(std::errc::permission_denied);
  }
  if (!error) return {};
  return fail(
      ErrorCode::data,
      fmt::format("no folder to write to: {}; name another one with --out", error.message()),
      {.source = path_});
}

void RunFolder::save_progress(const SearchProgress& progress) {
  constexpr double kPause = 1;
  if (path_.empty() || progress.seconds - last_ < kPause) return;
  last_ = progress.seconds;
  SearchReport report;
  report.front = *progress.front;
  if (const auto written = write_file(path_ + "/front.csv", front_csv(report)); !written) {
    write_note(describe(written.error()));
  }
}

Result<void> RunFolder::save(const SearchReport& report, const SearchOptions& options,
                             const std::vector<std::string>& variables, const std::string& target,
                             const std::vector<std::string>& definitions) const {
  if (path_.empty()) return {};
  auto written = write_file(path_ + "/front.csv", front_csv(report));
  if (!written) return written;
  return write_model(path_ + "/model.json", {variables, target, definitions, report}, options);
}

}  // namespace vieta::cli
