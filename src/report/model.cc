#include "report/model.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "expr/operators.h"
#include "expr/parse.h"
#include "report/files.h"
#include "report/front_table.h"

namespace vieta {
namespace {

constexpr int kVersion = 1;

Error bad_model(const std::string& path, const std::string& what) {
  return {ErrorCode::data,
          what + "; wanted a model.json that vieta search --out wrote",
          {.source = path}};
}

double number(const nlohmann::json& value) {
  return value.is_null() ? std::nan("") : value.get<double>();
}

Result<Model> from_json(const nlohmann::json& json, const std::string& path,
                        const std::vector<std::string>& more) {
  if (!json.is_object() || json.value("format", "") != "vieta model") {
    return std::unexpected(bad_model(path, "this JSON is no Vieta model"));
  }
  if (json.at("version").get<int>() > kVersion) {
    return std::unexpected(bad_model(
        path,
        fmt::format(
            "the model has version {}, newer than the {} this program reads: use a newer Vieta",
            json.at("version").get<int>(), kVersion)));
  }
  Model model;
  model.variables = json.at("variables").get<std::vector<std::string>>();
  model.target = json.at("target").get<std::string>();
  model.definitions = json.at("definitions").get<std::vector<std::string>>();
  const auto operators = model_operators(model.definitions, more, path);
  if (!operators) return std::unexpected(operators.error());
  for (const auto& row : json.at("front")) {
    const auto expr = parse(row.at("formula").get<std::string>(),
                            {.variables = model.variables, .operators = &*operators});
    if (!expr)
      return std::unexpected(bad_model(path, "a formula does not parse: " + expr.error().message));
    model.report.front.push_back({*expr, row.at("complexity").get<std::size_t>(),
                                  number(row.at("loss")), number(row.at("r2")),
                                  number(row.at("score"))});
  }
  model.report.selected = json.at("selected").get<std::size_t>();
  model.report.seed = json.at("seed").get<std::uint64_t>();
  if (model.report.front.empty() || model.report.selected >= model.report.front.size()) {
    return std::unexpected(bad_model(path, "the model has no selected formula"));
  }
  return model;
}

}  // namespace

nlohmann::ordered_json model_json(const Model& model) {
  nlohmann::ordered_json json;
  json["format"] = "vieta model";
  json["version"] = kVersion;
  json["program"] = VIETA_VERSION;
  json["variables"] = model.variables;
  json["target"] = model.target;
  json["definitions"] = model.definitions;
  json.update(front_json(model.report));
  return json;
}

Result<void> write_model(const std::string& path, const Model& model,
                         const SearchOptions& options) {
  nlohmann::ordered_json json = model_json(model);
#define VIETA_OPTION(type, name, default_value, flag, help) json["options"][#name] = options.name;
#include "search/options.def"
#undef VIETA_OPTION
  return write_file(path, json.dump(1) + "\n");
}

Result<Operators> model_operators(const std::vector<std::string>& own,
                                  const std::vector<std::string>& more, const std::string& path) {
  auto operators = define_all(more);
  for (std::size_t i = 0; operators && i < own.size(); ++i) {
    const auto added = operators->define(own[i]);
    if (added) continue;
    const std::string name = own[i].substr(0, own[i].find_first_of(" (\t"));
    if (operators->find(name) != nullptr) {
      return fail(ErrorCode::usage,
                  "'" + name + "' is defined by the model itself, as '" + own[i] +
                      "'; leave the other definition out, or give it another name",
                  {.source = "definition"});
    }
    return std::unexpected(
        bad_model(path, "a definition does not parse: " + added.error().message));
  }
  return operators;
}

Result<Model> read_model(const std::string& path, const std::vector<std::string>& more) {
  const Result<std::string> text = read_file(path);
  if (!text) return std::unexpected(text.error());
  try {
    return from_json(nlohmann::json::parse(*text), path, more);
  } catch (const nlohmann::json::exception& e) {
    return std::unexpected(bad_model(path, std::string("not readable: ") + e.what()));
  }
}

}  // namespace vieta
