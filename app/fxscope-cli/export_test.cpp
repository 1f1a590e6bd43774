// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "export_test.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/byte_source.h"
#include "base/number_from.h"
#include "diagnose/reduced_pass_test.h"
#include "lit_settings.h"
#include "lower/edited_stages.h"
#include "lower/pipeline_text.h"
#include "report/line.h"

namespace fxs::cli {
namespace {

constexpr std::uint64_t kMaxPassModule = std::uint64_t{2} << 30;

/// The tool of a stage on the path to an output type.
lower::StageTool toolOf(const lower::OutputType& target, const std::string& stage) {
  for (const lower::StageSpec& each : lower::stagesFor(target))
    if (each.id == stage) return each.tool;
  return {};
}

std::string pipelineOf(lower::PipelinePass pass) {
  // The engine prints a blank for each option without a value.
  const auto end = std::unique(pass.options.begin(), pass.options.end(),
                               [](char a, char b) { return a == ' ' && b == ' '; });
  pass.options.erase(end, pass.options.end());
  return "builtin.module(" + lower::textOf(pass) + ")";
}

std::string pipelineOf(const lower::PassRun& pass) {
  lower::PipelinePass out{{}, pass.pass, pass.options};
  if (pass.anchor != "builtin.module") out.anchors.push_back(pass.anchor);
  return pipelineOf(std::move(out));
}

/// The last snapshot before a pass.
int snapshotBefore(const lower::PassTrace& trace, std::size_t pass) {
  int out = 0;
  for (std::size_t i = 0; i < pass; ++i) out = std::max(out, trace.passes[i].snapshot);
  return out;
}

Result<std::string> moduleOf(const lower::PassTrace& trace, int snapshot) {
  return readWholeFile(trace.pathOf(trace.snapshots.at(static_cast<std::size_t>(snapshot))),
                       kMaxPassModule);
}

}  // namespace

Option exportTestOption(std::string help) { return {"--export-test", "OUT.mlir", std::move(help)}; }

Result<> exportTest(std::string_view module, const lower::StageTool& tool,
                    const std::string& pipeline, const Arguments& arguments, Console& console) {
  if (!tool.runsPasses())
    return fail(ErrorCode::Usage,
                "option '--export-test': " + tool.title() + " runs no pass pipelines");
  FXS_TRY(lit::Settings settings, litSettingsFrom(arguments, console));
  lit::PassTest test{module, "torch-mlir-opt", pipeline};
  if (!tool.isEngine()) test.program = tool.program == "mlir-opt-22" ? "mlir-opt" : tool.title();
  if (tool.isPath()) settings.programs[test.program] = tool.program;
  FXS_TRY(
      const diagnose::ReducedPassTest written,
      diagnose::writeReducedPassTest(test, settings, *console.environment.runner, console.context));
  const std::string file = *arguments.get("--export-test");
  FXS_CHECK(writeOutput(file, written.text));
  console.err << report::line("{}: {}\n", file, written.message);
  return {};
}

Result<> exportTestOfPass(const lower::PassTrace& trace, const Arguments& arguments,
                          Console& console) {
  const auto number = arguments.get("--pass");
  if (!number) return {};
  if (trace.madeElsewhere())
    return fail(ErrorCode::Usage,
                "option '--export-test': the output of another tool does not say how it was run");
  const auto index = numberFrom<std::size_t>(*number);
  if (!index || *index == 0 || *index > trace.passes.size())
    return fail(ErrorCode::Usage, "option '--pass': expected a pass from 1 to " +
                                      std::to_string(trace.passes.size()) + ", got '" + *number +
                                      "'");
  const lower::PassRun& pass = trace.passes[*index - 1];
  if (!pass.ran) return fail(ErrorCode::Usage, "option '--pass': pass " + *number + " did not run");
  if (!pass.changed && !pass.failed)
    return fail(ErrorCode::Usage, "option '--pass': pass " + *number + " (" + pass.pass +
                                      ") changed nothing, so that a test could not fail");
  FXS_TRY(const std::string module, moduleOf(trace, snapshotBefore(trace, *index - 1)));
  return exportTest(module, toolOf(trace.target, pass.stage), pipelineOf(pass), arguments, console);
}

Result<> exportTestOfEdit(const session::Snapshot& snapshot, const Arguments& arguments,
                          Console& console) {
  const lower::LowerOptions& options = snapshot.request.lower;
  FXS_TRY(const auto passes, lower::listedPasses(options, *snapshot.engine,
                                                 *console.environment.runner, console.context));
  for (const lower::ListedPass& each : passes) {
    if (!each.runs) continue;
    if (each.isStep) break;
    const Result<> done = exportTest(options.edit->text, toolOf(options.target, each.at.stage),
                                     pipelineOf(each.pass), arguments, console);
    // What changes nothing leaves the text for the next pass.
    if (done || done.error().code != ErrorCode::Usage) return done;
  }
  return fail(ErrorCode::Usage,
              "option '--export-test': no pass after the edit changes its text, so that a test "
              "could not fail");
}

}  // namespace fxs::cli
