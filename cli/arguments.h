// arguments: what the command line is made fit for before the parser of options sees it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vieta::cli {

/// The arguments after the program's name. A formula may start with a minus sign, -x^2, where the
/// parser would see an option: such an argument gets a blank in front. Arguments of "--name value"
/// are left alone; `flags` are the options that take no value.
std::vector<std::string> protected_arguments(std::span<char* const> arguments,
                                             std::span<const std::string> flags);

/// The argument as it was typed.
std::string as_typed(const std::string& argument);

}  // namespace vieta::cli
