// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants, lowered by the session.
#include "features/variants/variants_presenter.h"
#include "lower/edited_stages.h"
#include "variant/located_edit.h"

namespace fxs::ui {
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
