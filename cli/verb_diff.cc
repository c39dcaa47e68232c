// vieta diff: the symbolic derivative of a formula.

#include <memory>
#include <nlohmann/json.hpp>

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
  const auto text = formula_text(options.formula);
  if (!text) return std::unexpected(text.error());
  const auto definitions = read_definitions(options.common.definitions);
  if (!definitions) return std::unexpected(definitions.error());
  const auto expr = parse_alone(*text, {}, *definitions);
  if (!expr) return std::unexpected(expr.error());
  std::vector<Leaf> leaves;
  for (const std::string& names : options.wrt) {
    for (const std::string& name : split_names(names)) {
      const auto leaf = find_leaf(*expr, name);
      if (!leaf) return std::unexpected(leaf.error());
      leaves.push_back(*leaf);
    }
  }
  const auto derivative = diff(*expr, leaves);
  if (!derivative) return std::unexpected(derivative.error());
  if (options.common.format == "json") {
    nlohmann::ordered_json json{
        {"formula", print(*expr)}, {"wrt", options.wrt}, {"derivative", print(*derivative)}};
    write_out(json.dump(1) + "\n");
  } else {
    write_out(print(*derivative) + "\n");
  }
  return 0;
}

}  // namespace

void add_diff(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("diff", "symbolic derivative of a formula, simplified");
  verb->footer("Example:\n  vieta diff 'a*exp(-b*t)' --wrt t --wrt b");
  auto options = std::make_shared<Options>();
  verb->add_option("FORMULA", options->formula, "formula, or @file")->required();
  verb->add_option("--wrt", options->wrt, "a name to differentiate by; again for higher order")
      ->required()
      ->expected(1)
      ->take_all();
  options->common.add_to(*verb, "text", {"text", "json"});
  verb->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace vieta::cli
