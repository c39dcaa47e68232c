// parser: tokens to Expr, for parse and for the bodies of definitions.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/result.h"
#include "expr/expr.h"
#include "expr/lexer.h"
#include "expr/parse.h"

namespace vieta {

/// Where a text comes from, for messages.
struct ParseSource {
  std::string_view text;              ///< the whole of it
  std::string_view name = "formula";  ///< Place::source
  std::string_view defining = {};     ///< the operator being defined, which must not call itself
};

/// Reads tokens.all from number `first` on.
Result<Expr> parse_tokens(const Tokens& tokens, std::size_t first, const ParseSource& source,
                          const ParseOptions& options);

/// The error with its place.
Error error_at(const ParseSource& source, std::size_t byte, std::string message);

}  // namespace vieta
