// result: how every room reports bad input.
//
// Bad input is a value (`Result<T>`), our own bug is an exception (`InternalError`, check.h), NaN
// is data.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <utility>

namespace vieta {

/// What kind of thing went wrong. The command line's exit code is the enumerator's value.
enum class ErrorCode {
  usage = 2,  ///< the request itself: formula text, options, names
  data = 3,   ///< the table: a cell, a column, a file
  numeric =
      4,  ///< the numbers: a fit that cannot be done, a value that is not finite where it must be
};

/// Where it went wrong. Rows and columns count from 1; 0 means "does not apply".
struct Place {
  std::string source = {};  ///< a file's name, "formula", or an option's name
  std::size_t row = 0;      ///< line of a file
  std::size_t column = 0;   ///< column of a file, or of `text`, in bytes
  std::string text = {};    ///< the line under which a caret helps (a formula); empty if none does
};

/// One refusal: what was met, what was wanted, what to do.
struct Error {
  ErrorCode code = ErrorCode::usage;
  std::string message;
  Place place = {};
};

template <class T>
using Result = std::expected<T, Error>;

/// `return fail(ErrorCode::data, "...")` from any function that returns a Result.
inline std::unexpected<Error> fail(ErrorCode code, std::string message, Place place = {}) {
  return std::unexpected(Error{code, std::move(message), std::move(place)});
}

/// One line (two more with a caret where the place has text), without the program's name in front.
std::string describe(const Error& error);

}  // namespace vieta
