// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli trace: the module after every pass, the history of a node, the rewrite patterns
// tried on it, and the first pass at which a condition holds.
#include "report/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <set>

#include "base/json.h"
#include "base/safe_text.h"
#include "base/scratch_directory.h"
#include "command.h"
#include "export_test.h"
#include "lower/foreign_trace.h"
#include "lower/pattern_of_op.h"
#include "lower_request.h"
#include "node_lab/rewrite_trace.h"
#include "read/folder.h"
#include "report/finding.h"
#include "report/normalize.h"
#include "report/patterns.h"
#include "report/stop.h"
#include "trace/stored_trace.h"
#include "trace_ops.h"
#include "variant_request.h"

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

Result<int> historyAnswer(const std::string& input, const trace::Trace& trace, fx::NodeId node,
                          bool json, Console& console) {
  FXS_TRY(const auto history, trace::historyOf(trace, node));
  const report::NodeHistoryReport report{input, trace, node, history};
  console.out << (json ? report::nodeHistoryJson(report) : report::nodeHistoryText(report));
  return endOf(trace);
}

/// Of a node: its lines with --text, else what became of it.
Result<int> nodeAnswer(const std::string& input, const trace::Trace& trace, fx::NodeId node,
                       const Arguments& arguments, Console& console) {
  if (!arguments.has("--text"))
    return historyAnswer(input, trace, node, arguments.has("--json"), console);
  FXS_TRY(const std::string lines,
          report::nodeLinesText({input, trace, node, arguments.get("--stage").value_or("")}));
  console.out << lines;
  return endOf(trace);
}

/// Of --until; nothing without it.
Result<std::optional<trace::Condition>> conditionOf(const Arguments& arguments) {
  const auto text = arguments.get("--until");
  if (!text) return std::nullopt;
  if (arguments.has("--node"))
    return fail(ErrorCode::Usage,
                "option '--until': not with --node; 'node=NAME changes' is a condition");
  if (arguments.has("--op"))
    return fail(ErrorCode::Usage, "option '--until': not with --op; 'op=NAME changes' is one");
  FXS_TRY(trace::Condition condition, trace::conditionFrom(*text));
  return condition;
}

/// Prints the first pass at which the condition holds. Exits 1 if there is none, unless the engine
/// left it open.
Result<int> stopAnswer(const report::StopReport& report, bool json, Console& console) {
  FXS_TRY(const std::string text, json ? report::stopJson(report, console.context)
                                       : report::stopText(report, console.context));
  console.out << text;
  if (report.stop) return kDone;
  return foundNothing(report.trace, console);
}

/// The folder of -o, which holds one trace: snapshots of an earlier one must not stand beside the
/// trace.json of another.
class TraceFolder {
 public:
  static Result<TraceFolder> at(const std::string& path, Console& console) {
    FXS_CHECK(makeOutputFolder(path));
    TraceFolder out(path);
    const auto earlier = trace::openStoredTrace(out.pathOf(std::string(trace::kTraceFile)),
                                                console.context, console.environment.outputTypes);
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
Result<int> answer(const std::string& input, const trace::Trace& trace, bool files,
                   const Arguments& arguments, Console& console) {
  FXS_TRY(const auto condition, conditionOf(arguments));
  if (condition) {
    FXS_TRY(const auto stop, trace::firstStop(trace, *condition, 0, console.context));
    return stopAnswer({input, trace, *condition, stop}, arguments.has("--json"), console);
  }
  if (arguments.has("--op")) return opsAnswer(input, trace, nullptr, arguments, console);
  if (const auto name = arguments.get("--node")) {
    FXS_TRY(const fx::NodeId node, nodeCalled(trace, *name));
    return nodeAnswer(input, trace, node, arguments, console);
  }
  if (arguments.has("--json")) console.out << trace::traceJson(trace, input, "");
  else console.out << report::traceText({input, trace, {}, files, pathsOf(arguments, input)});
  return endOf(trace);
}

/// The nodes of --program, which locations name by number or by line of Python; none without it.
struct ProgramNodes {
  std::vector<std::string> names;
  std::vector<trace::SourceLine> lines;
};
Result<ProgramNodes> programNodes(const Arguments& arguments, Console& console) {
  ProgramNodes out;
  const auto program = arguments.get("--program");
  if (!program) return out;
  session::Request request;
  request.file = *program;
  FXS_TRY(const auto read, session::advance(session::start(request), session::Phase::Read,
                                            console.environment, console.context));
  const fx::Program& nodes = *read->capture->program;
  for (const fx::Node& node : nodes.nodes) out.names.push_back(node.name);
  out.lines = trace::sourceLinesOf(nodes);
  return out;
}

/// The trace with the nodes of --program. One that names its nodes is of the program that has them;
/// in one of a log without its program they are numbers.
Result<trace::TracePtr> withProgram(const std::string& file, const trace::TracePtr& trace,
                                    const Arguments& arguments, Console& console) {
  if (!arguments.has("--program")) return trace;
  FXS_TRY(const ProgramNodes nodes, programNodes(arguments, console));
  const std::vector<std::string>& names = trace->nodeNames();
  if (names == nodes.names) return trace;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == trace::numberedName(i)) continue;
    const std::string name = i < nodes.names.size() ? nodes.names[i] : "";
    if (name != names[i])
      return fail(
          ErrorCode::Usage,
          fmt::format("option '--program': {} is not the program of {}: its node {} is {}, "
                      "not {}",
                      *arguments.get("--program"), file, i,
                      name.empty() ? "missing" : printableName(name), printableName(names[i])));
  }
  return trace::SnapshotLinker(nodes.lines)
      .finish(std::make_shared<const lower::PassTrace>(trace->passes()), nodes.names, nullptr,
              console.context);
}

