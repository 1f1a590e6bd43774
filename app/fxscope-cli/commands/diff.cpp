// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli diff: compares two modules operation by operation, or two programs node by node.
#include <algorithm>
#include <filesystem>
#include <istream>
#include <iterator>
#include <ostream>
#include <utility>

#include "base/byte_source.h"
#include "base/number_from.h"
#include "command.h"
#include "diagnose/diagnose.h"
#include "lower_request.h"
#include "mlir/compare/constants.h"
#include "report/graph_diff.h"
#include "report/module_diff.h"
#include "trace/stored_trace.h"

namespace fxs::cli {
namespace {

constexpr std::uint64_t kMaxModule = std::uint64_t{2} << 30;

Result<std::string> textOf(const std::string& input, Console& console) {
  if (input == "-") return std::string{std::istreambuf_iterator<char>(console.in), {}};
  return readWholeFile(input, kMaxModule);
}

/// For `TRACE#12`, the file of the module after pass 12 of a stored trace (0: before the first
/// pass); anything else is a file.
Result<std::string> fileOf(const std::string& input, Console& console) {
  const std::size_t hash = input.rfind('#');
  std::error_code ignored;
  if (hash == std::string::npos || std::filesystem::exists(input, ignored)) return input;
  const auto number = numberFrom<std::size_t>(std::string_view(input).substr(hash + 1));
  if (!number) return input;
  FXS_TRY(const trace::StoredTrace stored,
          trace::openStoredTrace(input.substr(0, hash), console.context,
                                 console.environment.outputTypes));
  const lower::PassTrace& passes = stored.trace->passes();
  if (*number > passes.passes.size())
    return fail(ErrorCode::Usage,
                input + ": the trace has " + std::to_string(passes.passes.size()) + " passes");
  const int snapshot = *number == 0 ? 0 : passes.passes[*number - 1].snapshot;
  if (snapshot < 0)
    return fail(ErrorCode::Usage, input + ": no module after pass " + std::to_string(*number) +
                                      ": the pass did not finish");
  return passes.pathOf(passes.snapshots[static_cast<std::size_t>(snapshot)]);
}

Result<std::size_t> contextOf(const Arguments& arguments) {
  const std::string text = arguments.get("--context").value_or("2");
  if (const auto out = numberFrom<std::size_t>(text)) return *out;
  return fail(ErrorCode::Usage, "--context: expected a number of operations, got '" + text + "'");
}

/// Whether the file is a program rather than MLIR: an archive, or JSON.
bool isProgram(const std::string& input) {
  const auto bytes =
      input == "-" ? Result<std::shared_ptr<const ByteSource>>(nullptr) : openFile(input);
  if (!bytes || *bytes == nullptr) return false;
  const auto head = (*bytes)->read(0, std::min<std::uint64_t>((*bytes)->size(), 64));
  if (!head) return false;
  const std::size_t first = head->find_first_not_of(" \t\r\n");
  return head->starts_with("PK") || (first != std::string::npos && (*head)[first] == '{');
}

Result<session::SnapshotPtr> programOf(session::Request request, const std::string& input,
                                       Console& console) {
  request.file = input;
  FXS_TRY(auto read, session::advance(session::start(std::move(request)), session::Phase::Read,
                                      console.environment, console.context));
  FXS_CHECK(session::requirePyTorchProgram(*read, "diff of two programs"));
  return read;
}

/// Whether the program lowers to each output type, and what blocks it.
Result<diagnose::DiagnosisPtr> diagnosed(const session::SnapshotPtr& read,
                                         const std::vector<lower::OutputType>& targets,
                                         Console& console) {
  session::Request request = read->request;
  request.askEngine = true;
  FXS_TRY(const auto imported,
          session::advance(session::retarget(read, std::move(request)),
                           targets.size() > 1 ? session::Phase::Read : session::Phase::Import,
                           console.environment, console.context));
  diagnose::DiagnoseOptions options;
  options.targets = targets;
  options.experiments = options.beyondTorchMlir = options.otherTypes = false;
  return diagnose::diagnose(imported, options, console.environment, console.context);
}

void addBlockers(const diagnose::Diagnosis& diagnosis, const lower::OutputType& target, bool inB,
                 report::DifferenceInLowering& out) {
  for (const diagnose::TargetDiagnosis& each : diagnosis.targets) {
    if (each.target != target) continue;
    (inB ? out.b : out.a) = each.lowers || each.isKnown ? std::optional(each.lowers) : std::nullopt;
    (inB ? out.stageB : out.stageA) = each.stoppedAt;
  }
  for (const diagnose::Blocked* entry : diagnosis.of(target))
    if (diagnose::stops(*entry))
      out.blockers.push_back({inB, entry->fxTarget.empty() ? entry->op : entry->fxTarget,
                              entry->nodes.empty() ? fx::NodeId() : entry->nodes.front(),
                              entry->message});
}

Result<int> runPrograms(const std::string& inputA, const std::string& inputB,
                        const Arguments& arguments, Console& console) {
  for (const char* option : {"--context", "--hide-constants"})
    if (arguments.has(option))
      return fail(ErrorCode::Usage, std::string(option) + " is for modules, not for programs");
  session::Request request = requestFrom(arguments);
  std::vector<lower::OutputType> targets;
  if (arguments.has("--to")) {
    FXS_TRY(auto wanted, lowerRequestForTargets("diff", arguments, console));
    request = std::move(wanted.first);
    targets = std::move(wanted.second);
  }
  request.normalize = false;
  FXS_TRY(const session::SnapshotPtr a, programOf(request, inputA, console));
  FXS_TRY(const session::SnapshotPtr b, programOf(request, inputB, console));
  const fx::Program &programA = *a->capture->program, &programB = *b->capture->program;
  const graph_diff::GraphDiff diff = graph_diff::graphDiff(programA, programB);
  report::GraphDiffReport report{inputA, inputB, programA, programB, diff};
  if (!targets.empty()) {
    FXS_TRY(const auto ofA, diagnosed(a, targets, console));
    FXS_TRY(const auto ofB, diagnosed(b, targets, console));
    for (const lower::OutputType& target : targets) {
      report::DifferenceInLowering& made = report.lowering.emplace_back();
      made.to = lower::name(target);
      addBlockers(*ofA, target, false, made);
      addBlockers(*ofB, target, true, made);
    }
  }
  console.out << (arguments.has("--json") ? report::graphDiffJson(report)
                                          : report::graphDiffText(report));
  return diff.empty() ? kDone : kFindings;
}

int runDiff(const Arguments& arguments, Console& console) {
  if (const bool a = isProgram(*arguments.get("A")), b = isProgram(*arguments.get("B")); a || b) {
    if (a != b)
      return reportError({ErrorCode::Usage,
                          "diff: one is a program, the other MLIR; pass two of a kind, such as "
                          "what 'fxscope-cli import' or 'lower' writes of the program",
                          {}},
                         console);
    const auto code = runPrograms(*arguments.get("A"), *arguments.get("B"), arguments, console);
    return code ? *code : reportError(code.error(), console);
  }
  if (arguments.has("--to"))
    return reportError({ErrorCode::Usage, "--to is for programs, not for modules", {}}, console);
  const auto context = contextOf(arguments);
  if (!context) return reportError(context.error(), console);
  const std::string inputA = *arguments.get("A");
  const std::string inputB = *arguments.get("B");
  const auto fileA = fileOf(inputA, console);
  if (!fileA) return reportError(fileA.error(), console);
  const auto fileB = fileOf(inputB, console);
  if (!fileB) return reportError(fileB.error(), console);
  const auto textA = textOf(*fileA, console);
  if (!textA) return reportError(textA.error(), console);
  const auto textB = textOf(*fileB, console);
  if (!textB) return reportError(textB.error(), console);
  const mlir::Module a = mlir::readModule(*textA);
  const mlir::Module b = mlir::readModule(*textB);
  for (const auto& [module, input] : {std::pair(&a, &inputA), std::pair(&b, &inputB)})
    if (module->ops.empty())
      return reportError({ErrorCode::InvalidInput, *input + ": contains no MLIR operation", {}},
                         console);
  mlir::Diff diff = mlir::diff(a, b);
  if (arguments.has("--hide-constants")) diff = mlir::withoutConstants(a, b, diff);
  const report::ModuleDiffReport report{inputA, inputB, a, b, diff, *context};
  console.out << (arguments.has("--json") ? report::moduleDiffJson(report)
                                          : report::moduleDiffText(report));
  return diff.empty() ? kDone : kFindings;
}

}  // namespace

void registerDiff(Commands& commands);
void registerDiff(Commands& commands) {
  commands.add({"diff",
                "compare two modules operation by operation, or two programs node by node, "
                "ignoring locations and the names of values, aliases and symbols",
                {{"A",
                  "a program; or an MLIR file, - for standard input, or TRACE#N: the module after "
                  "pass N of a stored trace (0: before the first pass)"},
                 {"B", "program or module to compare with"}},
                {{"--context", "N", "unchanged operations to show around each change (default: 2)"},
                 {"--to", "TYPE,..",
                  "of programs: also whether each lowers to these output types (${output-types}), "
                  "and what of the difference blocks one of them",
                  true},
                 {"--hide-constants", "", "leave out operations that only give a constant"},
                 {"--json", "",
                  "print JSON (resources/schemas/diff.schema.json; of programs "
                  "graph_diff.schema.json)"}},
                runDiff,
                Group::Passes});
}

}  // namespace fxs::cli
