// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli engine: the engine, its version and supported output types, or how to get one.
#include <ostream>

#include "command.h"
#include "report/lower.h"

namespace fxs::cli {
namespace {

int runEngine(const Arguments& arguments, World& world) {
  const auto engine = session::engineOf(world.environment, world.context);
  if (!engine) return reportError(engine.error(), world);
  world.out << (arguments.has("--json") ? report::engineJson(*engine, world.environment.outputTypes,
                                                             walls(cageStrength()))
                                        : report::engineText(*engine, world.environment.outputTypes,
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
                runEngine});
}

}  // namespace fxs::cli
