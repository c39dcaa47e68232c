#include "report/fitted_model.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "expr/operators.h"
#include "expr/parse.h"
#include "expr/print.h"
#include "expr/walk.h"
#include "report/files.h"
#include "report/front_table.h"
#include "report/json_number.h"
#include "report/model.h"

namespace vieta {
namespace {

double number(const nlohmann::json& value) {
  return value.is_null() ? std::nan("") : value.get<double>();
}

nlohmann::ordered_json fit_member(const FittedFormula& fitted) {
  nlohmann::ordered_json fit;
  fit["formula"] = print(fitted.model);
  fit["parameters"] = nlohmann::ordered_json::object();
  for (std::size_t p = 0; p < fitted.parameters.size(); ++p)
    fit["parameters"][fitted.model.symbols().parameters[p]] = number_or_null(fitted.parameters[p]);
  fit["estimated"] = nlohmann::ordered_json::array();
  for (const Leaf& leaf : fitted.leaves) fit["estimated"].push_back(leaf_name(fitted.model, leaf));
  fit["covariance"] = nlohmann::ordered_json::array();
  for (const double c : fitted.covariance) fit["covariance"].push_back(number_or_null(c));
  fit["residual_sd"] = number_or_null(fitted.residual_sd);
  fit["dof"] = number_or_null(fitted.dof);  // null: infinite
  return fit;
}

Result<FittedFormula> from_json(const nlohmann::json& json, const std::string& path,
                                const std::vector<std::string>& more) {
  const auto bad = [&](const std::string& what) {
    return fail(ErrorCode::data, what + "; wanted a model.json that vieta fit --out wrote",
                {.source = path});
  };
  if (!json.is_object() || json.value("format", "") != "vieta model")
    return bad("this JSON is no Vieta model");
  if (!json.contains("fit")) return bad("this model has no uncertainty, it is a front of a search");
  const auto& fit = json.at("fit");
  FittedFormula fitted;
  ParseOptions options{.variables = json.at("variables").get<std::vector<std::string>>()};
  for (const auto& [name, value] : fit.at("parameters").items()) {
    options.parameters.push_back(name);
    fitted.parameters.push_back(number(value));
  }
  const auto operators =
      model_operators(json.at("definitions").get<std::vector<std::string>>(), more, path);
  if (!operators) return std::unexpected(operators.error());
  options.operators = &*operators;
  const auto model = parse(fit.at("formula").get<std::string>(), options);
  if (!model) return bad("the formula does not parse: " + model.error().message);
  fitted.model = *model;
  for (const auto& name : fit.at("estimated")) {
    const auto leaf = find_leaf(fitted.model, name.get<std::string>());
    if (!leaf) return bad("an estimate is not in the formula: " + leaf.error().message);
    fitted.leaves.push_back(*leaf);
  }
  for (const auto& c : fit.at("covariance")) fitted.covariance.push_back(number(c));
  if (fitted.covariance.size() != fitted.leaves.size() * fitted.leaves.size())
    return bad("the covariance has another size than the list of estimates");
  fitted.residual_sd = number(fit.at("residual_sd"));
  fitted.dof = fit.at("dof").is_null() ? std::numeric_limits<double>::infinity()
                                       : fit.at("dof").get<double>();
  return fitted;
}

// Over the columns that it uses, and no others.
Expr compact(const Expr& expr) {
  Symbols symbols{{}, expr.symbols().parameters};
  std::vector<std::size_t> number(expr.symbols().variables.size());
  for (std::size_t v = 0; v < number.size(); ++v) {
    number[v] = symbols.variables.size();
    if (expr.uses_variable(v)) symbols.variables.push_back(expr.symbols().variables[v]);
  }
  return renumbered(expr, number, {}, std::make_shared<const Symbols>(std::move(symbols)));
}

}  // namespace

Result<void> write_fitted_model(const std::string& path, const FitReport& report,
                                const std::string& target,
                                const std::vector<std::string>& definitions) {
  const Expr formula = compact(report.formula);
  FittedFormula fitted = fitted_formula(report);
  fitted.model = compact(fitted.model);
  SearchReport front;
  front.front.push_back({formula, formula.complexity(), report.loss, report.r2, 0});
  front.n_evaluations = report.n_evaluations;
  front.stop_reason = report.stop_reason;
  nlohmann::ordered_json json =
      model_json({formula.symbols().variables, target, definitions, front});
  json["fit"] = fit_member(fitted);
  return write_file(path, json.dump(1) + "\n");
}

Result<FittedFormula> read_fitted_model(const std::string& path,
                                        const std::vector<std::string>& more) {
  const Result<std::string> text = read_file(path);
  if (!text) return std::unexpected(text.error());
  try {
    return from_json(nlohmann::ordered_json::parse(*text), path, more);
  } catch (const nlohmann::json::exception& e) {
    return fail(ErrorCode::data,
                std::string("not readable: ") + e.what() +
                    "; wanted a model.json that vieta fit --out wrote",
                {.source = path});
  }
}

}  // namespace vieta
