// verbs: one function a verb. Each adds its subcommand and says what to do when it was chosen.
#pragma once

#include "cli/command_line.h"

namespace vieta::cli {

void add_ops(CommandLine& line);
void add_show(CommandLine& line);
void add_eval(CommandLine& line);
void add_grad(CommandLine& line);
void add_diff(CommandLine& line);
void add_fit(CommandLine& line);
void add_search(CommandLine& line);
void add_predict(CommandLine& line);
void add_export(CommandLine& line);

}  // namespace vieta::cli
