// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli man: the manual pages.
#include <ostream>

#include "manual.h"

namespace fxs::cli {
namespace {

int runMan(const Arguments& arguments, Console& console) {
  const std::string program = arguments.get("PROGRAM").value_or("fxscope-cli");
  if (program != "fxscope-cli" && program != "fxscope")
    return reportError({ErrorCode::Usage,
                        "unknown program '" + program + "'; expected fxscope-cli or fxscope",
                        {}},
                       console);
  Commands commands;
  registerAllCommands(commands);
  console.out << (program == "fxscope"
                      ? windowManual(console.environment.outputTypes, FXS_VERSION)
                      : commandLineManual(commands, console.environment.outputTypes, FXS_VERSION));
  return kDone;
}

}  // namespace

void registerMan(Commands& commands);
void registerMan(Commands& commands) {
  commands.add(
      {"man",
       "print a manual page: fxscope-cli man | man -l -",
       {{"PROGRAM", "fxscope-cli (default) or fxscope", false, false, {"fxscope-cli", "fxscope"}}},
       {},
       runMan,
       Group::SetUp});
}

}  // namespace fxs::cli
