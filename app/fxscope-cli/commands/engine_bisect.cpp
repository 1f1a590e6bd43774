// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli engine bisect: the first of several engines with which a program lowers, or no longer
// does.
#include "command.h"
#include "engine_choice.h"
#include "lower_request.h"
#include "report/engines.h"

namespace fxs::cli {
namespace {

int runEngineBisect(const Arguments& arguments, Console& console) {
  auto request = lowerRequestFrom("engine bisect", arguments, console);
  if (!request) return reportError(request.error(), console);
  const lower::OutputType type = request->lower.target;
  const auto names = engineNames(arguments);
  if (names.size() < 2)
    return reportError(
        {ErrorCode::Usage,
         "'engine bisect' needs two or more engines, in order: --engine A --engine B ..",
         {}},
        console);
  auto engines = engines::enginesNamed(names, console.environment, console.context);
  if (!engines) return reportError(engines.error(), console);
  const auto found = engines::bisectEngines(session::start(*request), type, *std::move(engines),
                                            console.environment, console.context);
  if (!found) return reportError(found.error(), console);
  const report::Paths paths = pathsOf(arguments, request->file);
  const report::BisectReport answer{paths.of(request->file),
                                    std::string(lower::name(type)),
                                    found->engines,
                                    found->sameAs,
                                    found->outcomes,
                                    found->ran,
                                    found->first,
                                    paths};
  if (console.clearProgress) console.clearProgress();
  console.out << (arguments.has("--json") ? report::bisectJson(answer)
                                          : report::bisectText(answer));
  return found->first ? kDone : kFindings;
}

}  // namespace

void registerEngineBisect(Commands& commands);
void registerEngineBisect(Commands& commands) {
  commands.add({"engine bisect",
                "find the first of several engines with which a program lowers, or no longer does; "
                "exits 1 if the first and the last agree",
                {{"FILE", "a .pt2, an MLIR module, or - for standard input"}},
                withLoweringOptions(
                    {enginesOption("an engine; two or more, in order"),
                     {"--to", "TYPE", "output type: ${output-types}"},
                     {"--decompose", "OP,..",
                      "decompose these operators first, where a decomposition exists", true},
                     {"--json", "", "print JSON (resources/schemas/engine_bisect.schema.json)"}}),
                runEngineBisect,
                Group::Passes});
}

}  // namespace fxs::cli
