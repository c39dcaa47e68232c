// export_names: what columns and parameters are called in other systems.
#pragma once

#include <string>
#include <vector>

#include "expr/expr.h"
#include "report/export.h"

namespace vieta {

struct ExportNames {
  std::vector<std::string> variables;
  std::vector<std::string> parameters;
};

/// No two names of one formula alike. LaTeX shows every name as it is. SymPy keeps every name, as
/// Symbol('...') where its bare word would mean something else. In code a name that is no
/// identifier, or that the language claims, is changed; one that may stand as it is always does.
ExportNames export_names(const Expr& expr, ExportLanguage language);

}  // namespace vieta
