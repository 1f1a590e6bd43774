// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli inspect: the contents of a file.
#include "report/inspect.h"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <system_error>

#include "command.h"
#include "fx/text.h"
#include "lower_request.h"
#include "report/folder.h"
#include "report/line.h"
#include "report/summary.h"

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

/// Checks which options go together.
Result<> checkOptions(const Arguments& arguments) {
  const bool graph = arguments.has("--graph"), rewritten = arguments.has("--rewritten");
  const auto needs = [&](const std::string& option, const std::string& other) {
    return fail(ErrorCode::Usage, option + " requires " + other);
  };
  if (graph && arguments.has("--json"))
    return fail(ErrorCode::Usage, "--graph prints text and cannot be combined with --json");
  if (graph && arguments.has("--summary"))
    return fail(ErrorCode::Usage, "--graph and --summary cannot be combined");
  if (const auto as = arguments.get("--as"))
    if (const auto known = requestAs(*as, {}); !known) return tl::unexpected<Error>(known.error());
  for (const std::string option : {"--set-arg", "--decompose-node", "--keep-node", "--as"})
    if (arguments.has(option) && !rewritten) return needs(option, "--rewritten");
  if (rewritten && !graph) return needs("--rewritten", "--graph");
  if (arguments.has("--to") && !arguments.has("--summary")) return needs("--to", "--summary");
  return {};
}

/// What the program becomes on the way to each output type of --to; a stage that several have is
/// there once.
Result<std::vector<summary::Became>> becameOf(session::SnapshotPtr snapshot,
                                              const Arguments& arguments, Console& console) {
  FXS_TRY(const auto wanted, lowerRequestForTargets("inspect", arguments, console));
  std::vector<summary::Became> out;
  for (const lower::OutputType& target : wanted.second) {
    session::Request request = wanted.first;
    request.lower.target = target;
    snapshot = session::retarget(snapshot, std::move(request));
    FXS_TRY(snapshot, session::advance(snapshot, session::Phase::Lower, console.environment,
                                       console.context));
    for (summary::Became& became : summary::becameOf(*snapshot->lowering))
      if (std::none_of(out.begin(), out.end(),
                       [&](const auto& each) { return each.stage == became.stage; }))
        out.push_back(std::move(became));
  }
  return out;
}

int runSummary(const Arguments& arguments, Console& console) {
  const auto snapshot = runTo(session::Phase::Read, requestFrom(arguments), arguments, console);
  if (!snapshot) return reportError(snapshot.error(), console);
  const read::Capture& capture = *(*snapshot)->capture;
  report::SummaryReport out{capture.label, capture.format,
                            summary::summarize(capture, console.context)};
  if (arguments.has("--to")) {
    auto became = becameOf(*snapshot, arguments, console);
    if (!became) return reportError(became.error(), console);
    out.became = std::move(*became);
  }
  if (arguments.has("--json")) console.out << report::summaryJson(out);
  else console.write(report::summaryText(out, layoutOfAnswer(arguments, console)));
  return kDone;
}

int runInspect(const Arguments& arguments, Console& console) {
  if (const auto checked = checkOptions(arguments); !checked)
    return reportError(checked.error(), console);
  const bool graph = arguments.has("--graph"), rewritten = arguments.has("--rewritten");
  std::error_code ignored;
  if (const std::string file = requestFrom(arguments).file;
      std::filesystem::is_directory(file, ignored)) {
    for (const char* const option : {"--graph", "--summary"})
      if (arguments.has(option))
        return reportError(
            Error{ErrorCode::Usage,
                  std::string(option) + " requires a file; '" + file + "' is a folder",
                  {}},
            console);
    return runFolder(file, arguments, console);
  }
  if (arguments.has("--summary")) return runSummary(arguments, console);
  session::Request request = requestFrom(arguments);
  if (const auto read = readNodeOptions(arguments, request.rewrite); !read)
    return reportError(read.error(), console);
  if (const auto as = arguments.get("--as")) {
    auto asked = requestAs(*as, std::move(request));
    if (!asked) return reportError(asked.error(), console);
    request = *std::move(asked);
  }
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
           {{"--json", "",
             "print JSON (resources/schemas/inspect.schema.json; with --summary, "
             "summary.schema.json)"},
            {"--summary", "",
             "print the program in numbers: parameters, FLOPs, activations, modules"},
            {"--to", "TYPE,..",
             "with --summary: lower to these output types, and count what the program becomes",
             true},
            {"--graph", "", "print the graph, as print(graph_module.graph) does"},
            {"--rewritten", "",
             "with --graph: print the graph that is imported, after functionalization and "
             "decomposition"},
            asOption(),
            {"--decompose", "OP,..", "with --rewritten: also decompose these operators", true}}),
       runInspect,
       Group::Look});
}

}  // namespace fxs::cli
