// vieta: the command line. Verbs are a file each; this one parses, runs and turns errors into exit
// codes.

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <span>

#include "base/result.h"
#include "cli/command_line.h"
#include "cli/output.h"
#include "cli/verbs.h"

namespace {

constexpr int kBugExit = 70;

// One line: what was met, what was wanted, what to do.
int report(const vieta::Error& error) {
  fmt::print(stderr, "vieta: error: {}\n", vieta::describe(error));
  return static_cast<int>(error.code);
}

int run(int argc, char** argv) {
  vieta::cli::CommandLine line(
      "Vieta: run-time formulas, exactly differentiated, and the search that finds them in data.",
      "vieta " VIETA_VERSION,
      "Results go to standard output, messages to standard error. vieta VERB --help tells a verb's "
      "options.\n"
      "Exit codes: 0 fine, 2 usage, 3 data, 4 numeric, 70 a bug of ours, 130 interrupted.\n"
      "Example:\n  vieta search examples/kepler/planets.csv --target period\n");
  vieta::cli::add_ops(line);
  vieta::cli::add_show(line);
  vieta::cli::add_eval(line);
  vieta::cli::add_grad(line);
  vieta::cli::add_diff(line);
  vieta::cli::add_fit(line);
  vieta::cli::add_search(line);
  vieta::cli::add_predict(line);
  vieta::cli::add_export(line);
  const vieta::Result<int> code =
      line.run(std::span(argv, static_cast<std::size_t>(argc)).subspan(argc > 0 ? 1 : 0));
  return code ? *code : report(code.error());
}

int report_bug(const char* what) {
  fmt::print(
      stderr,
      "vieta: internal error: {}; this is a bug of ours, please report it with the command\n",
      what);
  return kBugExit;
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that went away is no error: writes fail, and the program ends quietly.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const vieta::cli::OutputError& error) {
    if (error.reader_gone()) return 0;
    return report({vieta::ErrorCode::data, error.what()});
  } catch (const std::bad_alloc&) {
    return report({vieta::ErrorCode::data, "not enough memory for this table or formula"});
  } catch (const std::exception& error) {
    return report_bug(error.what());
  } catch (...) {
    return report_bug("an exception of no known kind");
  }
}