Result<int> fromStored(const std::string& file, const Arguments& arguments, Console& console) {
  FXS_TRY(const auto stored,
          trace::openStoredTrace(file, console.context, console.environment.outputTypes));
  FXS_TRY(const trace::TracePtr trace, withProgram(file, stored.trace, arguments, console));
  FXS_CHECK(exportTestOfPass(trace->passes(), arguments, console));
  return answer(stored.input, *trace, true, arguments, console);
}

/// Reads the output of an MLIR tool; writes its snapshots to the directory of -o, or to a temporary
/// one.
Result<int> fromForeign(const std::string& file, const Arguments& arguments, Console& console) {
  const auto wanted = arguments.get("-o");
  std::optional<ScratchDirectory> temporary;
  std::string directory = wanted.value_or("");
  std::optional<TraceFolder> folder;
  if (wanted) {
    FXS_TRY(folder, TraceFolder::at(*wanted, console));
  } else {
    FXS_TRY(ScratchDirectory made,
            ScratchDirectory::make(console.environment.temporaryDir, "the snapshots of a trace"));
    directory = temporary.emplace(std::move(made)).path();
  }
  FXS_TRY(auto passes, lower::openForeignTrace(file, directory, console.context));
  FXS_TRY(ProgramNodes nodes, programNodes(arguments, console));
  FXS_TRY(const auto trace, trace::SnapshotLinker(nodes.lines)
                                .finish(passes, std::move(nodes.names), nullptr, console.context));
  FXS_CHECK(exportTestOfPass(trace->passes(), arguments, console));
  if (folder) FXS_CHECK(folder->finish(*trace, trace::traceJson(*trace, file, "")));
  return answer(file, *trace, wanted.has_value(), arguments, console);
}

/// A traced program, and how output names its files.
struct Traced {
  session::SnapshotPtr snapshot;
  report::Paths paths;
  std::string input;
};

/// Prints the rewrite patterns; as text, after the history of the node.
Result<> patternsAnswer(const Traced& traced, fx::NodeId node, const Arguments& arguments,
                        Console& console) {
  FXS_TRY(const auto patterns,
          node_lab::patternsOf(traced.snapshot, node, {}, console.environment, console.context));
  const report::PatternsReport report{traced.input,     *traced.snapshot->capture->program,
                                      patterns.trace,   patterns.engine,
                                      patterns.fromCut, patterns.message,
                                      traced.paths};
  if (arguments.has("--json")) {
    console.out << report::patternsJson(report);
    return {};
  }
  FXS_CHECK(historyAnswer(traced.input, *traced.snapshot->trace, node, false, console));
  console.out << "\n" << report::patternsText(report);
  return {};
}

/// The first rewrite of the pass of a stop at which the condition holds, too; nothing if the
/// rewrites cannot be stepped through, or it holds at none of them.
Result<std::optional<trace::Stop>> stopInPass(const trace::Trace& rewrites,
                                              const trace::Condition& condition,
                                              const report::StopReport& stop,
                                              const RunContext& context) {
  if (condition.after) return std::nullopt;  // of the passes, not of the rewrites
  const lower::StepsOfPass steps =
      lower::rewriteStepsOf(*stop.patterns, stop.trace.passes(), stop.stop->pass);
  if (steps.first == steps.end) return std::nullopt;
  FXS_TRY(auto found, trace::firstStop(rewrites, condition, steps.first + 1, context));
  if (found && found->snapshot > static_cast<int>(steps.end)) return std::nullopt;
  return found;
}

