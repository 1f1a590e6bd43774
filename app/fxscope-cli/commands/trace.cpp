// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli trace: the module after every pass, the history of a node, and the rewrite patterns
// tried on it.
#include "report/trace.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <set>

#include "base/json.h"
#include "base/scratch_directory.h"
#include "command.h"
#include "lower/foreign_trace.h"
#include "lower_request.h"
#include "node_lab/patterns.h"
#include "read/folder.h"
#include "report/finding.h"
#include "report/normalize.h"
#include "report/patterns.h"
#include "trace/stored_trace.h"

namespace fxs::cli {
namespace {

namespace fs = std::filesystem;

/// A stored trace is a JSON file that is not in any program format.
bool isStoredTrace(const std::string& file) {
  std::error_code ignored;
  return (fs::path(file).extension() == ".json" && !read::captureFormat(file)) ||
         fs::exists(fs::path(file) / trace::kTraceFile, ignored);
}

std::string findingsJson(const session::Snapshot& snapshot, const report::Paths& paths) {
  JsonWriter json;
  json.beginObject().key("findings");
  report::writeFindings(json, snapshot.findings(), *snapshot.capture->program, paths);
  json.endObject();
  std::string text = json.take();
  const std::size_t begin = text.find('[');
  return text.substr(begin, text.rfind(']') + 1 - begin);
}

Result<fx::NodeId> nodeCalled(const trace::Trace& trace, const std::string& name) {
  const auto& names = trace.nodeNames();
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) return fx::NodeId::of(static_cast<std::size_t>(at - names.begin()));
  return fail(ErrorCode::Usage, "the trace has no node '" + name + "'");
}

/// The exit code that a trace deserves.
int endOf(const trace::Trace& trace) {
  if (trace.passes().ok()) return kDone;
  return lower::isKnown(trace.passes().stages) ? kFindings : kEngine;
}

int historyAnswer(const std::string& input, const trace::Trace& trace, fx::NodeId node, bool json,
                  World& world) {
  const auto history = trace::historyOf(trace, node);
  if (!history) return reportError(history.error(), world);
  const report::NodeHistoryReport report{input, trace, node, *history};
  world.out << (json ? report::nodeHistoryJson(report) : report::nodeHistoryText(report));
  return endOf(trace);
}

/// The folder of -o, which holds one trace: snapshots of an earlier one must not stand beside the
/// trace.json of another.
class TraceFolder {
 public:
  static Result<TraceFolder> at(const std::string& path, World& world) {
    FXS_CHECK(makeOutputFolder(path));
    TraceFolder out(path);
    const auto earlier = trace::openStoredTrace(out.pathOf(std::string(trace::kTraceFile)),
                                                world.context, world.environment.outputTypes);
    if (earlier) out.earlier_ = filesOf(*earlier->trace);
    return out;
  }
  /// Writes trace.json, after the snapshots; if that fails, they go too.
  Result<> finish(const trace::Trace& trace, const std::string& json) const {
    const std::set<std::string> files = filesOf(trace);
    const auto remove = [this](const std::string& name) {
      std::error_code ignored;
      fs::remove(pathOf(name), ignored);
    };
    for (const std::string& name : earlier_)
      if (!files.contains(name)) remove(name);
    const std::string index(trace::kTraceFile);
    auto written = writeOutput(pathOf(index), json);
    if (written) return {};
    remove(index);
    for (const std::string& name : files) remove(name);
    return written;
  }

