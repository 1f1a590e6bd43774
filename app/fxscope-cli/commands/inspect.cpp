// fxscope-cli inspect: what is in a file.
#include "report/inspect.h"

#include <ostream>

#include "command.h"
#include "fx/text.h"

namespace fxs::cli {

namespace {

int run(const Arguments& arguments, World& world) {
  const bool graph = arguments.has("--graph"), rewritten = arguments.has("--rewritten");
  if (graph && arguments.has("--json"))
    return reportError(Error{ErrorCode::Usage, "--graph prints text; it does not go with --json", {}}, world);
  if (rewritten && !graph)
    return reportError(Error{ErrorCode::Usage, "--rewritten says which graph --graph prints; give --graph too", {}}, world);

  auto snapshot = runTo(rewritten ? session::Phase::Rewrite : session::Phase::Read, requestFrom(arguments), arguments, world);
  if (!snapshot) return reportError(snapshot.error(), world);
  const read::Capture& capture = *(*snapshot)->capture;
  if (!graph) {
    world.out << (arguments.has("--json") ? report::inspectJson(capture) : report::inspectText(capture));
    return kDone;
  }
  world.out << fx::dump(rewritten ? *(*snapshot)->rewritten->program : *capture.program);
  int code = kDone;
  for (const fx::Finding& finding : (*snapshot)->findings()) {
    world.err << fx::name(finding.severity) << ": " << (finding.nodeName.empty() ? "" : finding.nodeName + ": ") << finding.message << "\n";
    if (finding.severity == fx::Severity::Error) code = kFindings;
  }
  return code;
}

}  // namespace

void registerInspect(Commands& commands);
void registerInspect(Commands& commands) {
  commands.add({"inspect",
                "what is in a file: nodes, operators, inputs, weights, symbolic dimensions",
                {{"FILE", "a .pt2, or - for standard input"}},
                {{"--json", "", "print JSON (resources/schemas/inspect.schema.json)"},
                 {"--graph", "", "print the graph, as print(graph_module.graph) does"},
                 {"--rewritten", "", "with --graph: the graph as it is imported, functionalized and decomposed"},
                 {"--decompose", "OP,..", "with --rewritten: also decompose these operators", true}},
                run});
}

}  // namespace fxs::cli
