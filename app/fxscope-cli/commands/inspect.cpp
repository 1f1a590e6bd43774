// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli inspect: the contents of a file.
#include "report/inspect.h"

#include <filesystem>
#include <ostream>
#include <system_error>

#include "command.h"
#include "fx/text.h"
#include "lower_request.h"
#include "report/folder.h"
#include "report/line.h"

namespace fxs::cli {

namespace {

/// Lists the captures of a folder, each as a line or a JSON object.
int runFolder(const std::string& folder, const Arguments& arguments, Console& console) {
  const auto captures = read::listCaptures(folder, requestFrom(arguments).read, console.context);
  if (!captures) return reportError(captures.error(), console);
  console.out << (arguments.has("--json") ? report::folderJson(folder, *captures)
                                          : report::folderText(folder, *captures));
  return kDone;
}

int runInspect(const Arguments& arguments, Console& console) {
  const bool graph = arguments.has("--graph"), rewritten = arguments.has("--rewritten");
  if (graph && arguments.has("--json"))
    return reportError(
        Error{ErrorCode::Usage, "--graph prints text and cannot be combined with --json", {}},
        console);
  for (const std::string option : {"--set-arg", "--decompose-node", "--keep-node"})
    if (arguments.has(option) && !rewritten)
      return reportError(Error{ErrorCode::Usage, option + " requires --rewritten", {}}, console);
  if (rewritten && !graph)
    return reportError(Error{ErrorCode::Usage, "--rewritten requires --graph", {}}, console);

  std::error_code ignored;
  if (const std::string file = requestFrom(arguments).file;
      std::filesystem::is_directory(file, ignored)) {
    if (graph)
      return reportError(
          Error{ErrorCode::Usage, "--graph requires a file; '" + file + "' is a folder", {}},
          console);
    return runFolder(file, arguments, console);
  }
  session::Request request = requestFrom(arguments);
  if (const auto read = readNodeOptions(arguments, request.rewrite); !read)
    return reportError(read.error(), console);
  auto snapshot = runTo(rewritten ? session::Phase::Rewrite : session::Phase::Read,
                        std::move(request), arguments, console);
  if (!snapshot) return reportError(snapshot.error(), console);
  const read::Capture& capture = *(*snapshot)->capture;
  if (!graph) {
    console.out << (arguments.has("--json")
                        ? report::inspectJson(capture, pathsOf(arguments, capture.label))
                        : report::inspectText(capture));
    return kDone;
  }
  console.out << fx::dump(rewritten ? *(*snapshot)->rewritten->program : *capture.program);
  int code = kDone;
  for (const fx::Finding& finding : (*snapshot)->findings()) {
    console.err << report::line("{}: {}{}\n", fx::name(finding.severity),
                                finding.nodeName.empty() ? "" : finding.nodeName + ": ",
                                finding.message);
    if (finding.severity == fx::Severity::Error) code = kFindings;
  }
  return code;
}

}  // namespace

void registerInspect(Commands& commands);
void registerInspect(Commands& commands) {
  commands.add(
      {"inspect",
       "show the contents of a file: nodes, operators, inputs, weights, symbolic dimensions",
       {{"FILE",
         "a .pt2, a captured graph, an MLIR module, a folder of captures, or - for standard "
         "input"}},
       withNodeOptions(
           {{"--json", "", "print JSON (resources/schemas/inspect.schema.json)"},
            {"--graph", "", "print the graph, as print(graph_module.graph) does"},
            {"--rewritten", "",
             "with --graph: print the graph that is imported, after functionalization and "
             "decomposition"},
            {"--decompose", "OP,..", "with --rewritten: also decompose these operators", true}}),
       runInspect,
       Group::Look});
}

}  // namespace fxs::cli
