// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "split/split.h"

#include <algorithm>

#include "base/scratch_directory.h"
#include "base/work_time.h"
#include "numbers/input_sets.h"
#include "numbers/lowered_texts.h"
#include "session/toolbox.h"
#include "split/dispatch_programs.h"

namespace fxs::split {

std::string_view name(AloneOutcome outcome) {
  switch (outcome) {
    case AloneOutcome::Equal: return "equal";
    case AloneOutcome::Same: return "same";
    case AloneOutcome::Suspicious: return "suspicious";
    case AloneOutcome::Differs: return "differs";
    case AloneOutcome::NotRun: break;
  }
  return "not-run";
}

namespace {

/// Why the output type is not reached by what is right.
std::string reasonUnlowered(const session::Snapshot& s) {
  std::string out = "does not lower";
  if (s.lowering && !s.lowering->ok()) {
    const auto& stages = s.lowering->stages;
    const auto stage = std::find_if(
        stages.begin(), stages.end(),
        [](const lower::StageResult& each) { return each.status != lower::StageStatus::Ok; });
    if (!lower::isKnown(stage->status)) out = "not known whether it lowers";
    return out + ": " +
           (stage->findings.empty() ? stage->id + " " + std::string(lower::name(stage->status))
                                    : stage->findings.front().message);
  }
  const std::vector<fx::Finding> findings = s.findings();
  return findings.empty() ? out : out + ": " + findings.front().message;
}

}  // namespace

Result<std::shared_ptr<const SplitResult>> splitProgram(const session::SnapshotPtr& snapshot,
                                                        const SplitOptions& options,
                                                        const session::Environment& env,
                                                        const RunContext& context) {
  return guarded(snapshot->request.file, [&]() -> Result<std::shared_ptr<const SplitResult>> {
    FXS_CHECK(numbers::checkIsRun(*snapshot));
    if (!snapshot->imported || !snapshot->engine || env.runner == nullptr)
      return fail(ErrorCode::Usage, "running requires a program that was imported with an engine");
    execute::Tools tools = session::toolsOf(env);
    tools.engine = snapshot->engine->path;
    FXS_TRY(const ScratchDirectory scratch,
            ScratchDirectory::make(env.temporaryDir, "the programs and values of a run"));
    FXS_TRY(auto iree,
            execute::IreeModules::make(tools, scratch.path(), *env.runner, options.run.limits));
    auto out = std::make_shared<SplitResult>();
    out->to = snapshot->request.lower.target;
    out->compiler = "IREE " + execute::pinnedIreeVersion();
    FXS_TRY(out->inputs, numbers::inputsFor(*snapshot, options.run, context));
    FXS_TRY(const session::SnapshotPtr lowered,
            session::advance(snapshot, session::Phase::Lower, env, context));
    if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
    if (!lowered->lowering || !lowered->lowersRight()) {
      out->isKnown = lowered->lowering && lower::isKnown(lowered->lowering->stages);
      out->unlowered = reasonUnlowered(*lowered);
      return std::shared_ptr<const SplitResult>(std::move(out));
    }
    ProgramWriter writer(options.folder, scratch.path(), iree, options.run.limits);
    SplitWork work{*lowered, options, env, tools, iree, writer, scratch.path()};
    const lower::StageResult& last = lowered->lowering->stages.back();
    if (hasDispatches(last)) FXS_CHECK(splitDispatches(last, work, *out, context));
    else FXS_CHECK(splitNodes(work, *out, context));
    return std::shared_ptr<const SplitResult>(std::move(out));
  });
}

}  // namespace fxs::split
