#include "fit/loss.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/number_text.h"
#include "expr/inline_operators.h"
#include "expr/walk.h"

namespace vieta {
namespace {

// {} is the shape, after a colon in the name.
struct Row {
  std::string_view name;
  LossFamily family;
  std::string_view formula;
  double largest_shape;  ///< 0: none is taken
};

// Where a target of 0 or 1 makes a logarithm infinite, its term is 0 in the limit; 0*log keeps the
// domain of the prediction. log_cosh is written so that nothing overflows.
constexpr std::array kLosses = {
    Row{"l2", LossFamily::squares, "(f - y)^2", 0},
    Row{"l1", LossFamily::kinked, "abs(f - y)", 0},
    Row{"huber", LossFamily::robust, "abs(f - y) <= {0} ? (f - y)^2/2 : {0}*(abs(f - y) - {0}/2)",
        INFINITY},
    Row{"quantile", LossFamily::kinked, "y > f ? {0}*(y - f) : (1 - {0})*(f - y)", 1},
    Row{"log_cosh", LossFamily::robust,
        "f > y ? f - y + softplus(-2*(f - y)) - log(2) : y - f + softplus(-2*(y - f)) - log(2)", 0},
    Row{"poisson", LossFamily::likelihood, "2*(f - y + (y > 0 ? y*log(y/f) : 0*log(f)))", 0},
    Row{"binomial", LossFamily::likelihood,
        "2*((y > 0 ? y*log(y/f) : 0*log(f)) + (y < 1 ? (1 - y)*log((1 - y)/(1 - f)) : "
        "0*log(1 - f)))",
        0},
};

constexpr std::string_view kNames = "l2, l1, huber:d, quantile:q, log_cosh, poisson, binomial";

std::unexpected<Error> refuse(const std::string& message) {
  return fail(ErrorCode::usage, message, {.source = "--loss"});
}

Result<double> read_shape(const Row& row, std::string_view text, bool given) {
  if (row.largest_shape == 0) {
    if (!given) return 0.0;
    return refuse(fmt::format("loss '{}' takes no number: '{}' follows it", row.name, text));
  }
  const std::optional<double> shape = read_number(text);
  if (shape && *shape > 0 && *shape < row.largest_shape) return *shape;
  return refuse(fmt::format("loss '{0}' needs a number {1} after a colon, as in {0}:{2}", row.name,
                            row.largest_shape == 1 ? "between 0 and 1" : "above 0",
                            row.largest_shape == 1 ? "0.9" : "1.5"));
}

Result<Expr> loss_formula(std::string_view text, const ParseOptions& operators) {
  ParseOptions options = operators;
  options.new_parameters = false;
  options.parameters.clear();
  options.variables = {"prediction", "target", "f", "y"};
  Result<Expr> parsed = parse(text, options);
  if (parsed) parsed = inline_operators(*parsed);
  if (!parsed) return parsed;
  const auto symbols = std::make_shared<const Symbols>(
      Symbols{.variables = {"prediction", "target"}, .parameters = {}});
  constexpr std::size_t kShortNames[] = {0, 1, 0, 1};
  return renumbered(*parsed, kShortNames, {}, symbols);
}

Result<Loss> user_loss(std::string_view text, const ParseOptions& operators) {
  Result<Expr> formula = loss_formula(text, operators);
  if (!formula) {
    Error error = formula.error();
    error.message =
        fmt::format("loss: {}; a loss is one of {}, or a formula in prediction and target",
                    error.message, kNames);
    error.place.source = "--loss";
    return std::unexpected(error);
  }
  if (!formula->uses_variable(0)) {
    return refuse(
        fmt::format("loss '{}' does not use the prediction: write a formula in prediction "
                    "and target, or one of {}",
                    text, kNames));
  }
  return Loss{std::string(text), LossFamily::robust, std::move(*formula), 0.5};
}

}  // namespace

Result<Loss> parse_loss(std::string_view text, const ParseOptions& operators) {
  const std::size_t colon = text.find(':');
  const bool shaped = colon != std::string_view::npos && text.find('?') == std::string_view::npos;
  const std::string_view name = shaped ? text.substr(0, colon) : text;
  for (const Row& row : kLosses) {
    if (row.name != name && !(name == "logcosh" && row.name == "log_cosh")) continue;
    const Result<double> shape = read_shape(row, shaped ? text.substr(colon + 1) : "", shaped);
    if (!shape) return std::unexpected(shape.error());
    const std::string formula = fmt::format(fmt::runtime(row.formula), number_text(*shape));
    return Loss{
        shaped ? fmt::format("{}:{}", row.name, number_text(*shape)) : std::string(row.name),
        row.family, loss_formula(formula, {}).value(), row.name == "quantile" ? *shape : 0.5};
  }
  return user_loss(text, operators);
}

std::string target_fault(const Loss& loss, double y) {
  if (!std::isfinite(y)) return "the target is not finite: every row that counts needs a number";
  if (loss.name == "poisson" && y < 0)
    return "the target is negative: the loss 'poisson' is for counts, from 0 up";
  if (loss.name == "binomial" && !(y >= 0 && y <= 1)) {
    return "the target is outside 0 to 1: the loss 'binomial' is for fractions, with numbers of "
           "trials as weights";
  }
  return "";
}

}  // namespace vieta
