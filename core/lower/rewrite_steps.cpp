// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>

#include "lower/pattern_log.h"
#include "lower/patterns.h"
#include "lower/stopped_engine.h"

namespace fxs::lower {
namespace {

/// Removes the locations that mark passes for the log, which are not origins.
void removePassMarks(std::string& text, fx::NodeId node) {
  const std::string mark = fmt::format("\"fx\":{}:{})", node.value, kPassColumn);
  constexpr std::string_view kNone = "unknown)";
  for (std::size_t at = text.find(mark); at != std::string::npos;
       at = text.find(mark, at + kNone.size()))
    text.replace(at, mark.size(), kNone);
}

}  // namespace

std::vector<RewriteStep> rewriteSteps(const PatternTrace& trace) {
  std::vector<RewriteStep> steps;
  if (!trace.steppable) return steps;
  const auto stageOf = [&](const PatternPass& pass) {
    const auto found = std::find_if(trace.stages.begin(), trace.stages.end(),
                                    [&](const auto& s) { return s.id == pass.stage; });
    return static_cast<int>(found - trace.stages.begin());
  };
  for (std::size_t i = 0; i < trace.attempts.size(); ++i) {
    const PatternAttempt& attempt = trace.attempts[i];
    if (attempt.effect != Effect::TookEffect) continue;
    const PatternPass& pass = trace.passes[static_cast<std::size_t>(attempt.pass)];
    if (pass.conversion && !steps.empty() && steps.back().pass == attempt.pass) {
      steps.back().attempts.push_back(static_cast<int>(i));
      continue;
    }
    steps.push_back({stageOf(pass),
                     attempt.pass,
                     {static_cast<int>(i)},
                     pass.conversion ? pass.attempts : attempt.ordinal,
                     pass.ordinal});
  }
  return steps;
}

Result<std::string> irAfter(const PatternTrace& trace, const std::vector<RewriteStep>& all,
                            std::size_t steps, const Engine& engine, const Limits& limits,
                            CommandRunner& runner, const RunContext& context) {
  if (!trace.steppable || trace.stages.empty())
    return fail(
        ErrorCode::Usage,
        "this trace cannot be stepped through: the engine logged only the attempts on the node");
  if (steps > all.size())
    return fail(ErrorCode::Usage, "there are " + std::to_string(all.size()) + " rewrites; got " +
                                      std::to_string(steps));
  const bool none = steps == 0;
  const PatternTrace::Stage& stage =
      trace.stages[none ? 0 : static_cast<std::size_t>(all[steps - 1].stage)];
  const StopAt stop = none ? StopAt{} : StopAt{all[steps - 1].stopAfter, all[steps - 1].passes};
  FXS_TRY(auto runs,
          runStopped(stage.input, stage.pipeline, {stop}, engine, limits, runner, context));
  if (!runs.front().ok)
    return fail(ErrorCode::EngineFailed, "the engine printed no module after rewrite " +
                                             std::to_string(steps) + ": " + runs.front().error);
  removePassMarks(runs.front().text, trace.node);
  return std::move(runs.front().text);
}

}  // namespace fxs::lower
