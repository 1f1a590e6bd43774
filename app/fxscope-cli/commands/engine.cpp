// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli engine: the engine, its version and supported output types, or how to get one.
#include <ostream>

#include "command.h"
#include "report/lower.h"

namespace fxs::cli {
namespace {

int runEngine(const Arguments& arguments, Console& console) {
  const auto engine = session::engineOf(console.environment, console.context);
  if (!engine) return reportError(engine.error(), console);
  console.out << (arguments.has("--json")
                      ? report::engineJson(*engine, console.environment.outputTypes,
                                           walls(cageStrength()))
                      : report::engineText(*engine, console.environment.outputTypes,
                                           walls(cageStrength())));
  return kDone;
}

}  // namespace

void registerEngine(Commands& commands);
void registerEngine(Commands& commands) {
  commands.add({"engine",
                "show the engine, its version and checksum, and the output types it supports",
                {},
                {{"--json", "", "print JSON (resources/schemas/engine.schema.json)"}},
                runEngine,
                Group::SetUp});
}

}  // namespace fxs::cli
