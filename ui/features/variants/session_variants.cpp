// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants, lowered by the session.
#include <algorithm>

#include "features/variants/variants_presenter.h"
#include "lower/engine_run.h"
#include "lower/tool_run.h"
#include "lower/trace_plan.h"
#include "variant/located_edit.h"

namespace fxs::ui {
namespace {

/// The text that an edit takes the place of, located at nodes: that of a stage, or of the stage's
/// passes up to the one of the edit, which are run again.
Result<std::string> originalOf(const session::Snapshot& snapshot, const lower::Edit& edit,
                               const session::Environment& environment, const RunContext& context) {
  const std::vector<lower::StageResult>& stages = snapshot.lowering->stages;
  const auto stage =
      std::find_if(stages.begin(), stages.end(),
                   [&](const lower::StageResult& each) { return each.id == edit.stage; });
  if (stage == stages.end()) return std::string();
  if (!edit.pass) return stage->text;
  FXS_TRY(const auto specs, lower::filledStages(snapshot.request.lower));
  const auto index = static_cast<std::size_t>(stage - stages.begin());
  FXS_TRY(const lower::Engine runs, lower::engineOfStage(specs[index], *snapshot.engine));
  const lower::Limits& limits = snapshot.request.lower.limits;
  FXS_TRY(const lower::FlatPipeline flat,
          lower::flattened(runs, specs[index].pipeline, limits, environment.cacheDir,
                           *environment.runner, context));
  std::vector<lower::PipelinePass> passes;
  for (std::size_t i = 0; i <= *edit.pass && i < flat.passes.size(); ++i)
    if (!snapshot.request.lower.skipped.contains({edit.stage, i})) passes.push_back(flat.passes[i]);
  const std::string& input = index > 0 ? stages[index - 1].text : snapshot.imported->text;
  lower::EngineRun run = std::move(
      lower::runEngine(runs, {lower::restated(passes)}, input, limits, *environment.runner, context)
          .front());
  if (run.outcome == lower::RunOutcome::Cancelled) return tl::unexpected<Error>(cancelled());
  return run.outcome == lower::RunOutcome::Ok ? std::move(run.out) : std::string();
}

}  // namespace

VariantRunner sessionVariants(session::Environment environment) {
  return [environment = std::move(environment)](
             const session::SnapshotPtr& program, const session::SnapshotPtr& madeFrom,
             const variant::Variant& spec, session::Phase until,
             const RunContext& context) -> Result<session::SnapshotPtr> {
    if (until == session::Phase::Trace)
      return session::advance(program, until, environment, context);
    session::Request request = program->request;
    if (lower::name(request.lower.target) != spec.target) {
      FXS_TRY(request.lower.target, environment.outputTypes.from(spec.target));
    }
    request.lower = variant::optionsOf(spec, request.lower);
    if (spec.edit && madeFrom->lowering) {
      context.report({"finding the nodes of the edited text", -1});
      FXS_TRY(const std::string original, originalOf(*madeFrom, *spec.edit, environment, context));
      lower::Edit edit = *spec.edit;
      edit.text = variant::locatedEdit(original, edit.text, context);
      if (edit.text != spec.edit->text)
        request.lower.edit = std::make_shared<const lower::Edit>(std::move(edit));
    }
    return session::advance(session::retarget(program, request), session::Phase::Lower, environment,
                            context);
  };
}

}  // namespace fxs::ui
