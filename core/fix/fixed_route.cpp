// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/counted.h"
#include "fix/fix.h"

namespace fxs::fix {
namespace {

Result<> lowerFixed(session::Snapshot& s, const session::Environment& env,
                    const RunContext& context, const session::OnStage& onStage) {
  session::Request request = s.request;
  request.route = &session::kPipelines;
  request.askEngine = true;
  FXS_TRY(const session::SnapshotPtr imported,
          session::advance(
              session::retarget(std::make_shared<const session::Snapshot>(s), std::move(request)),
              session::Phase::Import, env, context));
  FixOptions options;
  options.targets = {s.request.lower.target};
  FXS_TRY(const FixedProgramPtr fixed, fix(imported, options, env, context));
  FXS_TRY(const session::SnapshotPtr lowered,
          session::advance(fixed->snapshot, session::Phase::Lower, env, context, onStage));
  const std::vector<session::Timing> timings = s.timings;
  s = *lowered;
  s.timings = timings;  // of the steps of this route there is one
  s.request.route = &kFixed;
  for (const FixedChange& change : fixed->changes)
    s.changes.push_back(change.fxTarget + " (" + counted(change.nodes.size(), "node") +
                        "): " + change.change);
  return {};
}

}  // namespace

constinit const session::Route kFixed{"fixed", "Fixed", "the pipelines, after the changes of fix",
                                      session::Phase::Read, lowerFixed};

}  // namespace fxs::fix
