// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/lowered_texts.h"

#include <algorithm>
#include <iterator>

#include "contract/lower_kept.h"
#include "lower/engine_run.h"
#include "session/importing.h"
#include "session/registry.h"

namespace fxs::numbers {
namespace {

/// The message of the first error; "" if there is none.
std::string errorIn(const std::vector<fx::Finding>& findings) {
  const auto found = std::find_if(findings.begin(), findings.end(), [](const fx::Finding& finding) {
    return finding.severity == fx::Severity::Error && !finding.message.empty();
  });
  return found == findings.end() ? std::string() : found->message;
}

std::string reasonNotLowered(const std::vector<lower::StageResult>& stages) {
  const auto stage = std::find_if(stages.begin(), stages.end(), [](const lower::StageResult& each) {
    return each.status != lower::StageStatus::Ok;
  });
  if (stage == stages.end()) return {};
  return (lower::isKnown(stage->status) ? "does not lower: " : "not known whether it lowers: ") +
         (stage->findings.empty() ? stage->id + " " + std::string(lower::name(stage->status))
                                  : stage->findings.front().message);
}

/// Executors cannot call such texts.
void clearTextsWithoutFunction(const lower::OutputType& to,
                               std::vector<lower::StageResult>& stages) {
  for (const lower::OutputType& type : lower::pathTo(to))
    for (lower::StageResult& stage : stages)
      if (stage.id == lower::name(type) && !lower::keepsFunction(*type.operator->()))
        stage.text.clear();
}

Result<LoweredText> lowerByPipelines(const session::Snapshot& s, const fx::Program& program,
                                     const lower::OutputType& to, const session::Environment& env,
                                     const RunContext& context) {
  LoweredText out{&session::kPipelines, to, {}, {}, {}, {}};
  import::ImportOptions options = session::importOptionsOf(s, context);
  options.mode = import::Mode::Lowering;
  FXS_TRY(const auto imported, import::importProgram(program, options, context));
  out.message = errorIn(imported->findings);
  if (!out.message.empty()) return out;
  lower::LowerOptions chosen = s.request.lower;
  chosen.target = to;
  FXS_TRY(const auto lowering, lower::lower(imported->text, *s.capture->program, *s.engine, chosen,
                                            *env.runner, context));
  if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
  FXS_CHECK(lower::ensureAnswered(*lowering));
  out.stages = lowering->stages;
  clearTextsWithoutFunction(to, out.stages);
  out.breaches = contract::breachesOf(out.stages, to, imported->text, *s.capture->program);
  if (!lowering->ok() || !out.breaches.empty())
    FXS_CHECK(contract::ensureHonest(*s.engine, chosen, *env.runner, context));
  if (!lowering->ok()) {
    out.message = reasonNotLowered(lowering->stages);
    return out;
  }
  out.text = out.stages.back().text;
  if (out.text.empty())
    out.message =
        "its text has no function with the program's arguments and results; choose an output type "
        "before it";
  return out;
}

/// The text as the engine prints it, whose signature can be extended by weights; unchanged if the
/// engine does not read it.
Result<std::string> printed(std::string text, const session::Snapshot& s,
                            const session::Environment& env, const RunContext& context) {
  FXS_TRY(const lower::Engine engine, session::engineFor(s, env, context));
  lower::EngineRun run = std::move(
      lower::runEngine(engine, {""}, text, s.request.lower.limits, *env.runner, context).front());
  if (run.outcome == lower::RunOutcome::Cancelled) return tl::unexpected<Error>(cancelled());
  return run.outcome == lower::RunOutcome::Ok ? std::move(run.out) : std::move(text);
}

Result<LoweredText> lowerDirectly(const session::Snapshot& s, const fx::Program& program,
                                  const lower::OutputType& to, const session::Environment& env,
                                  const RunContext& context) {
  LoweredText out{&session::kRegistries, to, {}, {}, {}, {}};
  FXS_TRY(const auto lowering, session::lowerByRegistries(s, program, to, context));
  if (!lowering) {
    out.message = "no registry writes " + std::string(lower::name(to));
    return out;
  }
  if (!lowering->complete) {
    out.message = lowering->findings.empty() ? "the registries do not lower it"
                                             : lowering->findings.front().message;
    return out;
  }
  out.text = lowering->text;
  // As a witness beside the pipelines, what it computes without weights is enough.
  if (s.request.route == &session::kRegistries) {
    FXS_TRY(out.text, printed(std::move(out.text), s, env, context));
  }
  lower::StageResult& stage = out.stages.emplace_back();
  stage.id = session::kRegistries.name;
  stage.status = lower::StageStatus::Ok;
  stage.text = out.text;
  return out;
}

/// By any other route, as a session lowers the program.
Result<LoweredText> lowerBySession(const session::Route& route, const session::Snapshot& s,
                                   const fx::Program& program, const lower::OutputType& to,
                                   const session::Environment& env, const RunContext& context) {
  LoweredText out{&route, to, {}, {}, {}, {}};
  auto from = std::make_shared<session::Snapshot>();
  from->request = s.request;
  from->request.route = &route;
  from->request.lower.target = to;
  from->request.import.embedWeights = false;
  from->request.normalize = false;
  from->capture = s.capture;
  from->valued = s.valued;
  from->engine = s.engine;
  auto rewritten = std::make_shared<rewrite::Rewritten>();
  rewritten->program = fx::ProgramPtr(fx::ProgramPtr(), &program);  // outlives the snapshot
  from->rewritten = std::move(rewritten);
  FXS_TRY(const session::SnapshotPtr done,
          session::advance(std::move(from), session::Phase::Lower, env, context));
  if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
  FXS_CHECK(lower::ensureAnswered(*done->lowering));
  out.stages = done->lowering->stages;
  clearTextsWithoutFunction(to, out.stages);
  std::copy_if(done->contract.begin(), done->contract.end(), std::back_inserter(out.breaches),
               [](const fx::Finding& f) { return f.severity == fx::Severity::Error; });
  if (done->lowering->ok()) out.text = out.stages.back().text;
  else out.message = reasonNotLowered(out.stages);
  return out;
}

}  // namespace

std::string LoweredText::label() const {
  const std::string type(lower::name(to));
  return route == &session::kPipelines ? type : type + " via " + std::string(route->name);
}

Result<> checkLowersProgram(const session::Route& route) {
  if (&route == &session::kRegistries || route.after >= session::Phase::Rewrite) return {};
  return fail(ErrorCode::Usage, "--via " + std::string(route.name) +
                                    " lowers another program, whose values are not compared; see "
                                    "fix --numbers");
}

Result<LoweredText> lowerBy(const session::Route& route, const session::Snapshot& s,
                            const fx::Program& program, const lower::OutputType& to,
                            const session::Environment& env, const RunContext& context) {
  if (&route == &session::kPipelines) return lowerByPipelines(s, program, to, env, context);
  if (&route == &session::kRegistries) return lowerDirectly(s, program, to, env, context);
  return lowerBySession(route, s, program, to, env, context);
}

}  // namespace fxs::numbers
