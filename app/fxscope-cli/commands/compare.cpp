// fxscope-cli compare: whether what a program was lowered to computes what it should, and the first node that differs.
#include "report/compare.h"

#include <algorithm>

#include "command.h"
#include "lower_request.h"
#include "run_request.h"

namespace fxs::cli {
namespace {

int runCompare(const Arguments& arguments, World& world) {
  auto request = lowerRequestForTargets("compare", arguments, world);
  if (!request) return reportError(request.error(), world);
  auto& [base, targets] = *request;
  base.normalize = false;
  base.askEngine = true;
  session::CompareOptions options;
  options.targets = targets;
  options.python = arguments.get("--python").value_or("");
  if (const auto set = setRunOptions(options, arguments); !set) return reportError(set.error(), world);
  const auto imported = runTo(session::Phase::Import, base, arguments, world);
  if (!imported) return reportError(imported.error(), world);
  const auto comparison = session::compare(*imported, options, world.environment, world.context);
  if (!comparison) return reportError(comparison.error(), world);
  const report::Paths paths = pathsOf(arguments, base.file);
  const report::CompareReport answer{paths.of(base.file), **comparison, *(*imported)->capture->program, paths};
  if (const auto written =
          writeAnswer(arguments, arguments.has("--json") ? report::compareJson(answer) : report::compareText(answer), world);
      !written)
    return reportError(written.error(), world);
  if (world.context.stop.stop_requested()) return kCancelled;
  return compare::differs(**comparison) ? kFindings : kDone;
}

}  // namespace

void registerCompare(Commands& commands);
void registerCompare(Commands& commands) {
  commands.add(
      {"compare",
       "run what a program was lowered to, and compare the results with PyTorch's or among lowering paths",
       {{"FILE", "a .pt2, or - for standard input"}},
       withLoweringOptions(withRunOptions(
           {{"--to", "TYPE,..", "output types: ${output-types}", true},
            {"--python", "PATH", "Python interpreter with PyTorch (auto: python3), which computes the expected value of every node"},
            {"--decompose", "OP,..", "decompose these operators first, where a decomposition exists", true},
            {"--json", "", "print JSON (resources/schemas/compare.schema.json)"},
            {"-o", "OUT", "write the report to OUT"}})),
       runCompare});
}

}  // namespace fxs::cli
