#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/output.h"
#include "expr/print.h"
#include "report/text_width.h"

namespace vieta::cli {
namespace {

std::string line_of(const SearchProgress& progress) {
  const std::string best =
      progress.front->empty() ? "" : print(progress.front->back().expr, {.digits = 4});
  return fmt::format("{:6.1f} s  {:>11} evaluations  {:>9.0f}/s  loss {:<11.5g} {}",
                     progress.seconds, progress.n_evaluations,
                     static_cast<double>(progress.n_evaluations) / std::max(progress.seconds, 1e-9),
                     progress.best_loss, best);
}

}  // namespace

Progress::Progress(bool asked_for)
    : columns_(terminal_columns(STDERR_FILENO)), asked_for_(asked_for) {}

Progress::~Progress() {
  if (written_ && columns_ > 0) fmt::print(stderr, "\r\033[K");
}

void Progress::show(const SearchProgress& progress) {
  if (columns_ == 0 && !asked_for_) return;
  const double pause = columns_ > 0 ? 0.2 : 1.0;
  if (progress.seconds - last_ < pause) return;
  last_ = progress.seconds;
  written_ = true;
  if (columns_ > 0) {
    // A line as wide as the terminal would wrap, and could not be rewritten.
    fmt::print(stderr, "\r\033[K{}",
               cut_to_width(line_of(progress), std::max<std::size_t>(columns_, 20) - 1));
  } else {
    fmt::print(stderr, "vieta: {}\n", line_of(progress));
  }
  std::fflush(stderr);
}

}  // namespace vieta::cli
