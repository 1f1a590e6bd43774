// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli compare: whether what a program was lowered to computes what it should, and the first
// node that differs; with several engines, what each lowers and how their texts differ.
#include "report/compare.h"

#include "command.h"
#include "engine_choice.h"
#include "lower_request.h"
#include "report/engines.h"
#include "routes/routes.h"
#include "run_request.h"

namespace fxs::cli {
namespace {

/// Lowers with every engine; nothing is run.
int compareEngines(const session::Request& request, const std::vector<lower::OutputType>& targets,
                   const Arguments& arguments, Console& console) {
  if (request.route != &session::kPipelines)
    return reportError(
        {ErrorCode::Usage, "several engines are compared by their pipelines: leave out --via", {}},
        console);
  for (const Option& option : withRunOptions({{"--python", "", ""}}))
    if (arguments.has(option.name))
      return reportError({ErrorCode::Usage,
                          "option '" + option.name +
                              "' cannot be used with several engines, whose texts are not run",
                          {}},
                         console);
  auto engines =
      engines::enginesNamed(engineNames(arguments), console.environment, console.context);
  if (!engines) return reportError(engines.error(), console);
  // Read here, because the report names nodes.
  const auto read = runTo(session::Phase::Rewrite, request, arguments, console);
  if (!read) return reportError(read.error(), console);
  const auto sides = engines::lowerSideBySide(*read, targets, *std::move(engines),
                                              console.environment, console.context);
  if (!sides) return reportError(sides.error(), console);
  const report::Paths paths = pathsOf(arguments, request.file);
  const report::EnginesReport answer{paths.of(request.file), **sides, *(*read)->capture->program,
                                     paths};
  if (console.clearProgress) console.clearProgress();
  if (const auto written = writeAnswer(
          arguments,
          arguments.has("--json") ? report::enginesJson(answer) : report::enginesText(answer),
          console);
      !written)
    return reportError(written.error(), console);
  if ((*sides)->differs()) return kFindings;
  return (*sides)->isUnanswered() ? kEngine : kDone;
}

int runCompare(const Arguments& arguments, Console& console) {
  auto request = lowerRequestForTargets("compare", arguments, console);
  if (!request) return reportError(request.error(), console);
  if (engineNames(arguments).size() > 1)
    return compareEngines(request->first, request->second, arguments, console);
  auto& [base, targets] = *request;
  base.normalize = false;
  base.askEngine = true;
  numbers::CompareOptions options;
  options.targets = targets;
  options.python = arguments.get("--python").value_or("");
  if (const auto set = setRunOptions(options, arguments); !set)
    return reportError(set.error(), console);
  const auto imported = runTo(session::Phase::Import, base, arguments, console);
  if (!imported) return reportError(imported.error(), console);
  const auto comparison =
      numbers::compare(*imported, options, console.environment, console.context);
  if (!comparison) return reportError(comparison.error(), console);
  const report::Paths paths = pathsOf(arguments, base.file);
  const report::CompareReport answer{paths.of(base.file), **comparison,
                                     *(*imported)->capture->program, paths};
  const auto written =
      arguments.has("--json")
          ? writeAnswer(arguments, report::compareJson(answer), console)
          : writeText(arguments, report::compareText(answer, layoutOfAnswer(arguments, console)),
                      console);
  if (!written) return reportError(written.error(), console);
  if (console.context.stop.stop_requested()) return kCancelled;
  if (compare::isAccused(**comparison)) return kFindings;
  return compare::isUnanswered(**comparison) ? kEngine : kDone;
}

}  // namespace

void registerCompare(Commands& commands);
void registerCompare(Commands& commands) {
  commands.add({"compare",
                "run what a program was lowered to, and compare the results with PyTorch's or "
                "among lowering paths; with several engines, compare "
                "what "
                "they lower it to",
                {{"FILE", "a .pt2, an MLIR module, or - for standard input"}},
                withLoweringOptions(withRunOptions(
                    {{"--to", "TYPE,..", "output types: ${output-types}", true},
                     viaOption(routes::ofProgram()),
                     enginesOption("engine to use; with two or more, each lowers the program, and "
                                   "outcomes and texts are compared, without running them"),
                     {"--python", "PATH",
                      "Python interpreter with PyTorch (auto: python3), which computes the "
                      "expected value of every node"},
                     {"--decompose", "OP,..",
                      "decompose these operators first, where a decomposition exists", true},
                     {"--json", "",
                      "print JSON (resources/schemas/compare.schema.json; with several engines "
                      "engine_compare.schema.json)"},
                     {"-o", "OUT", "write the report to OUT"}})),
                runCompare,
                Group::Numbers});
}

}  // namespace fxs::cli
