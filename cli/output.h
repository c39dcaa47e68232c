// output: what verbs print. Results go to standard output, everything else to standard error.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "eval/evaluate.h"

namespace vieta::cli {

/// Standard output takes no more. Thrown, because whatever a verb is doing then is in vain.
class OutputError : public std::runtime_error {
 public:
  OutputError(const std::string& message, bool reader_gone)
      : std::runtime_error(message), reader_gone_(reader_gone) {}
  /// The other end of a pipe closed, as `| head -1` does: no error.
  bool reader_gone() const { return reader_gone_; }

 private:
  bool reader_gone_;
};

/// Writes to standard output at once. Throws OutputError.
void write_out(std::string_view text);
/// One line on standard error.
void write_note(std::string_view text);

/// Columns of the terminal that a file descriptor is; 0 if it is none.
std::size_t terminal_columns(int descriptor);

/// A named text as `format` says: itself, {"name": "text"}, or a CSV file with one cell.
void write_named_text(const std::string& name, const std::string& text, const std::string& format);

/// Columns of numbers, all of one length, as CSV (shortest round trip), JSON ({"name": [numbers],
/// ..., "ok": bool, "first_bad_row": from 1, or null}; null for what is not finite) or aligned
/// text.
template <class T>
void write_columns(const std::vector<std::string>& names,
                   const std::vector<std::span<const T>>& columns, const EvalStatus& status,
                   const std::string& format);

/// "ok", or the first bad row, on standard error; exit code 4 if `strict` and not ok.
int report_status(const EvalStatus& status, bool strict);

}  // namespace vieta::cli
