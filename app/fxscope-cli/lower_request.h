// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Options shared by the commands that lower a program: --to, --via, --mode, --weights,
// --extra-library,
// --no-non-finites, --timeout, --memory.
#include <string_view>
#include <utility>
#include <vector>

#include "command.h"
#include "diagnose/known_faults.h"

namespace fxs::cli {

inline constexpr const char* kToolHelp =
    "program that runs the passes: engine (default), mlir-opt-22, iree-opt, or the path of another "
    "*-opt";
/// Of --tool; the engine without it. Usage if it is not a program that runs passes.
Result<lower::StageTool> toolFrom(const Arguments& arguments);
/// A command's own options, including --to, followed by the shared ones.
std::vector<Option> withLoweringOptions(std::vector<Option> own);
/// Options that change single nodes of the program: --set-arg, --decompose-node, --keep-node.
std::vector<Option> withNodeOptions(std::vector<Option> own);
/// Usage for a text that is not NODE.ARG=VALUE.
Result<> readNodeOptions(const Arguments&, rewrite::RewriteOptions&);
/// Usage if the request has them, and another route than that of the pipelines.
Result<> checkNodeOptions(const session::Request&);
/// --set, which they have, too.
Option setOption();
/// --via, with these to choose from.
Option viaOption(const std::vector<const session::Route*>& routes);
/// --as, and the request that it makes of this one; Usage for another value.
Option asOption();
Result<session::Request> requestAs(std::string_view as, session::Request);
/// Limits from --timeout and --memory, or the defaults; else Usage naming the option.
Result<lower::Limits> limitsFrom(const Arguments& arguments);
/// requestFrom() and the options for lowering; else Usage naming the option. `command` is named if
/// --to is missing.
Result<session::Request> lowerRequestFrom(std::string_view command, const Arguments& arguments,
                                          const Console&);
/// The same for commands whose --to may list several output types; the first is the target of the
/// request.
Result<std::pair<session::Request, std::vector<lower::OutputType>>> lowerRequestForTargets(
    std::string_view command, const Arguments& arguments, const Console&);
/// --known, and the faults of its file before the built-in ones; errors of reading it.
Option knownOption();
Result<diagnose::KnownFaults> knownFaultsOf(const Arguments&);
/// Of --node. Usage, with a suggestion, if there is none.
Result<fx::NodeId> nodeNamed(const fx::Program&, const std::string& name);

}  // namespace fxs::cli