Result<int> untilAnswer(const Traced& traced, const trace::Condition& condition,
                        const PatternsOfNode& patternsOf, const Arguments& arguments,
                        Console& console) {
  const trace::Trace& trace = *traced.snapshot->trace;
  FXS_TRY(const auto stop, trace::firstStop(trace, condition, 0, console.context));
  report::StopReport report{traced.input, trace, condition, stop};
  if (!stop || !patternsOf) return stopAnswer(report, arguments.has("--json"), console);
  const fx::NodeId node = report::patternNodeOf(trace, *stop);
  if (!node.valid())
    return fail(ErrorCode::Usage, "option '--patterns': the operations have no node");
  FXS_TRY(auto made, patternsOf(node));
  const auto patterns = std::make_shared<const node_lab::NodePatterns>(std::move(made));
  report.patterns = &patterns->trace;
  const trace::TracePtr rewrites = node_lab::rewriteTrace(
      patterns, trace.nodeNames(), console.environment, traced.snapshot->request.lower.limits);
  if (rewrites) {
    report.rewrites = rewrites.get();
    FXS_TRY(report.rewrite, stopInPass(*rewrites, condition, report, console.context));
  }
  return stopAnswer(report, arguments.has("--json"), console);
}

/// Prints what was requested of a traced program.
Result<int> answer(const Traced& traced, const Arguments& arguments, Console& console) {
  const session::Snapshot& snapshot = *traced.snapshot;
  const trace::Trace& trace = *snapshot.trace;
  const std::vector<fx::Finding> findings = snapshot.findings();
  const bool json = arguments.has("--json");
  FXS_TRY(const auto condition, conditionOf(arguments));
  PatternsOfNode patternsOf;
  if (arguments.has("--patterns"))
    patternsOf = [&](fx::NodeId node) {
      return node_lab::patternsOf(traced.snapshot, node, {}, console.environment, console.context);
    };
  if (condition) return untilAnswer(traced, *condition, patternsOf, arguments, console);
  if (arguments.has("--op")) return opsAnswer(traced.input, trace, patternsOf, arguments, console);
  if (const auto name = arguments.get("--node")) {
    FXS_TRY(const fx::NodeId node, report::nodeCalled(*snapshot.capture->program, *name));
    if (!arguments.has("--patterns"))
      return nodeAnswer(traced.input, trace, node, arguments, console);
    FXS_CHECK(patternsAnswer(traced, node, arguments, console));
  } else if (!json) {
    console.out << report::traceText({traced.input, trace,
                                      report::findingsList(findings, *snapshot.capture->program),
                                      arguments.has("-o"), traced.paths});
  }
  const bool stopped = std::any_of(findings.begin(), findings.end(), [](const fx::Finding& f) {
    return f.severity == fx::Severity::Error;
  });
  return stopped && lower::isKnown(trace.passes().stages) ? kFindings : endOf(trace);
}

/// Whether a part of the trace is asked for.
bool picks(const Arguments& arguments) {
  return arguments.has("--node") || arguments.has("--until") || arguments.has("--op");
}

Result<int> fromProgram(const Arguments& arguments, Console& console) {
  FXS_TRY(session::Request request, lowerRequestFrom("trace", arguments, console));
  if (arguments.has("--patterns") && asksForVariant(arguments))
    return fail(ErrorCode::Usage,
                "option '--patterns': not with --from or --skip-pass; patterns are logged of the "
                "program as it is");
  if (arguments.has("--patterns") && !picks(arguments))
    return fail(ErrorCode::Usage,
                "option '--patterns' requires --node N, --op TERMS or --until CONDITION");
  request.lowerFirst = false;
  request.normalize = false;
  std::optional<TraceFolder> folder;
  if (const auto directory = arguments.get("-o")) {
    FXS_TRY(folder, TraceFolder::at(*directory, console));
    request.traceDir = *directory;
  }
  FXS_TRY(session::SnapshotPtr done, runTo(session::Phase::Trace, request, arguments, console));
  FXS_CHECK(exportTestOfPass(done->trace->passes(), arguments, console));
  const report::Paths paths = pathsOf(arguments, request.file);
  const Traced traced{std::move(done), paths, paths.of(request.file)};
  const bool printsJson = arguments.has("--json") && !picks(arguments);
  if (folder || printsJson) {
    const trace::Trace& trace = *traced.snapshot->trace;
    const std::string json =
        trace::traceJson(trace, traced.input, findingsJson(*traced.snapshot, paths));
    if (folder) FXS_CHECK(folder->finish(trace, json));
    if (printsJson) console.out << json;
  }
  return answer(traced, arguments, console);
}