 private:
  explicit TraceFolder(std::string path) : path_(std::move(path)) {}
  std::string pathOf(const std::string& name) const { return path_ + "/" + name; }
  static std::set<std::string> filesOf(const trace::Trace& trace) {
    std::set<std::string> out;
    for (const lower::IrSnapshot& snapshot : trace.passes().snapshots) out.insert(snapshot.file);
    return out;
  }
  std::string path_;
  std::set<std::string> earlier_;
};

/// Prints what was requested of a trace without its program.
int answer(const std::string& input, const trace::Trace& trace, bool files,
           const Arguments& arguments, World& world) {
  if (const auto name = arguments.get("--node")) {
    const auto node = nodeCalled(trace, *name);
    if (!node) return reportError(node.error(), world);
    return historyAnswer(input, trace, *node, arguments.has("--json"), world);
  }
  if (arguments.has("--json")) world.out << trace::traceJson(trace, input, "");
  else world.out << report::traceText({input, trace, "", files, pathsOf(arguments, input)});
  return endOf(trace);
}

int fromStored(const std::string& file, const Arguments& arguments, World& world) {
  const auto stored = trace::openStoredTrace(file, world.context, world.environment.outputTypes);
  if (!stored) return reportError(stored.error(), world);
  return answer(stored->input, *stored->trace, true, arguments, world);
}

/// Reads the output of an MLIR tool; writes its snapshots to the directory of -o, or to a temporary
/// one.
int fromForeign(const std::string& file, const Arguments& arguments, World& world) {
  const auto wanted = arguments.get("-o");
  std::optional<ScratchDirectory> temporary;
  std::string directory = wanted.value_or("");
  std::optional<TraceFolder> folder;
  if (wanted) {
    auto made = TraceFolder::at(*wanted, world);
    if (!made) return reportError(made.error(), world);
    folder = *std::move(made);
  } else {
    auto made = ScratchDirectory::make(world.environment.temporaryDir, "the snapshots of a trace");
    if (!made) return reportError(made.error(), world);
    directory = temporary.emplace(*std::move(made)).path();
  }
  auto passes = lower::openForeignTrace(file, directory, world.context);
  if (!passes) return reportError(passes.error(), world);
  std::vector<std::string> names;
  std::vector<trace::SourceLine> sources;
  if (const auto program = arguments.get("--program")) {
    session::Request request;
    request.file = *program;
    const auto read = session::advance(session::start(request), session::Phase::Read,
                                       world.environment, world.context);
    if (!read) return reportError(read.error(), world);
    const fx::Program& nodes = *(*read)->capture->program;
    for (const fx::Node& node : nodes.nodes) names.push_back(node.name);
    sources = trace::sourceLinesOf(nodes);
  }
  const auto trace =
      trace::SnapshotLinker(sources).finish(*passes, std::move(names), nullptr, world.context);
  if (!trace) return reportError(trace.error(), world);
  if (folder)
    if (const auto written = folder->finish(**trace, trace::traceJson(**trace, file, "")); !written)
      return reportError(written.error(), world);
  return answer(file, **trace, wanted.has_value(), arguments, world);
}

int runTrace(const Arguments& arguments, World& world) {
  const std::string file = arguments.get("FILE").value_or("");
  const bool stored = isStoredTrace(file);
  if (stored || lower::foreignKind(file) != lower::ForeignKind::None) {
    if (arguments.has("--patterns"))
      return reportError(
          {ErrorCode::Usage,
           "option '--patterns': " + file + " is a stored trace; patterns require the program",
           {}},
          world);
    return stored ? fromStored(file, arguments, world) : fromForeign(file, arguments, world);
  }
  auto request = lowerRequestFrom("trace", arguments, world);
  if (!request) return reportError(request.error(), world);
  if (arguments.has("--patterns") && !arguments.has("--node"))
    return reportError({ErrorCode::Usage, "option '--patterns' requires --node N", {}}, world);
  request->lowerFirst = false;
  request->normalize = false;
  const auto directory = arguments.get("-o");
  std::optional<TraceFolder> folder;
  if (directory) {
    auto made = TraceFolder::at(*directory, world);
    if (!made) return reportError(made.error(), world);
    folder = *std::move(made);
    request->traceDir = *directory;
  }
  const auto done = runTo(session::Phase::Trace, *request, arguments, world);
  if (!done) return reportError(done.error(), world);
  const session::Snapshot& snapshot = **done;
  const trace::Trace& trace = *snapshot.trace;
  const std::vector<fx::Finding> findings = snapshot.findings();
  const report::Paths paths = pathsOf(arguments, request->file);
  const std::string input = paths.of(request->file);
  if (directory || arguments.has("--json")) {
    const std::string json = arguments.has("--node") && !directory
                                 ? std::string()
                                 : trace::traceJson(trace, input, findingsJson(snapshot, paths));
    if (folder)
      if (const auto written = folder->finish(trace, json); !written)
        return reportError(written.error(), world);
    if (arguments.has("--json") && !arguments.has("--node")) world.out << json;
  }
  if (const auto name = arguments.get("--node")) {
    const auto node = report::nodeCalled(*snapshot.capture->program, *name);
    if (!node) return reportError(node.error(), world);
    if (!arguments.has("--patterns"))
      return historyAnswer(input, trace, *node, arguments.has("--json"), world);
    const auto patterns = node_lab::patternsOf(*done, *node, {}, world.environment, world.context);
    if (!patterns) return reportError(patterns.error(), world);
    const report::PatternsReport report{input,
                                        *snapshot.capture->program,
                                        patterns->trace,
                                        patterns->engine,
                                        patterns->fromCut,
                                        patterns->how,
                                        paths};
    if (arguments.has("--json")) {
      world.out << report::patternsJson(report);
    } else {
      const int code = historyAnswer(input, trace, *node, false, world);
      if (code == kInput || code == kUsage) return code;
      world.out << "\n" << report::patternsText(report);
    }
  } else if (!arguments.has("--json")) {
    world.out << report::traceText({input, trace,
                                    report::findingsText(findings, *snapshot.capture->program),
                                    directory.has_value(), paths});
  }
  const bool stopped = std::any_of(findings.begin(), findings.end(), [](const fx::Finding& f) {
    return f.severity == fx::Severity::Error;
  });
  return stopped && lower::isKnown(trace.passes().stages) ? kFindings : endOf(trace);
}

}  // namespace

void registerTrace(Commands& commands);
void registerTrace(Commands& commands) {
  commands.add(
      {"trace",
       "show the module after every pass, and what became of a node",
       {{"FILE",
         "a .pt2, - for standard input, a stored trace (trace.json or its directory), or the "
         "output of an MLIR tool: a log of "
         "--mlir-print-ir-after-all, a directory of --mlir-print-ir-tree-dir, or a crash "
         "reproducer"}},
       withLoweringOptions(
           {{"--to", "TYPE", "${output-types}; case and -/_ do not matter; a trace has its own"},
            {"--decompose", "OP,..",
             "also decompose these operators, where a decomposition exists (aten.gelu, "
             "aten.gelu.default)",
             true},
            {"--node", "N", "show what became of a single node, pass by pass; by name or index"},
            {"--patterns", "",
             "with --node: show the rewrite patterns tried on it and on what it became, and which "
             "took effect"},
            {"--program", "FILE",
             "for the output of an MLIR tool: the .pt2 it was compiled from; names the nodes, and "
             "attributes operations by their line of "
             "Python where locations say no more"},
            {"-o", "DIR",
             "write every snapshot and trace.json to DIR, which `trace` and `diff` can open"},
            {"--json", "",
             "print JSON (resources/schemas/trace.schema.json; of a node trace_node.schema.json, "
             "of patterns patterns.schema.json)"}}),
       runTrace});
}

}  // namespace fxs::cli
