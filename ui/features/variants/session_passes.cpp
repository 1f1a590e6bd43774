// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of a stage, and of its tool.
#include <algorithm>

#include "features/variants/pass_list_presenter.h"
#include "lower/tool_run.h"
#include "lower/trace_plan.h"

namespace fxs::ui {

PassLister sessionPasses(session::Environment environment) {
  return [environment = std::move(environment)](
             const session::SnapshotPtr& lowering, const std::string& stage,
             const RunContext& context) -> Result<PassesOfStage> {
    const lower::LowerOptions& options = lowering->request.lower;
    if (!lowering->engine) return fail(ErrorCode::EngineFailed, "there is no engine");
    FXS_TRY(const auto found, lower::toolOfStage(options, stage, *lowering->engine));
    const auto& [spec, runs] = found;
    PassesOfStage out{spec.id, spec.title, {}, {}};
    FXS_TRY(lower::FlatPipeline flat,
            lower::flattened(runs, spec.pipeline, options.limits, environment.cacheDir,
                             *environment.runner, context));
    if (!flat.restatable)
      return fail(ErrorCode::Unsupported,
                  "some passes of this stage have no name, so that the list cannot be changed");
    out.passes = std::move(flat.passes);
    // The tool prints a blank for each option without a value.
    for (lower::PipelinePass& pass : out.passes)
      pass.options.erase(std::unique(pass.options.begin(), pass.options.end(),
                                     [](char a, char b) { return a == ' ' && b == ' '; }),
                         pass.options.end());
    FXS_TRY(out.known, lower::passesOfTool(runs, options.limits, *environment.runner, context));
    return out;
  };
}

}  // namespace fxs::ui