/// --text prints the lines of one node, and nothing else.
Result<> checkText(const Arguments& arguments) {
  if (arguments.has("--stage") && !arguments.has("--text"))
    return fail(ErrorCode::Usage, "--stage requires --text");
  if (!arguments.has("--text")) return {};
  if (!arguments.has("--node")) return fail(ErrorCode::Usage, "--text requires --node N");
  for (const char* other : {"--patterns", "--json"})
    if (arguments.has(other))
      return fail(ErrorCode::Usage, std::string("--text and ") + other + " exclude each other");
  return {};
}

Result<int> runTrace(const Arguments& arguments, Console& console) {
  const std::string file = arguments.get("FILE").value_or("");
  FXS_CHECK(conditionOf(arguments));  // before the engine runs
  if (const auto terms = arguments.get("--op")) FXS_CHECK(trace::opTermsFrom(*terms));
  if (arguments.has("--op") && arguments.has("--node"))
    return fail(ErrorCode::Usage, "option '--op': not with --node; 'node=NAME' is a term of it");
  if (arguments.has("--after") && !arguments.has("--op"))
    return fail(ErrorCode::Usage, "option '--after' requires --op TERMS");
  FXS_CHECK(checkText(arguments));
  if (arguments.has("--pass") != arguments.has("--export-test"))
    return fail(ErrorCode::Usage, "--export-test and --pass require each other");
  const bool stored = isStoredTrace(file);
  if (!stored && lower::foreignKind(file) == lower::ForeignKind::None)
    return fromProgram(arguments, console);
  if (arguments.has("--patterns"))
    return fail(ErrorCode::Usage, "option '--patterns': " + file +
                                      " is a stored trace; patterns require the program");
  if (asksForVariant(arguments))
    return fail(ErrorCode::Usage,
                "--from and --skip-pass require the program; " + file + " is a stored trace");
  return stored ? fromStored(file, arguments, console) : fromForeign(file, arguments, console);
}

}  // namespace

void registerTrace(Commands& commands);
void registerTrace(Commands& commands) {
  commands.add(
      {"trace",
       "show the module after every pass, and what became of a node",
       {{"FILE",
         "a .pt2, an MLIR module, - for standard input, a stored trace (trace.json or its "
         "directory), or the "
         "output of an MLIR tool: a log of "
         "--mlir-print-ir-after-all, a directory of --mlir-print-ir-tree-dir, or a crash "
         "reproducer"}},
       withLoweringOptions(withNodeOptions(
           {{"--to", "TYPE", "${output-types}; case and -/_ do not matter; a trace has its own"},
            {"--decompose", "OP,..",
             "also decompose these operators, where a decomposition exists (aten.gelu, "
             "aten.gelu.default)",
             true},
            {"--node", "N", "show what became of a single node, pass by pass; by name or index"},
            {"--text", "", "with --node: print its lines in the last text, or in that of --stage"},
            {"--stage", "STAGE", "with --text: the stage whose text it is"},
            {"--until", "CONDITION",
             "show the first pass at which it holds, and the operations before and after: "
             "'op=NAME appears' (or vanishes, changes), 'count(op=NAME) > N', 'node=N changes', "
             "'type=f64 vanishes', 'type changes', 'size static', 'origins lost', "
             "'match REGEX', 'fails'"},
            {"--op", "TERMS",
             "show which pass made the operations that 'op=NAME node=N' selects, and which changed "
             "them last; of a single one also what it was made of and what it becomes. 'line=N' "
             "selects by line, others are as in --until"},
            {"--after", "N",
             "with --op: in the module after pass N, 0 for the import, not the last"},
            {"--patterns", "",
             "with --node: show the rewrite patterns tried on it and on what it became, and which "
             "took effect; with --until: those of that pass, on the first node, and the single "
             "rewrite; "
             "with --op: the pattern that made each, where it is known"},
            fromOption(),
            skipPassOption(),
            {"--pass", "N", "pass of --export-test, by its number"},
            exportTestOption(
                "write a lit test of the pass of --pass: the module before it, the pass in a RUN "
                "line, and CHECK lines for the module after it; verified with FileCheck-22"),
            {"-o", "DIR",
             "write every snapshot and trace.json to DIR, which `trace` and `diff` can open"},
            {"--json", "",
             "print JSON (resources/schemas/trace.schema.json; of a node trace_node.schema.json, "
             "of patterns patterns.schema.json, of --until stop.schema.json, of --op "
             "trace_op.schema.json)"}})),
       reporting<runTrace>,
       Group::Passes});
}

}  // namespace fxs::cli
