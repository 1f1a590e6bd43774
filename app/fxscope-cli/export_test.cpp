// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "export_test.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "base/byte_source.h"
#include "base/number_from.h"
#include "lit/pass_test.h"
#include "lit_settings.h"
#include "lower/pipeline_text.h"

namespace fxs::cli {
namespace {

constexpr std::uint64_t kMaxPassModule = std::uint64_t{2} << 30;

/// The tool of a stage on the path to the trace's output type.
lower::StageTool toolOf(const lower::PassTrace& trace, const std::string& stage) {
  for (const lower::StageSpec& each : lower::stagesFor(trace.target))
    if (each.id == stage) return each.tool;
  return {};
}

std::string pipelineOf(const lower::PassRun& pass) {
  lower::PipelinePass out{{}, pass.pass, {}};
  if (pass.anchor != "builtin.module") out.anchors.push_back(pass.anchor);
  // The engine prints a blank for each option without a value.
  std::unique_copy(pass.options.begin(), pass.options.end(), std::back_inserter(out.options),
                   [](char a, char b) { return a == ' ' && b == ' '; });
  return "builtin.module(" + lower::textOf(out) + ")";
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
  FXS_TRY(const std::string text,
          lit::writePassTest(test, settings, *console.environment.runner, console.context));
  return writeOutput(*arguments.get("--export-test"), text);
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
  const int before = *index == 1 ? 0 : trace.passes[*index - 2].snapshot;
  if (!pass.ran || before < 0)
    return fail(ErrorCode::Usage, "option '--pass': pass " + *number + " did not run");
  if (!pass.changed && !pass.failed)
    return fail(ErrorCode::Usage, "option '--pass': pass " + *number + " (" + pass.pass +
                                      ") changed nothing, so that a test could not fail");
  FXS_TRY(const std::string module, moduleOf(trace, before));
  return exportTest(module, toolOf(trace, pass.stage), pipelineOf(pass), arguments, console);
}

}  // namespace fxs::cli
