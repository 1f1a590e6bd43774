// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli engine list: the engines known by name.
#include <ostream>

#include "command.h"
#include "lower/known_engines.h"
#include "report/known_engines.h"

namespace fxs::cli {
namespace {

int runEngineList(const Arguments& arguments, Console& console) {
  const auto engines = lower::knownEngines(console.environment.enginesFolder);
  if (!engines) return reportError(engines.error(), console);
  console.out << (arguments.has("--json") ? report::knownEnginesJson(*engines)
                                          : report::knownEnginesText(*engines));
  return kDone;
}

}  // namespace

void registerEngineList(Commands& commands);
void registerEngineList(Commands& commands) {
  commands.add({"engine list",
                "list the engines known by name, which --engine accepts",
                {},
                {{"--json", "", "print JSON (resources/schemas/engines.schema.json)"}},
                runEngineList,
                Group::SetUp});
}

}  // namespace fxs::cli
