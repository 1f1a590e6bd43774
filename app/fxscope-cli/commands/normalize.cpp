// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli normalize: metadata before and after, rule by rule.
#include "report/normalize.h"

#include <ostream>

#include "command.h"

namespace fxs::cli {

namespace {

int runNormalize(const Arguments& arguments, Console& console) {
  // A single node does not require normalizing the whole program.
  const std::optional<std::string> wanted = arguments.get("--node");
  auto snapshot = session::advance(session::start(requestFrom(arguments)),
                                   wanted ? session::Phase::Read : session::Phase::Normalize,
                                   console.environment, console.context);
  if (!snapshot) return reportError(snapshot.error(), console);
  if (const auto can = session::requirePyTorchProgram(**snapshot, "normalize"); !can)
    return reportError(can.error(), console);
  const read::Capture& capture = *(*snapshot)->capture;
  std::shared_ptr<const normalize::NormalizedProgram> normalized = (*snapshot)->normalized;
  std::optional<fx::NodeId> only;
  if (wanted) {
    const auto id = report::nodeCalled(*capture.program, *wanted);
    if (!id) return reportError(id.error(), console);
    only = *id;
    auto one = std::make_shared<normalize::NormalizedProgram>();
    one->program = capture.program;
    one->nodes.resize(capture.program->nodes.size());
    one->nodes[id->index()] =
        normalize::normalizeNode(*capture.program, capture.program->node(*id));
    normalized = std::move(one);
  }
  const report::Paths paths = pathsOf(arguments, capture.label);
  const report::NormalizeReport report{paths.of(capture.label), *normalized, only, paths};
  console.out << (arguments.has("--json") ? report::normalizeJson(report)
                                          : report::normalizeText(report));
  return kDone;
}

}  // namespace

void registerNormalize(Commands& commands);
void registerNormalize(Commands& commands) {
  commands.add(
      {"normalize",
       "show each node's metadata before and after normalization, with the rule of each change",
       {{"FILE", "a .pt2, or - for standard input"}},
       {{"--node", "N", "show a single node, by name or index"},
        {"--json", "", "print JSON (resources/schemas/normalize.schema.json)"}},
       runNormalize,
       Group::Look});
}

}  // namespace fxs::cli
