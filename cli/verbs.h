// verbs: one function a verb. Each adds its subcommand and says what to do when it was chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "base/result.h"

namespace vieta::cli {

/// What the chosen verb does once the command line is parsed: 0, another exit code, or an error.
using Action = std::function<Result<int>()>;

void add_ops(CLI::App& app, Action& action);
void add_show(CLI::App& app, Action& action);
void add_eval(CLI::App& app, Action& action);
void add_grad(CLI::App& app, Action& action);
void add_diff(CLI::App& app, Action& action);
void add_fit(CLI::App& app, Action& action);
void add_search(CLI::App& app, Action& action);
void add_predict(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);

}  // namespace vieta::cli
