// output: what verbs print. Results go to standard output, everything else to standard error.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "eval/evaluate.h"

namespace vieta::cli {

/// Writes to standard output; false if nobody reads it any more.
bool write_out(std::string_view text);
void write_note(std::string_view text);

/// Quotes what CSV needs quoted.
std::string csv_cell(const std::string& text);

/// Columns of numbers as CSV (shortest round trip), JSON ({"columns": {...}, "ok",
/// "first_bad_row"}) or aligned text.
template <class T>
bool write_columns(const std::vector<std::string>& names,
                   const std::vector<std::span<const T>>& columns, const EvalStatus& status,
                   const std::string& format);

/// "ok", or the first bad row, on standard error; exit code 4 if `strict` and not ok.
int report_status(const EvalStatus& status, bool strict);

}  // namespace vieta::cli
