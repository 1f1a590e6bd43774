// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli split: each dispatch or operation of a lowered program as a program of its own, with
// inputs and expected values of a run.
#include "split/split.h"

#include <algorithm>

#include "command.h"
#include "lower_request.h"
#include "report/split.h"
#include "routes/routes.h"
#include "run_request.h"

namespace fxs::cli {
namespace {

/// Whether a program computes other values by itself.
bool isOther(const split::SplitProgram& program) {
  return program.outcome == split::AloneOutcome::Differs ||
         program.outcome == split::AloneOutcome::Suspicious;
}

Result<int> runSplit(const Arguments& arguments, Console& console) {
  FXS_TRY(session::Request request, lowerRequestFrom("split", arguments, console));
  const auto folder = arguments.get("-o");
  if (!folder) return fail(ErrorCode::Usage, "'split' needs -o DIR, for the programs");
  request.normalize = false;
  request.askEngine = true;
  split::SplitOptions options;
  options.folder = *folder;
  options.run.targets = {request.lower.target};
  FXS_CHECK(setRunOptions(options.run, arguments));
  FXS_TRY(const auto imported, runTo(session::Phase::Import, request, arguments, console));
  FXS_CHECK(makeOutputFolder(*folder));
  FXS_TRY(const auto result,
          split::splitProgram(imported, options, console.environment, console.context));
  const report::SplitReport answer{pathsOf(arguments, request.file).of(request.file), *result};
  if (result->unlowered.empty())
    for (const auto& [name, text] : report::splitFiles(answer))
      FXS_CHECK(writeOutput(*folder + "/" + name, text));
  if (console.clearProgress) console.clearProgress();
  console.out << (arguments.has("--json") ? report::splitJson(answer) : report::splitText(answer));
  if (console.context.stop.stop_requested()) return kCancelled;
  if (!result->unlowered.empty()) return result->isKnown ? kFindings : kEngine;
  const bool other = std::any_of(result->programs.begin(), result->programs.end(), isOther);
  return other ? kFindings : kDone;
}

}  // namespace

void registerSplit(Commands& commands);
void registerSplit(Commands& commands) {
  commands.add(
      {"split",
       "write each dispatch or operation of a lowered program as a program of its own, "
       "with values of a run",
       {{"FILE", "a .pt2, an MLIR module, or - for standard input"}},
       withLoweringOptions(withRunOptions(
           {{"--to", "TYPE",
             "${output-types}; what IREE divided into dispatches is split into them, "
             "other types into operations"},
            viaOption(routes::ofProgram()),
            {"--decompose", "OP,..",
             "decompose these operators first, where a decomposition exists", true},
            {"-o", "DIR", "write the programs, index.json and test_dispatches.py to DIR"},
            {"--json", "", "print what index.json has (resources/schemas/split.schema.json)"}})),
       reporting<runSplit>,
       Group::Numbers});
}

}  // namespace fxs::cli
