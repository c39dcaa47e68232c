// error: how this room refuses. An exception, not a Result: the entry points are used as plain
// statements and expressions, and a refusal that can be overlooked would be a wrong number.
#pragma once

#include <exception>

namespace vieta::ad {

/// Misuse: sizes that do not match, memory that overlaps, a Var outside its recording.
class AutodiffError : public std::exception {
 public:
  /// The text must outlive the exception: a literal.
  explicit AutodiffError(const char* message) : message_(message) {}
  const char* what() const noexcept override { return message_; }

 private:
  const char* message_;
};

/// Out of line and cold, so that checks cost callers little code.
[[noreturn, gnu::noinline, gnu::cold]] inline void refuse(const char* message) {
  throw AutodiffError(message);
}

}  // namespace vieta::ad
