// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli node: lowers a single node, and inlines it into a caller.
#include "report/node.h"

#include <algorithm>
#include <ostream>

#include "command.h"
#include "lower_request.h"
#include "node_lab/node_lab.h"
#include "report/normalize.h"

namespace fxs::cli {
namespace {

Result<int> runNode(const Arguments& arguments, Console& console) {
  FXS_TRY(const session::Request request, lowerRequestFrom("node", arguments, console));
  FXS_TRY(const session::SnapshotPtr read,
          runTo(session::Phase::Normalize, request, arguments, console));
  const session::Snapshot& snapshot = *read;
  if (arguments.has("--inline")) FXS_CHECK(session::requirePyTorchProgram(snapshot, "--inline"));
  FXS_TRY(const fx::NodeId node,
          report::nodeCalled(*snapshot.capture->program, *arguments.get("NODE")));
  const auto done = node_lab::lowerNode(snapshot, node, request.lower.target, console.environment,
                                        console.context);
  if (!done) {
    // The input was read, so this error is a finding about the node.
    const int code = reportError(done.error(), console);
    return done.error().code == ErrorCode::InvalidInput ? kFindings : code;
  }
  const node_lab::NodeLowering& lowered = **done;

  const report::Paths paths = pathsOf(arguments, snapshot.capture->label);
  const report::NodeReport answer{paths.of(snapshot.capture->label),
                                  *snapshot.capture->program,
                                  node,
                                  lowered.extracted,
                                  lowered.raw,
                                  lowered.lowering.get(),
                                  lowered.findings,
                                  arguments.has("--inline"),
                                  lowered.inlined,
                                  lowered.verified,
                                  lowered.verifierSays,
                                  paths};
  const auto file = arguments.get("-o");
  if (file && lowered.ok()) {
    const std::string& text =
        answer.showInlined ? lowered.inlined : lowered.lowering->stages.back().text;
    FXS_CHECK(writeAnswer(arguments, text, console));
  }
  if (file == "-") {
    if (!lowered.ok()) console.err << report::nodeText(answer);
  } else {
    console.out << (arguments.has("--json") ? report::nodeJson(answer) : report::nodeText(answer));
  }
  if (console.context.stop.stop_requested()) return kCancelled;
  const std::vector<fx::Finding> findings = report::findingsOf(answer);
  if (lowered.lowering && !lower::isKnown(lowered.lowering->stages)) return kEngine;
  if (std::any_of(findings.begin(), findings.end(), lower::isNoAnswer)) return kEngine;
  return report::isOk(answer) ? kDone : kFindings;
}

}  // namespace

void registerNode(Commands& commands);
void registerNode(Commands& commands) {
  commands.add(
      {"node",
       "lower a single node: its minimal program, RAW, the lowered module, and that inlined into a "
       "caller",
       {{"FILE", "a .pt2, an MLIR module, or - for standard input"},
        {"NODE", "node name, \"sub.name\" or index"}},
       withLoweringOptions(
           {{"--to", "TYPE", "${output-types}; case and -/_ do not matter"},
            {"--inline", "", "show the lowered node inlined into a function under fresh names"},
            {"--decompose", "OP,..", "also decompose these operators, where a decomposition exists",
             true},
            {"-o", "OUT",
             "write the module to OUT (with --inline: the caller's module); - is standard output"},
            {"--json", "", "print JSON (resources/schemas/node.schema.json)"}}),
       reporting<runNode>,
       Group::Lower});
}

}  // namespace fxs::cli
