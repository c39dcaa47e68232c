// check: a broken promise of our own code becomes an InternalError, never undefined behaviour.
#pragma once

#include <stdexcept>
#include <string>

namespace vieta {

/// A bug of ours. The command line prints it, asks for a report and exits with 70.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void internal_error(const char* condition, const char* file, int line) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": " + condition);
}

}  // namespace vieta

/// Kept in release builds: use it at the edges of a room, not inside loops over rows.
#define VIETA_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::vieta::internal_error(#condition, __FILE__, __LINE__))
