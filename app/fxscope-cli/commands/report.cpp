// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli report: what an issue of torch-mlir needs of a program that it does not lower, or
// lowers to what computes other values.
#include <ostream>

#include "command.h"
#include "lower_request.h"
#include "report/line.h"
#include "report/problem.h"
#include "upstream/problem.h"

namespace fxs::cli {
namespace {

std::vector<Option> reportOptions() {
  return withLoweringOptions(
      {{"--to", "TYPE", "${output-types}; case and -/_ do not matter"},
       {"-o", "DIR",
        "also write issue.md, repro.py, minimal.mlir, test.mlir and e2e_test.py there"},
       {"--node", "N", "operation to report (default: the first that blocks the program)"},
       {"--python", "PATH",
        "Python interpreter with torch-mlir (auto: python3), which runs repro.py to verify it"},
       {"--failures-only", "", "do not compare what a program that lowers computes"},
       knownOption(),
       {"--json", "", "print JSON (resources/schemas/report.schema.json)"}});
}

Result<int> runReport(const Arguments& arguments, Console& console) {
  FXS_TRY(session::Request request, lowerRequestFrom("report", arguments, console));
  request.normalize = false;
  FXS_TRY(const auto opened, runTo(session::Phase::Read, request, arguments, console));
  upstream::ProblemOptions options;
  options.python = arguments.get("--python").value_or("");
  options.values = !arguments.has("--failures-only");
  FXS_TRY(options.known, knownFaultsOf(arguments));
  if (const auto node = arguments.get("--node")) {
    FXS_TRY(options.node, nodeNamed(*opened->capture->program, *node));
  }
  FXS_TRY(const auto problem,
          upstream::problemOf(opened, options, console.environment, console.context));
  if (const auto folder = arguments.get("-o")) {
    FXS_CHECK(makeOutputFolder(*folder));
    for (const auto& [name, text] : report::problemFiles(*problem))
      FXS_CHECK(writeOutput(*folder + "/" + name, text));
  }
  if (arguments.has("--json")) console.out << report::problemJson(*problem);
  else console.out << report::line("# {}\n\n", problem->title) << report::problemMarkdown(*problem);
  const bool isOther = problem->outcome == upstream::ScriptOutcome::FailsOtherwise ||
                       problem->outcome == upstream::ScriptOutcome::DoesNotFail;
  return isOther ? kFindings : kDone;
}

}  // namespace

void registerReport(Commands& commands);
void registerReport(Commands& commands) {
  commands.add({"report",
                "write an issue for torch-mlir: the smallest case as a script, a module and tests",
                {{"FILE", "a .pt2, or - for standard input"}},
                reportOptions(),
                reporting<runReport>,
                Group::Share});
}

}  // namespace fxs::cli
