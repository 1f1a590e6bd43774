// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli fix: applies what makes a program lower, and writes it as a .pt2.
#include "report/fix.h"

#include <algorithm>
#include <ostream>

#include "command.h"
#include "fix/fix.h"
#include "lower_request.h"
#include "next_step.h"

namespace fxs::cli {
namespace {

/// Whether the changes were written as a Python module; says why if not.
Result<bool> writePython(const fix::FixedProgram& fixed, const std::string& path,
                         Console& console) {
  if (const std::string python = fixed.python(); !python.empty()) {
    FXS_CHECK(writeOutput(path, python));
    return true;
  }
  std::string reason = fixed.pythonStop;
  if (reason.empty())
    reason =
        fixed.script().isEmpty() ? "no change was found" : "torch-mlir has no such output type";
  console.err << "fxscope-cli: " << path << " is not written: " << reason << '\n';
  return false;
}

int endOf(const fix::FixedProgram& fixed) {
  const auto any = [&](auto is) {
    return std::any_of(fixed.targets.begin(), fixed.targets.end(), is);
  };
  if (fixed.values.isWrong() ||
      any([](const fix::FixedTarget& t) { return !t.lowers && t.isKnown; }))
    return kFindings;
  return any([](const fix::FixedTarget& t) { return !t.lowers; }) ? kEngine : kDone;
}

Result<int> runFix(const Arguments& arguments, Console& console) {
  FXS_TRY(auto request, lowerRequestForTargets("fix", arguments, console));
  auto& [base, targets] = request;
  base.normalize = false;
  base.askEngine = true;
  const auto file = arguments.get("-o");
  if (!file || *file == "-")
    return fail(ErrorCode::Usage, "fix: say where to write the fixed program, with -o FIXED.pt2");
  FXS_TRY(const auto imported, runTo(session::Phase::Import, base, arguments, console));
  fix::FixOptions options;
  options.targets = targets;
  std::optional<std::string> script;
  for (const std::string& value : arguments.raw("--python")) {
    if (value.ends_with(".py")) script = value;
    else options.python = value;
  }
  options.script = script.has_value();
  options.numbers = arguments.has("--numbers");
  const auto made = fix::fix(imported, options, console.environment, console.context);
  if (!made && console.context.stop.stop_requested()) return kCancelled;
  if (!made) return tl::unexpected<Error>(made.error());
  const fix::FixedProgram& fixed = **made;
  if (const auto written = fix::writeFixed(fixed, *file, console.context); !written)
    return tl::unexpected<Error>(ofOption(written.error()));
  const report::Paths paths = pathsOf(arguments, base.file);
  std::string python;
  if (script) {
    FXS_TRY(const bool written, writePython(fixed, *script, console));
    if (written) python = paths.of(*script);
  }
  const report::FixReport answer{paths.of(base.file),
                                 paths.of(*file),
                                 *imported->capture->program,
                                 fixed.snapshot->rewritten->applied,
                                 fixed.targets,
                                 fixed.changes,
                                 fixed.blocked,
                                 fixed.decompositions,
                                 fixed.values,
                                 python,
                                 python.empty() ? std::string() : fixed.pythonCost(),
                                 fixed.askedOf,
                                 paths};
  if (arguments.has("--json")) {
    console.out << report::fixJson(answer);
    return endOf(fixed);
  }
  std::vector<lower::OutputType> lowersTo;
  for (const fix::FixedTarget& target : fixed.targets)
    if (target.lowers) lowersTo.push_back(target.target);
  console.out << report::fixText(answer);
  console.write(nextLines(withOptions(diagnose::nextStepOfFixed(*file, lowersTo), arguments),
                          console.layout));
  return endOf(fixed);
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
                reporting<runFix>,
                Group::Mend});
}

}  // namespace fxs::cli
