// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants, lowered by the session.
#include <algorithm>

#include "diagnose/reduced_pass_test.h"
#include "features/variants/variants_presenter.h"
#include "lower/edited_stages.h"
#include "session/toolbox.h"
#include "variant/located_edit.h"

namespace fxs::ui {
namespace {

/// The text that a variant's first change leads to, and the stage that reads it.
struct Changed {
  std::size_t stage = 0;
  std::string text;
};

Changed changedIn(const session::Snapshot& lowered, const lower::EditedStages& stages) {
  const lower::LowerOptions& options = lowered.request.lower;
  if (stages.edit) {
    const bool isResult = stages.specs[*stages.edit].pipeline.empty();
    return {*stages.edit + (isResult ? 1 : 0), options.edit->text};
  }
  std::size_t first = 0;
  const auto isChanged = [&](const std::string& id) {
    return options.pipelines.contains(id) ||
           std::any_of(options.skipped.begin(), options.skipped.end(),
                       [&](const lower::StagePass& pass) { return pass.stage == id; });
  };
  while (first + 1 < stages.specs.size() && !isChanged(stages.specs[first].id)) ++first;
  return {first, first == 0 ? lowered.imported->text : lowered.lowering->stages[first - 1].text};
}

}  // namespace

VariantTester sessionVariantTests(session::Environment environment) {
  return [environment = std::move(environment)](const session::SnapshotPtr& lowered,
                                                const RunContext& context) -> Result<std::string> {
    const lower::LowerOptions& options = lowered->request.lower;
    FXS_TRY(const lower::EditedStages stages,
            lower::editedStages(options, *lowered->engine, *environment.runner, context));
    const Changed changed = changedIn(*lowered, stages);
    if (changed.stage >= stages.specs.size() || stages.specs[changed.stage].pipeline.empty())
      return fail(ErrorCode::Unsupported,
                  "No pass runs after the edited text, so there is nothing to test");
    const lower::StageSpec& spec = stages.specs[changed.stage];
    if (!spec.tool.runsPasses())
      return fail(ErrorCode::Unsupported, spec.tool.title() + " runs no pass pipelines");
    FXS_TRY(lit::Settings settings, session::litSettings(environment, options.limits, context));
    lit::PassTest test{changed.text, "torch-mlir-opt", spec.pipeline};
    if (!spec.tool.isEngine()) test.program = spec.tool.isPath() ? spec.tool.title() : "mlir-opt";
    if (spec.tool.isPath()) settings.programs[test.program] = spec.tool.program;
    FXS_TRY(diagnose::ReducedPassTest written,
            diagnose::writeReducedPassTest(test, settings, *environment.runner, context));
    return std::move(written.text);
  };
}

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
      FXS_TRY(const std::string original,
              lower::textAt(spec.edit->stage, spec.edit->pass, madeFrom->imported->text,
                            *madeFrom->capture->program, *madeFrom->engine, madeFrom->request.lower,
                            *environment.runner, context, madeFrom->lowering.get()));
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
