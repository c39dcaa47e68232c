// model: a found front on disk. Formulas are kept as text in full precision, so that a file
// outlives the program.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "expr/operators.h"
#include "search/search.h"

namespace vieta {

struct Model {
  std::vector<std::string> variables;    ///< input columns, by name
  std::string target;                    ///< column or formula
  std::vector<std::string> definitions;  ///< texts of operators defined by the user, in order
  SearchReport report;
};

/// What a model file holds, without the options of a search.
nlohmann::ordered_json model_json(const Model& model);

/// Errors (data): the file cannot be written.
Result<void> write_model(const std::string& path, const Model& model, const SearchOptions& options);

/// The operators of a model file: those it defines itself, after `more`, which they and its
/// formulas may call. Errors: (usage) those of Operators::define on `more`, a name that both
/// define; (data) a definition of the model's does not parse.
Result<Operators> model_operators(const std::vector<std::string>& own,
                                  const std::vector<std::string>& more, const std::string& path);

/// `more`: definitions of operators that the model lacks. Errors: (data) not a file, no JSON, not a
/// model of a version this program reads, a formula that does not parse; those of model_operators.
Result<Model> read_model(const std::string& path, const std::vector<std::string>& more = {});

}  // namespace vieta
