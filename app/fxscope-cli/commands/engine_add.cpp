// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli engine add: gives an engine a name.
#include <ostream>

#include "command.h"
#include "engines/known_engines.h"
#include "report/known_engines.h"

namespace fxs::cli {
namespace {

int runEngineAdd(const Arguments& arguments, Console& console) {
  const auto added = engines::addEngine(*arguments.get("NAME"), *arguments.get("PATH"),
                                        console.environment, console.context);
  if (!added) return reportError(added.error(), console);
  console.out << report::knownEngineText(*added);
  return kDone;
}

}  // namespace

void registerEngineAdd(Commands& commands);
void registerEngineAdd(Commands& commands) {
  commands.add({"engine add",
                "give an engine a name, which --engine accepts; its checksum is verified whenever "
                "it is used by that name",
                {{"NAME", "letters, digits, '.', '_' and '-'"},
                 {"PATH",
                  "a torch-mlir-opt, which stays where it is, or a wheel of torch-mlir, whose "
                  "torch-mlir-opt is unpacked"}},
                {},
                runEngineAdd,
                Group::SetUp});
}

}  // namespace fxs::cli
