// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edited texts, parsed by the tool of their stage.
#include <algorithm>

#include "features/variants/edit_presenter.h"
#include "lower/engine_run.h"
#include "lower/tool_run.h"
#include "variant/located_edit.h"

namespace fxs::ui {
namespace {

/// The program that reads a text of the stage: that of the stage, if it reads MLIR.
Result<lower::Engine> readerOf(const session::SnapshotPtr& program, const std::string& stage) {
  if (!program || !program->engine) return fail(ErrorCode::EngineFailed, "there is no engine");
  for (const lower::StageSpec& spec : lower::stagesFor(program->request.lower.target)) {
    if (spec.id != stage) continue;
    if (spec.writes != mlir::TextForm::Mlir || !spec.tool.runsPasses())
      return fail(ErrorCode::Unsupported, spec.tool.title() + " does not read this text");
    return lower::engineOfStage(spec, *program->engine);
  }
  return *program->engine;
}

}  // namespace

EditChecker sessionEdits(session::Environment environment) {
  return
      [environment = std::move(environment)](
          const session::SnapshotPtr& snapshot, const EditSource& source, const std::string& text,
          const RunContext& context) -> Result<std::vector<EditProblem>> {
        FXS_TRY(const lower::Engine reader, readerOf(snapshot, source.stage));
        // Lines stay where they are.
        const bool isElided = text.find("…") != std::string::npos;
        const std::string complete =
            isElided ? variant::completedEdit(source.original, text, context) : text;
        const lower::EngineRun run =
            std::move(lower::runEngine(reader, {""}, complete, snapshot->request.lower.limits,
                                       *environment.runner, context)
                          .front());
        if (run.outcome == lower::RunOutcome::Cancelled) return tl::unexpected<Error>(cancelled());
        std::vector<EditProblem> problems = problemsIn(run.err);
        if (run.outcome != lower::RunOutcome::Ok && problems.empty())
          return fail(ErrorCode::EngineFailed, run.program + " " + run.message);
        return problems;
      };
}

}  // namespace fxs::ui
