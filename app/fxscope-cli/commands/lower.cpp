// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli lower: every stage up to an output type, which one failed, and at which nodes.
#include "report/lower.h"

#include <filesystem>
#include <ostream>

#include "block_sizes.h"
#include "command.h"
#include "diagnose/beyond_torch_mlir.h"
#include "export_test.h"
#include "fix/fix.h"
#include "lower_request.h"
#include "next_step.h"
#include "report/line.h"
#include "report/lowered_nodes.h"
#include "routes/routes.h"
#include "session/registry.h"
#include "variant_request.h"

namespace fxs::cli {
namespace {

Result<> writeDirectory(const std::string& directory, const lower::Lowering& lowering,
                        const std::string& json) {
  FXS_CHECK(makeOutputFolder(directory));
  // The last file says what the others are, so that none of an earlier run may stand beside them.
  const std::string last = "lower.json";
  std::vector<std::string> stale = report::staleLowerFiles(lowering);
  stale.push_back(last);
  std::error_code ignored;
  for (const std::string& name : stale) std::filesystem::remove(directory + "/" + name, ignored);
  for (const auto& [name, text] : report::lowerFiles(lowering))
    FXS_CHECK(writeOutput(directory + "/" + name, *text));
  return writeOutput(directory + "/" + last, json);
}

/// The request of the arguments, with its route.
Result<session::Request> routedRequestFrom(const Arguments& arguments, const Console& console) {
  if (arguments.has("--as") && (arguments.has("--fix") || arguments.has("--via")))
    return fail(ErrorCode::Usage,
                "--as lowers the whole program as torch-mlir does: leave out --fix and --via");
  if (arguments.has("--fix") && arguments.has("--via"))
    return fail(ErrorCode::Usage, "--fix is --via fixed: leave out one of them");
  if (arguments.has("--export-test") && !arguments.has("--pass-pipeline") &&
      !arguments.has("--from"))
    return fail(ErrorCode::Usage, "--export-test requires --pass-pipeline or --from");
  if (arguments.has("--nodes") && (arguments.has("-o") || arguments.has("--export-test")))
    return fail(ErrorCode::Usage,
                "--nodes prints what became of the nodes: leave out -o and --export-test");
  FXS_TRY(session::Request request, lowerRequestFrom("lower", arguments, console));
  if (arguments.has("--fix")) request.route = &fix::kFixed;
  FXS_CHECK(checkNodeOptions(request));
  if (!arguments.has("--block-size")) return request;
  if (request.route != &session::kRegistries)
    return fail(ErrorCode::Usage, "--block-size requires --via registry");
  session::DirectRequest direct;
  direct.ofOutputType = true;
  FXS_TRY(direct.blockSizes, blockSizesFrom(arguments));
  request.registries = std::make_shared<const session::DirectRequest>(std::move(direct));
  return request;
}

/// Of torch-mlir's pipelines, unless the options ask for the last stage only.
Result<std::optional<diagnose::BeyondTorchMlir>> beyondTorchMlir(
    const session::SnapshotPtr& snapshot, const Arguments& arguments, Console& console) {
  if (snapshot->request.route != &session::kPipelines || arguments.get("-o") == "-" ||
      console.context.stop.stop_requested())
    return std::nullopt;
  auto found = diagnose::beyondTorchMlir({snapshot}, console.environment, console.context);
  if (!found && !endsAll(found.error())) return std::nullopt;
  return found;
}

/// The lit test of --export-test, if it is given.
Result<> exportTestOfPipeline(const session::Snapshot& snapshot, const Arguments& arguments,
                              Console& console) {
  if (!arguments.has("--export-test")) return {};
  if (!arguments.has("--pass-pipeline")) return exportTestOfEdit(snapshot, arguments, console);
  const std::vector<lower::StageResult>& stages = snapshot.lowering->stages;
  if (stages.size() < 2 || stages[stages.size() - 2].text.empty())
    return fail(ErrorCode::Usage,
                "option '--export-test': the stages before the pipeline do not end well");
  return exportTest(stages[stages.size() - 2].text, snapshot.request.lower.target->stage.tool,
                    lower::stagesFor(snapshot.request.lower.target).back().pipeline, arguments,
                    console);
}

/// Prints what became of each node.
void answerNodes(const session::Snapshot& snapshot, const std::vector<fx::Finding>& findings,
                 const Arguments& arguments, Console& console) {
  const report::Paths paths = pathsOf(arguments, snapshot.request.file);
  const report::LoweredNodesReport answer{paths.of(snapshot.request.file),
                                          *snapshot.lowering,
                                          snapshot.origins,
                                          findings,
                                          *snapshot.capture->program,
                                          paths};
  if (arguments.has("--json")) console.out << report::loweredNodesJson(answer);
  else console.write(report::loweredNodesText(answer, console.layout));
}

int endOf(const lower::Lowering& lowering, const std::vector<fx::Finding>& findings, bool isOk,
          const Console& console) {
  if (console.context.stop.stop_requested()) return kCancelled;
  if (!lower::isKnown(lowering.stages) ||
      std::any_of(findings.begin(), findings.end(), lower::isNoAnswer))
    return kEngine;
  return isOk ? kDone : kFindings;
}

Result<int> runLower(const Arguments& arguments, Console& console) {
  FXS_TRY(const session::Request request, routedRequestFrom(arguments, console));
  FXS_TRY(const session::SnapshotPtr done,
          runTo(session::Phase::Lower, request, arguments, console));
  FXS_CHECK(exportTestOfPipeline(*done, arguments, console));
  if (!done->changes.empty() && console.clearProgress) console.clearProgress();
  for (const std::string& change : done->changes) console.err << report::line("{}\n", change);
  const lower::Lowering& lowering = *done->lowering;
  const std::vector<fx::Finding> findings = done->findings();
  const auto directory = arguments.get("-o");
  const report::Paths paths = pathsOf(arguments, request.file);
  report::LowerReport answer{paths.of(request.file),
                             lowering,
                             done->origins,
                             findings,
                             *done->capture->program,
                             done->request.route->name,
                             directory && *directory != "-",
                             true,
                             paths};
  if (arguments.has("--nodes")) {
    answerNodes(*done, findings, arguments, console);
    return endOf(lowering, findings, report::isOk(answer), console);
  }
  // Files are written first: that they cannot be is the answer then.
  const bool isShown = !directory && !arguments.has("--json");
  if (isShown) {
    console.write(report::lowerText(answer, console.layout));
    console.flush();
  }
  FXS_TRY(const auto beyond, beyondTorchMlir(done, arguments, console));
  answer.beyond = beyond ? &*beyond : nullptr;
  if (answer.files) FXS_CHECK(writeDirectory(*directory, lowering, report::lowerJson(answer)));
  // With the module on standard output, the rest goes elsewhere.
  const TextLayout layout = directory == "-" ? TextLayout{} : console.layout;
  const std::string next = nextLines(withOptions(diagnose::nextStep(*done), arguments), layout);
  if (directory == "-") {
    console.out << lowering.stages.back().text;
    if (!report::isOk(answer)) console.err << report::lowerText(answer) << next;
  } else if (arguments.has("--json")) {
    console.out << report::lowerJson(answer);
  } else {
    const std::string more = beyond ? report::beyondText(*beyond, console.layout) : "";
    console.write((isShown ? "" : report::lowerText(answer, console.layout)) + more + next);
  }
  return endOf(lowering, findings, report::isOk(answer), console);
}

}  // namespace

void registerLower(Commands& commands);
void registerLower(Commands& commands) {
  commands.add(
      {"lower",
       "lower through every stage up to an output type, and show what stopped where",
       {{"FILE", "a .pt2, an MLIR module, or - for standard input"}},
       withLoweringOptions(withNodeOptions(
           {{"--to", "TYPE", "${output-types}; case and -/_ do not matter"},
            viaOption(routes::all()),
            blockSizeOption(),
            asOption(),
            {"--fix", "", "first apply what makes it lower, as the command fix does: --via fixed"},
            {"--decompose", "OP,..",
             "also decompose these operators, where a decomposition exists (aten.gelu, "
             "aten.gelu.default)",
             true},
            fromOption(),
            skipPassOption(),
            exportTestOption(
                "write a lit test of --pass-pipeline, or of the first pass after --from that "
                "changes "
                "the text: its input, and CHECK lines for its output; verified with FileCheck-22"),
            {"-o", "DIR",
             "write each stage to DIR as NN-stage.mlir (.ll, .s), the IR at a failure, "
             "and lower.json; - writes the last stage to standard "
             "output"},
            {"--nodes", "",
             "print what became of each node, beside its lines of Python, instead of the stages "
             "(JSON: resources/schemas/lower_nodes.schema.json)"},
            {"--json", "", "print JSON (resources/schemas/lower.schema.json)"}})),
       reporting<runLower>,
       Group::Lower});
}

}  // namespace fxs::cli
