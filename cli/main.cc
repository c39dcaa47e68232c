// vieta: the command line. Verbs are a file each; this one parses, runs and turns errors into exit
// codes.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/arguments.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "expr/names.h"

namespace {

constexpr int kBugExit = 70;

// One line: what was met, what was wanted, what to do.
int report(const vieta::Error& error) {
  fmt::print(stderr, "vieta: error: {}\n", vieta::describe(error));
  return static_cast<int>(error.code);
}

// CLI11 speaks in its own way; a user is to meet one way.
int report_usage(const CLI::App& app, const CLI::ParseError& error) {
  std::string text = error.what();
  std::ranges::replace(text, '\n', ' ');
  const auto verbs = app.get_subcommands();
  const std::string verb = verbs.empty() ? "" : verbs.front()->get_name() + " ";
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    text += "; a formula with blanks or brackets needs quotes around it";
  }
  return report({vieta::ErrorCode::usage, fmt::format("{} (see vieta {}--help)", text, verb)});
}

// Whether the first argument is a verb, or an option of the program itself.
vieta::Result<void> check_verb(const CLI::App& app, const std::vector<std::string>& arguments) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    verbs.push_back(verb->get_name());
  }
  const std::string list = fmt::format("{}", fmt::join(verbs, ", "));
  if (arguments.empty()) {
    return vieta::fail(vieta::ErrorCode::usage,
                       fmt::format("no verb: wanted one of {} (see vieta --help)", list));
  }
  const std::string& verb = arguments.front();
  if (verb.starts_with("-") || std::ranges::find(verbs, verb) != verbs.end()) return {};
  const auto nearest = vieta::nearest_name(verb, verbs);
  return vieta::fail(vieta::ErrorCode::usage,
                     fmt::format("'{}' is no verb: {} (see vieta --help)", verb,
                                 nearest ? fmt::format("did you mean '{}'?", *nearest)
                                         : fmt::format("wanted one of {}", list)));
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
      "Example:\n  vieta search examples/kepler/planets.csv --target period\n");
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
  constexpr std::string_view kFlags[] = {"--help", "--version", "--strict", "--progress"};
  std::vector<std::string> arguments = vieta::cli::protected_arguments(
      std::span(argv, static_cast<std::size_t>(argc)).subspan(argc > 0 ? 1 : 0), kFlags);
  if (auto known = check_verb(app, arguments); !known) return report(known.error());
  std::ranges::reverse(arguments);  // as CLI11 wants them
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error);
  }
  const vieta::Result<int> code = action();
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
