// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/lowered_texts.h"

#include <algorithm>
#include <iterator>

#include "contract/lower_kept.h"
#include "lower/engine_run.h"
#include "mlir/text/function_types.h"
#include "module/source_module.h"
#include "session/importing.h"
#include "session/registry.h"

namespace fxs::numbers {
namespace {

constexpr const char* kNoFunction =
    "its text has no function with the program's arguments and results; choose an output type "
    "before it";

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

/// Whether a text of the module has its function with the same tensors, as a pipeline of the user's
/// may leave it.
bool keepsInterface(const std::string& text, const session::Snapshot& s) {
  const mlir::Module after(text), before(s.imported->text);
  const auto now = mlir::functionIn(after, s.capture->module->function);
  const auto then = mlir::functionIn(before, s.capture->module->function);
  return now && then && now->signature.arguments == then->signature.arguments &&
         now->signature.results == then->signature.results;
}

/// The module from its first stage, as a session lowers it.
Result<LoweredText> lowerModule(const session::Snapshot& s, const lower::OutputType& to,
                                const session::Environment& env, const RunContext& context) {
  LoweredText out{&session::kPipelines, to, {}, {}, {}, {}};
  lower::LowerOptions chosen = s.request.lower;
  FXS_TRY(chosen.target, module::startingFrom(*s.capture->module, to, env.outputTypes));
  FXS_TRY(const auto lowering, lower::lower(s.imported->text, *s.capture->program, *s.engine,
                                            chosen, *env.runner, context));
  if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
  FXS_CHECK(lower::ensureAnswered(*lowering));
  out.stages = lowering->stages;
  const bool isUsers = to->readsAny || !to->file.empty();
  const bool keeps = isUsers && lowering->ok() && keepsInterface(out.stages.back().text, s);
  std::string last = keeps ? out.stages.back().text : std::string();
  clearTextsWithoutFunction(to, out.stages);
  if (keeps) out.stages.back().text = std::move(last);
  out.breaches =
      contract::breachesOf(out.stages, chosen.target, s.imported->text, *s.capture->program);
  if (!lowering->ok()) out.message = reasonNotLowered(lowering->stages);
  else if (out.text = out.stages.back().text; out.text.empty()) out.message = kNoFunction;
  return out;
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
  if (out.text.empty()) out.message = kNoFunction;
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

namespace {

Result<> checkTensors(const session::Snapshot& s) {
  const std::string& name = s.capture->module->function;
  const mlir::Module module(s.capture->module->text);
  const auto function = mlir::functionIn(module, name);
  if (!function)
    return fail(ErrorCode::Usage, s.request.file + ": has no function that can be run");
  for (const auto* types : {&function->signature.arguments, &function->signature.results})
    for (const std::string_view type : *types)
      if (!mlir::tensorType(type) || type.starts_with("memref"))
        return fail(ErrorCode::Usage, s.request.file + ": only functions over tensors are run; '" +
                                          name + "' has " + std::string(type));
  return {};
}

}  // namespace

Result<> checkIsRun(const session::Snapshot& s) {
  if (s.capture->module) return checkTensors(s);
  const session::Route& route = *s.request.route;
  if (&route == &session::kRegistries || route.after >= session::Phase::Rewrite) return {};
  return fail(ErrorCode::Usage, "--via " + std::string(route.name) +
                                    " lowers another program, whose values are not compared; see "
                                    "fix --numbers");
}

Result<LoweredText> lowerBy(const session::Route& route, const session::Snapshot& s,
                            const fx::Program& program, const lower::OutputType& to,
                            const session::Environment& env, const RunContext& context) {
  if (s.capture->module) return lowerModule(s, to, env, context);
  if (&route == &session::kPipelines) return lowerByPipelines(s, program, to, env, context);
  if (&route == &session::kRegistries) return lowerDirectly(s, program, to, env, context);
  return lowerBySession(route, s, program, to, env, context);
}

}  // namespace fxs::numbers
