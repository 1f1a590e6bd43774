// fxscope-cli node: one node by itself, lowered, and inlined into a caller.
#include "report/node.h"

#include <algorithm>
#include <ostream>

#include "command.h"
#include "lower_request.h"
#include "report/normalize.h"
#include "session/node_lab.h"

namespace fxs::cli {
namespace {

int runNode(const Arguments& arguments, World& world) {
  const auto request = lowerRequestFrom("node", arguments, world);
  if (!request) return reportError(request.error(), world);
  const auto read = runTo(session::Phase::Normalize, *request, arguments, world);
  if (!read) return reportError(read.error(), world);
  const session::Snapshot& snapshot = **read;
  const auto node = report::nodeCalled(*snapshot.capture->program, *arguments.get("NODE"));
  if (!node) return reportError(node.error(), world);
  const auto done = session::lowerNode(snapshot, *node, request->lower.target, world.environment, world.context);
  if (!done) {
    // The file is fine: this is what there is to say about the node.
    const int code = reportError(done.error(), world);
    return done.error().code == ErrorCode::InvalidInput ? kFindings : code;
  }
  const session::NodeAlone& alone = **done;

  const report::Paths paths = pathsOf(arguments, snapshot.capture->label);
  const report::NodeReport answer{paths.of(snapshot.capture->label),
                                  *snapshot.capture->program,
                                  *node,
                                  alone.alone,
                                  alone.raw,
                                  alone.lowering.get(),
                                  alone.findings,
                                  arguments.has("--inline"),
                                  alone.inlined,
                                  alone.verified,
                                  alone.verifierSays,
                                  paths};
  const auto file = arguments.get("-o");
  if (file) {
    const std::string& text = answer.showInlined ? alone.inlined : alone.ok() ? alone.lowering->stages.back().text : alone.raw;
    if (alone.ok())
      if (const auto written = writeAnswer(arguments, text, world); !written) return reportError(written.error(), world);
  }
  if (file == "-") {
    if (!alone.ok()) world.err << report::nodeText(answer);
  } else {
    world.out << (arguments.has("--json") ? report::nodeJson(answer) : report::nodeText(answer));
  }
  if (world.context.stop.stop_requested()) return kCancelled;
  const std::vector<fx::Finding> findings = report::findingsOf(answer);
  if (std::any_of(findings.begin(), findings.end(), [](const fx::Finding& f) { return f.kind == "engine"; })) return kEngine;
  return alone.ok() && (!answer.showInlined || alone.verified) ? kDone : kFindings;
}

}  // namespace

void registerNode(Commands& commands);
void registerNode(Commands& commands) {
  commands.add({"node",
                "one node by itself: its minimal program, RAW, its lowering, and that inlined into a caller",
                {{"FILE", "a .pt2, or - for standard input"}, {"NODE", "a node by name, \"sub.name\" or index"}},
                withLoweringOptions({{"--to", "TYPE", "${output-types}; case and -/_ do not matter"},
                                     {"--inline", "", "show the lowered node inlined into a function under fresh names"},
                                     {"--decompose", "OP,..", "also decompose these operators, where a rule exists", true},
                                     {"-o", "OUT", "write the module there (with --inline the caller's); - is standard output"},
                                     {"--json", "", "print JSON (resources/schemas/node.schema.json)"}}),
                runNode});
}

}  // namespace fxs::cli
