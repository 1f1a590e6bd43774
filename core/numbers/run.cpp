// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/run.h"

#include <algorithm>
#include <set>

#include "compare/taps.h"
#include "mlir/text/document.h"
#include "numbers/input_sets.h"
#include "numbers/lowered_texts.h"
#include "numbers/text_runner.h"
#include "session/importing.h"
#include "trace/dispatches.h"

namespace fxs::numbers {
namespace {

/// With the calls that each computes; placeholders are not computed.
std::vector<compare::Dispatch> dispatchesOf(const execute::Dispatches& measured,
                                            const fx::Program& program, const RunContext& context) {
  const mlir::Document document(measured.text);
  const auto nodes =
      trace::nodesOfDispatches(document.module, *trace::originsOf(document, context));
  std::vector<compare::Dispatch> out;
  for (const execute::DispatchTime& time : measured.times) {
    compare::Dispatch& dispatch = out.emplace_back(compare::Dispatch{time, {}});
    const auto known = nodes.find(time.name);
    if (known == nodes.end()) continue;
    for (const fx::NodeId id : known->second)
      if (program.node(id).op == fx::NodeOp::CallFunction)
        dispatch.nodes.push_back(program.node(id).name);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const compare::Dispatch& a, const compare::Dispatch& b) {
                     return a.measured.time > b.measured.time;
                   });
  return out;
}

std::vector<std::string> resultNames(const fx::Program& program) {
  std::vector<std::string> out;
  for (const fx::NodeId id : compare::resultNodes(program))
    out.push_back(id.valid() ? program.originOf(program.node(id)).name : "constant");
  return out;
}

std::vector<std::string> inputNames(const fx::Program& program, std::size_t count) {
  std::vector<std::string> out;
  for (const fx::InputSpec& spec : program.inputs)
    if (spec.kind == fx::InputKind::UserInput && spec.constant.isNone() && out.size() < count)
      out.push_back(program.node(spec.node).name);
  return out;
}

/// Runs the texts on the way to output types, equal ones once.
class StageRuns {
 public:
  StageRuns(const fx::Program& user, TextRunner& runner, const session::Environment& env,
            const RunContext& context, RunResult& out)
      : user_(user), runner_(runner), env_(env), context_(context), out_(out) {}

  /// Of the output type that the snapshot was imported for.
  Result<> add(const session::Snapshot& imported) {
    const lower::OutputType& to = imported.request.lower.target;
    FXS_TRY(const LoweredText lowered, lowerBy(*imported.request.route, imported,
                                               *imported.rewritten->program, to, env_, context_));
    if (lowered.text.empty()) {
      out_.notes.push_back(std::string(lower::name(to)) + ": " + lowered.message);
      out_.reached = false;
      out_.isKnown = out_.isKnown && lower::isKnown(lowered.stages);
    }
    if (!lowered.breaches.empty()) {
      const fx::Finding& breach = lowered.breaches.front();
      out_.notes.push_back(breach.stage + ": breach: " + breach.message);
      out_.reached = false;
    }
    for (const lower::StageResult& stage : lowered.stages)
      if (!stage.text.empty() && done_.insert(stage.text).second) FXS_CHECK(run(stage));
    return {};
  }

 private:
  Result<> run(const lower::StageResult& stage) {
    for (const auto& executor : runner_.executors()) {
      context_.report({"running " + stage.id + " with " + executor->version(), -1});
      FXS_TRY(Executed executed, runner_.run(*executor, stage.text, out_.inputs, false, context_));
      for (std::size_t r = 0; r < executed.values.size(); ++r) {
        compare::ResultComparison result;
        result.name = r < out_.names.size() ? out_.names[r] : "result " + std::to_string(r);
        result.type = tensor::typeText(executed.values[r]);
        result.found = tensor::statisticsOf(executed.values[r]);
        executed.run.results.push_back(std::move(result));
      }
      executed.run.dispatches = dispatchesOf(executed.dispatches, user_, context_);
      out_.stages.push_back({stage.id, std::move(executed.run), std::move(executed.values)});
    }
    return {};
  }

