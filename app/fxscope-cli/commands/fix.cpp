// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli fix: applies what makes a program lower, and writes it as a .pt2.
#include "report/fix.h"

#include <algorithm>
#include <ostream>

#include "command.h"
#include "fix/fix.h"
#include "lower_request.h"

namespace fxs::cli {
namespace {

int runFix(const Arguments& arguments, World& world) {
  auto request = lowerRequestForTargets("fix", arguments, world);
  if (!request) return reportError(request.error(), world);
  auto& [base, targets] = *request;
  base.normalize = false;
  base.askEngine = true;
  const auto file = arguments.get("-o");
  if (!file || *file == "-")
    return reportError(
        {ErrorCode::Usage, "fix: say where to write the fixed program, with -o FIXED.pt2", {}},
        world);
  const auto imported = runTo(session::Phase::Import, base, arguments, world);
  if (!imported) return reportError(imported.error(), world);
  fix::FixOptions options;
  options.targets = targets;
  std::optional<std::string> script;
  for (const std::string& value : arguments.whole("--python")) {
    if (value.ends_with(".py")) script = value;
    else options.python = value;
  }
  options.numbers = arguments.has("--numbers");
  const auto fixed = fix::fix(*imported, options, world.environment, world.context);
  if (!fixed)
    return world.context.stop.stop_requested() ? int{kCancelled}
                                               : reportError(fixed.error(), world);
  if (const auto written = fix::writeFixed(**fixed, *file, world.context); !written)
    return reportError(ofOption(written.error()), world);
  if (const std::string python = (*fixed)->python(); script && !python.empty()) {
    if (const auto written = writeOutput(*script, python); !written)
      return reportError(written.error(), world);
  } else if (script) {
    world.err << "fxscope-cli: " << *script << " is not written: "
              << ((*fixed)->pythonStop.empty() ? "torch-mlir has no such output type"
                                               : (*fixed)->pythonStop)
              << '\n';
  }
  const report::Paths paths = pathsOf(arguments, base.file);
  const report::FixReport answer{
      paths.of(base.file),
      paths.of(*file),
      *(*imported)->capture->program,
      (*fixed)->snapshot->rewritten->applied,
      (*fixed)->targets,
      (*fixed)->changes,
      (*fixed)->blocked,
      (*fixed)->decompositions,
      (*fixed)->values,
      script && !(*fixed)->python().empty() ? paths.of(*script) : std::string(),
      (*fixed)->askedOf,
      paths};
  world.out << (arguments.has("--json") ? report::fixJson(answer) : report::fixText(answer));
  const auto& all = (*fixed)->targets;
  const auto any = [&](auto is) { return std::any_of(all.begin(), all.end(), is); };
  if ((*fixed)->values.isWrong() ||
      any([](const fix::FixedTarget& t) { return !t.lowers && t.isKnown; }))
    return kFindings;
  return any([](const fix::FixedTarget& t) { return !t.lowers; }) ? kEngine : kDone;
}

}  // namespace

void registerFix(Commands& commands);
void registerFix(Commands& commands) {
  commands.add({"fix",
                "apply what makes a program lower, and write it as a .pt2 for torch.export.load",
                {{"FILE", "a .pt2, or - for standard input"}},
                withLoweringOptions(
                    {{"--to", "TYPE,..",
                      "output types: ${output-types}; the fixed program is for all of them", true},
                     {"-o", "FIXED.pt2", "the file to write"},
                     {"--python", "FIXED.py|PATH",
                      "FIXED.py: also write the changes as a Python module with lower(program); "
                      "PATH: Python interpreter with "
                      "torch-mlir (auto: python3), which is asked what it makes of the fixed "
                      "program, and what both programs compute",
                      true},
                     {"--numbers", "",
                      "also compare what the fixed program computes with what the original does, "
                      "by the installed executors (PyTorch does, with --python PATH)"},
                     {"--decompose", "OP,..",
                      "decompose these operators first, where a decomposition exists", true},
                     {"--json", "", "print JSON (resources/schemas/fix.schema.json)"}}),
                runFix});
}

}  // namespace fxs::cli
