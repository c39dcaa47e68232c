// run_folder: the folder of --out, with front.csv and model.json.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "search/search.h"

namespace vieta::cli {

/// Without a path nothing is written.
class RunFolder {
 public:
  explicit RunFolder(std::string path) : path_(std::move(path)) {}

  /// Makes the folder, unless it is there. Errors (data): it cannot be made or written to.
  Result<void> create() const;
  /// front.csv of a running search, at most once a second. Trouble is a note, not the end of it.
  void save_progress(const SearchProgress& progress);
  /// front.csv and model.json.
  Result<void> save(const SearchReport& report, const SearchOptions& options,
                    const std::vector<std::string>& variables, const std::string& target,
                    const std::vector<std::string>& definitions) const;

 private:
  std::string path_;
  double last_ = 0;
};

}  // namespace vieta::cli
