// parse_messages: how the parser's refusals are worded. Each says what was met, what was wanted,
// and what to do.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "expr/lexer.h"
#include "expr/parse.h"

namespace vieta {

/// In quotes, clipped to a readable length.
std::string quoted(std::string_view text);

/// `before`: the token in front, null at the start. `nothing_open`: no bracket and no operator
/// waits.
std::string missing_operand_message(const Token* before, const Token& here, bool nothing_open);
std::string missing_operator_message(const Token& before, const Token& here);
std::string unknown_name_message(std::string_view name, std::span<const std::string> known);
std::string unknown_function_message(std::string_view name, const Operators* operators);
std::string wrong_count_message(std::string_view name, const std::string& wanted, int count);

/// "1", or "1 or 2" where several operators share a name.
std::string arities_text(std::string_view name);

}  // namespace vieta
