#pragma once
// The options that commands share which lower a program: --to, --mode, --weights, --extra-library, --no-non-finites, --timeout,
// --memory.
#include <string_view>
#include <utility>
#include <vector>

#include "command.h"

namespace fxs::cli {

/// A command's own options, then those that all commands share which lower; --to is the command's own.
std::vector<Option> withLoweringOptions(std::vector<Option> own);
/// What --timeout and --memory say, the defaults where they say nothing; Usage that names the option.
Result<lower::Limits> limitsFrom(const Arguments& arguments);
/// requestFrom() and what `lower` adds to it; Usage that names the option. `command` is the one that needs --to.
Result<session::Request> lowerRequestFrom(std::string_view command, const Arguments& arguments, const World&);
/// The same for commands whose --to may name several: the request has the first as its target.
Result<std::pair<session::Request, std::vector<lower::OutputType>>> lowerRequestForTargets(std::string_view command,
                                                                                           const Arguments& arguments, const World&);

}  // namespace fxs::cli
