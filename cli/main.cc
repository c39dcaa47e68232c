// vieta: the command line. Verbs are a file each; this one parses, runs and turns errors into exit
// codes.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "base/check.h"
#include "base/result.h"
#include "cli/verbs.h"

namespace {

constexpr int kBugExit = 70;

// One line: what was met, what was wanted, what to do.
int report(const vieta::Error& error) {
  fmt::print(stderr, "vieta: error: {}\n", vieta::describe(error));
  return static_cast<int>(error.code);
}

// CLI11 speaks in its own way; a user is to meet one way.
int report_usage(const CLI::ParseError& error) {
  std::string text = error.what();
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  return report({vieta::ErrorCode::usage, text + " (see vieta --help)"});
}

int run(int argc, char** argv) {
  CLI::App app(
      "Vieta: run-time formulas, exactly differentiated, and the search that finds them in data.",
      "vieta");
  app.set_version_flag("--version", "vieta " VIETA_VERSION);
  app.footer(
      "Results go to standard output, messages to standard error. vieta VERB --help tells a verb's "
      "options.\n"
      "Exit codes: 0 fine, 2 usage, 3 data, 4 numeric, 70 a bug of ours, 130 interrupted.\n"
      "Example:\n  vieta search examples/kepler/planets.csv --target period");
  app.require_subcommand(1);
  vieta::cli::Action action;
  vieta::cli::add_ops(app, action);
  vieta::cli::add_show(app, action);
  vieta::cli::add_eval(app, action);
  vieta::cli::add_grad(app, action);
  vieta::cli::add_diff(app, action);
  vieta::cli::add_fit(app, action);
  vieta::cli::add_search(app, action);
  vieta::cli::add_predict(app, action);
  vieta::cli::add_export(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return report_usage(error);
  }
  const vieta::Result<int> code = action();
  return code ? *code : report(code.error());
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that went away is no error: writes fail, and the program ends quietly.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const vieta::InternalError& error) {
    fmt::print(
        stderr,
        "vieta: internal error: {}; this is a bug of ours, please report it with the command\n",
        error.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "vieta: error: not enough memory for this table or formula\n");
    return static_cast<int>(vieta::ErrorCode::data);
  } catch (const std::exception& error) {
    fmt::print(
        stderr,
        "vieta: internal error: {}; this is a bug of ours, please report it with the command\n",
        error.what());
  }
  return kBugExit;
}
