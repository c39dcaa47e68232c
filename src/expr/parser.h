// parser: tokens to Expr, for parse and for the bodies of definitions.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
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
  bool in_definition = false;         ///< loops are allowed
  /// The operator that is being defined, where it calls itself.
  struct Self {
    std::string name;
    Op op;
  };
  std::optional<Self> self = std::nullopt;
};

/// Reads tokens.all from number `first` on.
Result<Expr> parse_tokens(const Tokens& tokens, std::size_t first, const ParseSource& source,
                          const ParseOptions& options);

/// The error with its place.
Error error_at(const ParseSource& source, std::size_t byte, std::string message);

}  // namespace vieta