  const fx::Program& user_;
  TextRunner& runner_;
  const session::Environment& env_;
  const RunContext& context_;
  RunResult& out_;
  std::set<std::string> done_;  // texts
};

}  // namespace

Result<std::shared_ptr<const RunResult>> runStages(const session::SnapshotPtr& snapshot,
                                                   const RunOptions& options,
                                                   const session::Environment& env,
                                                   const RunContext& context) {
  return guarded(snapshot->request.file, [&]() -> Result<std::shared_ptr<const RunResult>> {
    const session::Snapshot& s = *snapshot;
    FXS_CHECK(checkIsRun(s));
    FXS_TRY(const auto runner, TextRunner::make(s, options, env, context));
    auto out = std::make_shared<RunResult>();
    out->via = s.request.route->name;
    out->executors = runner->versions();
    FXS_TRY(out->inputs, inputsFor(s, options, context));
    out->names = resultNames(*s.rewritten->program);
    out->inputNames = inputNames(*s.capture->program, out->inputs.tensors.size());
    FXS_TRY(const std::vector<session::SnapshotPtr> byTarget,
            session::importedForEach(options.targets, snapshot, env, context));
    StageRuns stages(*s.capture->program, *runner, env, context, *out);
    for (const session::SnapshotPtr& each : byTarget) FXS_CHECK(stages.add(*each));
    for (std::string& note : runner->notes()) out->notes.push_back(std::move(note));
    return std::shared_ptr<const RunResult>(std::move(out));
  });
}

Result<std::shared_ptr<const DispatchTimes>> measureDispatches(const session::SnapshotPtr& snapshot,
                                                               const lower::OutputType& to,
                                                               const session::Environment& env,
                                                               const RunContext& context) {
  return guarded(snapshot->request.file, [&]() -> Result<std::shared_ptr<const DispatchTimes>> {
    FXS_TRY(const session::SnapshotPtr imported,
            session::importedFor(to, snapshot, {}, env, context));
    const session::Snapshot& s = *imported;
    RunOptions options;
    options.targets = {to};
    options.dispatches = true;
    FXS_TRY(const auto runner, TextRunner::make(s, options, env, context));
    const auto& all = runner->executors();
    const auto measures = std::find_if(all.begin(), all.end(),
                                       [](const auto& executor) { return executor->measures(); });
    if (measures == all.end()) {
      std::string reason = "no executor that measures is installed";
      for (const std::string& note : runner->notes()) reason += "; " + note;
      return fail(ErrorCode::Usage, std::move(reason));
    }
    execute::Executor& executor = **measures;
    FXS_TRY(const compare::Inputs inputs, inputsFor(s, options, context));
    FXS_TRY(const LoweredText lowered,
            lowerBy(*s.request.route, s, *s.rewritten->program, to, env, context));
    if (lowered.text.empty()) return fail(ErrorCode::Unsupported, lowered.message);
    if (!lowered.breaches.empty())
      return fail(ErrorCode::Unsupported,
                  lowered.label() + ": breach: " + lowered.breaches.front().message);
    context.report({"measuring " + lowered.label() + " with " + executor.version(), -1});
    FXS_TRY(const Executed executed, runner->run(executor, lowered.text, inputs, false, context));
    if (executed.run.outcome != execute::Outcome::Ran)
      return fail(ErrorCode::Unsupported, executor.version() + ": " + executed.run.message);
    auto out = std::make_shared<DispatchTimes>();
    out->to = to;
    out->executor = executor.version();
    out->dispatches = dispatchesOf(executed.dispatches, *s.capture->program, context);
    if (out->dispatches.empty())
      return fail(ErrorCode::Unsupported,
                  executor.version() + ": the program has nothing that is measured");
    return std::shared_ptr<const DispatchTimes>(std::move(out));
  });
}

}  // namespace fxs::numbers
