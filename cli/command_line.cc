#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/number_text.h"
#include "cli/arguments.h"
#include "expr/names.h"

namespace vieta::cli {
namespace {

// A condition on the number; what is no number at all is left to the conversion of the option's own
// type.
template <class Fine>
CLI::Validator number_that(Fine fine, const std::string& wanted, const std::string& name) {
  return CLI::Validator(
      [fine, wanted](const std::string& text) {
        const auto value = read_number(text);
        return !value || fine(*value) ? std::string()
                                      : fmt::format("'{}' was met, wanted {}", text, wanted);
      },
      "", name);
}

// CLI11 speaks in its own way; a user is to meet one way.
Error usage_error(const CLI::App& app, const CLI::ParseError& error) {
  std::string text = error.what();
  std::ranges::replace(text, '\n', ' ');
  const auto verbs = app.get_subcommands();
  const std::string verb = verbs.empty() ? "" : verbs.front()->get_name() + " ";
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    text += "; a formula with blanks or brackets needs quotes around it";
  }
  return {ErrorCode::usage, fmt::format("{} (see vieta {}--help)", text, verb)};
}

}  // namespace

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::repeatable() {
  option_->expected(1)->take_all();
  return *this;
}

Option& Option::show_default() {
  option_->capture_default_str();
  return *this;
}

Option& Option::show_default(const std::string& text) {
  option_->default_str(text);
  return *this;
}

Option& Option::one_of(const std::vector<std::string>& allowed) {
  option_->check(CLI::IsMember(allowed));
  return *this;
}

Option& Option::one_of_numbers(const std::vector<int>& allowed) {
  option_->check(CLI::IsMember(allowed));
  return *this;
}

Option& Option::not_negative() {
  option_->check(number_that([](double value) { return value >= 0; },
                             "a number that is not negative", "not negative"));
  return *this;
}

Option& Option::positive() {
  option_->check(
      number_that([](double value) { return value > 0; }, "a number above 0", "positive"));
  return *this;
}

Option& Option::at_most(std::size_t largest) {
  option_->check(CLI::Range(std::size_t{0}, largest).description(""));
  return *this;
}

void Verb::footer(const std::string& text) { app_->footer(text); }

template <class T>
Option Verb::option(const std::string& name, T& target, const std::string& help) {
  return Option(*app_->add_option(name, target, help));
}

template Option Verb::option(const std::string&, std::string&, const std::string&);
template Option Verb::option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Verb::option(const std::string&, int&, const std::string&);
template Option Verb::option(const std::string&, std::size_t&, const std::string&);
template Option Verb::option(const std::string&, double&, const std::string&);
template Option Verb::option(const std::string&, std::optional<std::size_t>&, const std::string&);

Option Verb::flag(const std::string& name, bool& target, const std::string& help) {
  flags_->push_back(name);
  return Option(*app_->add_flag(name, target, help));
}

void Verb::does(Action action) {
  app_->callback([chosen = chosen_, action = std::move(action)] { *chosen = action; });
}

CommandLine::CommandLine(const std::string& description, const std::string& version,
                         const std::string& footer)
    : app_(std::make_unique<CLI::App>(description, "vieta")), flags_{"--help", "--version"} {
  app_->set_version_flag("--version", version);
  app_->footer(footer);
  app_->require_subcommand(1);
}

CommandLine::~CommandLine() = default;

Verb CommandLine::add_verb(const std::string& name, const std::string& help) {
  return {*app_->add_subcommand(name, help), chosen_, flags_};
}

// Whether the first argument is a verb, or an option of the program itself.
Result<void> CommandLine::check_verb(const std::vector<std::string>& arguments) const {
  std::vector<std::string> verbs;
  for (const CLI::App* verb :
       std::as_const(*app_).get_subcommands([](const CLI::App*) { return true; })) {
    verbs.push_back(verb->get_name());
  }
  const std::string list = fmt::format("{}", fmt::join(verbs, ", "));
  if (arguments.empty()) {
    return fail(ErrorCode::usage,
                fmt::format("no verb: wanted one of {} (see vieta --help)", list));
  }
  const std::string& verb = arguments.front();
  if (verb.starts_with("-") || std::ranges::find(verbs, verb) != verbs.end()) return {};
  const auto nearest = nearest_name(verb, verbs);
  return fail(ErrorCode::usage, fmt::format("'{}' is no verb: {} (see vieta --help)", verb,
                                            nearest ? fmt::format("did you mean '{}'?", *nearest)
                                                    : fmt::format("wanted one of {}", list)));
}

Result<int> CommandLine::run(std::span<char* const> arguments) {
  std::vector<std::string> guarded = protected_arguments(arguments, flags_);
  if (auto known = check_verb(guarded); !known) return std::unexpected(known.error());
  std::ranges::reverse(guarded);  // as CLI11 wants them
  try {
    app_->parse(std::move(guarded));
  } catch (const CLI::Success& help) {
    return app_->exit(help);
  } catch (const CLI::ParseError& error) {
    return std::unexpected(usage_error(*app_, error));
  }
  return chosen_();
}

}  // namespace vieta::cli
