// vieta ops: the operators, from the table everything else is made from.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "expr/operators.h"
#include "ops/op.h"
#include "report/csv_cell.h"

namespace vieta::cli {
namespace {

std::string derivatives(const OpInfo& row) {
  std::string text;
  for (int k = 0; k < row.arity; ++k)
    text += (k == 0 ? "" : "; ") + std::string(row.d[static_cast<std::size_t>(k)]);
  return text;
}

std::string aliases(const OpInfo& row) {
  std::string text;
  for (const Alias& alias : all_aliases()) {
    if (&info(alias.op) == &row && alias.alias != row.name)
      text += (text.empty() ? "" : " ") + std::string(alias.alias);
  }
  return text;
}

std::string as_text(const Operators& definitions) {
  std::string text =
      fmt::format("{:<10} {:>5}  {:<52} {:>8}  {:<34}  {}\n", "name", "arity", "meaning",
                  "accuracy", "domain", "derivative (a, b, c: arguments, v: value)");
  for (const OpInfo& row : all_ops()) {
    text +=
        fmt::format("{:<10} {:>5}  {:<52} {:>8}  {:<34}  {}\n", row.name, row.arity, row.meaning,
                    fmt::format("{} | {}", number_text(row.ulp), number_text(row.ulp_fast)),
                    row.domain, derivatives(row));
  }
  for (const auto& definition : definitions.all()) {
    text += fmt::format("{:<10} {:>5}  {}\n", definition.name, definition.arguments.size(),
                        definition.text);
  }
  text +=
      "\nAccuracy: bound on the error of the value in units in the last place, exact | fast "
      "kernels.\nOther names:";
  for (const OpInfo& row : all_ops()) {
    if (const std::string names = aliases(row); !names.empty())
      text += fmt::format(" {} ({}),", names, row.name);
  }
  text.back() = '\n';
  return text;
}

std::string as_csv(const Operators& definitions) {
  std::string text = "name,arity,meaning,derivative,domain,accuracy,accuracy_fast,aliases\n";
  for (const OpInfo& row : all_ops()) {
    text += fmt::format("{},{},{},{},{},{},{},{}\n", csv_cell(std::string(row.name)), row.arity,
                        csv_cell(std::string(row.meaning)), csv_cell(derivatives(row)),
                        csv_cell(std::string(row.domain)), number_text(row.ulp),
                        number_text(row.ulp_fast), csv_cell(aliases(row)));
  }
  for (const auto& definition : definitions.all()) {
    text += fmt::format("{},{},{},,,,,\n", csv_cell(definition.name), definition.arguments.size(),
                        csv_cell(definition.text));
  }
  return text;
}

std::string as_json(const Operators& definitions) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const OpInfo& row : all_ops()) {
    nlohmann::ordered_json partials = nlohmann::ordered_json::array();
    for (int k = 0; k < row.arity; ++k) partials.push_back(row.d[static_cast<std::size_t>(k)]);
    json.push_back({{"name", row.name},
                    {"arity", row.arity},
                    {"meaning", row.meaning},
                    {"derivative", partials},
                    {"domain", row.domain},
                    {"accuracy", row.ulp},
                    {"accuracy_fast", row.ulp_fast},
                    {"aliases", aliases(row)}});
  }
  for (const auto& definition : definitions.all()) {
    json.push_back({{"name", definition.name},
                    {"arity", definition.arguments.size()},
                    {"meaning", definition.text}});
  }
  return json.dump(1) + "\n";
}

Result<int> run(const CommonOptions& common) {
  const auto definitions = read_definitions(common.definitions);
  if (!definitions) return std::unexpected(definitions.error());
  if (common.format == "json") {
    write_out(as_json(*definitions));
  } else {
    write_out(common.format == "csv" ? as_csv(*definitions) : as_text(*definitions));
  }
  return 0;
}

}  // namespace

void add_ops(CommandLine& line) {
  Verb verb = line.add_verb("ops", "list the operators");
  verb.footer("Example:\n  vieta ops | grep log\n");
  auto common = std::make_shared<CommonOptions>();
  common->add_to(verb, "text");
  verb.does([common] { return run(*common); });
}

}  // namespace vieta::cli
