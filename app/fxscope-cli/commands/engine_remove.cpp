// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli engine remove: forgets an engine.
#include <ostream>

#include "command.h"
#include "lower/known_engines.h"

namespace fxs::cli {
namespace {

int runEngineRemove(const Arguments& arguments, Console& console) {
  const auto removed =
      lower::removeKnownEngine(console.environment.enginesFolder, *arguments.get("NAME"));
  return removed ? kDone : reportError(removed.error(), console);
}

}  // namespace

void registerEngineRemove(Commands& commands);
void registerEngineRemove(Commands& commands) {
  commands.add({"engine remove",
                "forget an engine, and remove its program if it was unpacked from a wheel",
                {{"NAME", "as 'engine list' shows it"}},
                {},
                runEngineRemove,
                Group::SetUp});
}

}  // namespace fxs::cli
