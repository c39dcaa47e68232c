// number_text: the shortest text that reads back to the same bits, and the way back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vieta {

/// The fewest digits that read back, without an exponent from 1e-4 to 1e16; "nan", "inf", "-inf"
/// for what is not finite. Never localised.
std::string number_text(double value);
std::string number_text(float value);

/// At most `digits` significant digits, trailing zeros dropped: for tables people read.
std::string number_text_rounded(double value, int digits);

/// The whole of `text` as a number, or nothing. Takes what number_text prints, a leading '+', and
/// "NaN", "Inf", "Infinity" in any case; no white space, no hexadecimal. An overflowing literal
/// reads as infinity and an underflowing one as zero, as IEEE rounding says.
std::optional<double> read_number(std::string_view text);

}  // namespace vieta
