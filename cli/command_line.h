// command_line: verbs, their options and what they do, without the parser behind them. Only
// command_line.cc includes CLI11: a unit that does so takes ten seconds to compile.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace vieta::cli {

/// What a verb does once the command line is parsed: 0, another exit code, or an error.
using Action = std::function<Result<int>()>;

/// One option of a verb; every call returns it again.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option& required();
  Option& repeatable();  ///< one value a time, as often as wanted; all are kept
  Option& show_default();
  Option& show_default(const std::string& text);
  Option& one_of(const std::vector<std::string>& allowed);
  Option& one_of_numbers(const std::vector<int>& allowed);
  Option& not_negative();
  Option& positive();
  Option& at_most(std::size_t largest);

 private:
  CLI::Option* option_;
};

/// A verb under construction.
class Verb {
 public:
  Verb(CLI::App& app, Action& chosen, std::vector<std::string>& flags)
      : app_(&app), chosen_(&chosen), flags_(&flags) {}

  /// What --help says below the options.
  void footer(const std::string& text);

  /// An option with a value: "--name", or "NAME" for an argument in its place. T: std::string, a
  /// vector of them, int, std::size_t, double, or an optional std::size_t. `target` must live until
  /// the verb has run.
  template <class T>
  Option option(const std::string& name, T& target, const std::string& help);

  Option flag(const std::string& name, bool& target, const std::string& help);

  void does(Action action);

 private:
  CLI::App* app_;
  Action* chosen_;
  std::vector<std::string>* flags_;
};

/// The program's command line.
class CommandLine {
 public:
  CommandLine(const std::string& description, const std::string& version,
              const std::string& footer);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Verb add_verb(const std::string& name, const std::string& help);

  /// Parses the arguments after the program's name and does what the chosen verb does. --help and
  /// --version print and give 0. Errors (usage): no verb, an unknown one, options that do not fit;
  /// then those of the verb.
  Result<int> run(std::span<char* const> arguments);

 private:
  Result<void> check_verb(const std::vector<std::string>& arguments) const;

  std::unique_ptr<CLI::App> app_;
  Action chosen_;
  std::vector<std::string> flags_;  ///< options that take no value
};

}  // namespace vieta::cli
