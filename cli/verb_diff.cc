// vieta diff: the symbolic derivative of a formula.

#include <memory>

#include "cli/input.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "expr/diff.h"
#include "expr/print.h"

namespace vieta::cli {
namespace {

struct Options {
  std::string formula;
  std::vector<std::string> wrt;
  CommonOptions common;
};

Result<int> run(const Options& options) {
  const auto expr = read_formula(options.formula, {}, options.common);
  if (!expr) return std::unexpected(expr.error());
  std::vector<Leaf> leaves;
  for (const std::string& names : options.wrt) {
    for (const std::string& name : split_names(names)) {
      auto leaf = find_leaf(*expr, name);
      if (!leaf) {
        leaf.error().place.source = "--wrt";
        return std::unexpected(leaf.error());
      }
      leaves.push_back(*leaf);
    }
  }
  if (leaves.empty())
    return fail(ErrorCode::usage, "no name to differentiate by", {.source = "--wrt"});
  const auto derivative = diff(*expr, leaves);
  if (!derivative) return std::unexpected(derivative.error());
  write_named_text("derivative", print(*derivative), options.common.format);
  return 0;
}

}  // namespace

void add_diff(CommandLine& line) {
  Verb verb = line.add_verb("diff", "symbolic derivative of a formula, simplified");
  verb.footer("Example:\n  vieta diff 'a*exp(-b*t)' --wrt t --wrt b\n");
  auto options = std::make_shared<Options>();
  verb.option("FORMULA", options->formula, "formula, or @file").required();
  verb.option("--wrt", options->wrt, "a name to differentiate by; again for higher order")
      .required()
      .repeatable();
  options->common.add_to(verb, "text");
  verb.does([options] { return run(*options); });
}

}  // namespace vieta::cli
