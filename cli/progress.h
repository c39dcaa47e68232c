// progress: how a running search tells where it is, on standard error.
#pragma once

#include "search/search.h"

namespace vieta::cli {

/// One line on a terminal, rewritten in place and gone at the end. Elsewhere nothing, or, if it was
/// asked for, a line a second.
class Progress {
 public:
  explicit Progress(bool asked_for);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const SearchProgress& progress);

 private:
  std::size_t columns_;  ///< of the terminal; 0 if standard error is none
  bool asked_for_;
  bool written_ = false;
  double last_ = 0;
};

}  // namespace vieta::cli
