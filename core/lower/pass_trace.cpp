// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/pass_trace.h"

#include <algorithm>
#include <optional>

#include "lower/edited_stages.h"
#include "lower/no_answer.h"
#include "lower/pass_recorder.h"
#include "lower/tool_run.h"
#include "lower/trace_plan.h"
#include "mlir/compare/same_ir.h"

namespace fxs::lower {
namespace {

/// Traces one module; used for one run().
class Tracer {
 public:
  Tracer(const std::string& raw, const fx::Program& program, const Engine& engine,
         const TraceOptions& options, const Lowering* known, CommandRunner& runner,
         const RunContext& context, const TraceCallbacks& callbacks)
      : raw_(raw),
        input_(options.lower.edit ? options.lower.edit->text : raw),
        program_(program),
        engine_(engine),
        options_(options),
        runner_(runner),
        context_(context),
        callbacks_(callbacks),
        known_(known),
        recorder_(engine, options, runner, context, callbacks) {}

  Result<std::shared_ptr<const PassTrace>> run();

 private:
  Result<> planStages();
  Result<> planGroups();
  void listPasses();
  Result<> lowerPlainly();
  Result<> runQuickly();
  Command plainCommand() const;
  Result<> explainPlainRun();
  const StageResult* stoppedStage() const;
  Result<> checkAnswered() const;
  Result<> checkGoesOn() const;
  Result<> traceGroups();
  Result<> traceGroup(const PassGroup& group, bool stopsHere);
  Result<bool> takeQuickRun();
  bool stopsIn(const PassGroup& group) const;
  void noteStages();
  void compareEnd();
  Result<> listSkipped();
  void noteEdit();

  const std::string& raw_;
  const std::string& input_;  ///< of the first of specs_
  const fx::Program& program_;
  const Engine& engine_;
  const TraceOptions& options_;
  CommandRunner& runner_;
  const RunContext& context_;
  const TraceCallbacks& callbacks_;
  const Lowering* known_;  ///< null if nothing but the output of the plain pipeline is known
  std::shared_ptr<const Lowering> lowered_;  ///< owns what known_ points to, if this made it
  std::size_t first_ = 0;                    ///< the index of the stage that is specs_[0]
  std::size_t again_ =
      0;  ///< how many passes of it run again, since the engine cannot leave them out
  std::vector<StageSpec> specs_;  ///< whose passes are traced
  std::vector<StageSpec> steps_;  ///< the stages after them, each of which is one step
  std::vector<PassGroup> groups_;
  PassRecorder recorder_;
  PassRecorder::QuickRun quick_;          ///< of the first group
  std::optional<Exit> plain_;             ///< of the plain pipeline, if it ended well
  const StageResult* stopped_ = nullptr;  ///< the one of specs_ that did not end well
  std::string_view untraced_;             ///< the result of the plain pipeline; "" if it stopped
};

/// Divides the stages into those whose passes are traced and those that are one step each: a stage
/// that runs no passes, and those after it.
Result<> Tracer::planStages() {
  FXS_TRY(const EditedStages edited, editedStages(options_.lower, engine_, runner_, context_));
  const std::vector<StageSpec>& all = edited.specs;
  first_ = edited.edit.value_or(0);
  again_ = edited.again.size();
  const auto firstStep = std::find_if(all.begin(), all.end(), isStep);
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first_);
  if (firstStep <= begin)
    return fail(ErrorCode::Usage, "a trace cannot start from the text of " + begin->id +
                                      ", which is not divided into passes");
  specs_.assign(begin, firstStep);
  steps_.assign(firstStep, all.end());
  const bool engineOnly = steps_.empty() && !edited.edit &&
                          std::all_of(specs_.begin(), specs_.end(),
                                      [](const StageSpec& spec) { return spec.tool.isEngine(); });
  if (engineOnly) return {};
  // The texts of stages of other tools come from a plain run, which also finds out which tool is
  // missing.
  if (known_ == nullptr) FXS_CHECK(lowerPlainly());
  while (!specs_.empty() && !engineOfStage(specs_.back(), engine_)) specs_.pop_back();
  return {};
}

Result<> Tracer::lowerPlainly() {
  FXS_TRY(lowered_, lower(raw_, program_, engine_, options_.lower, runner_, context_,
                          {callbacks_.decomposable, {}, {}}));
  known_ = lowered_.get();
  return {};
}

/// The first group is always instrumented, so that a trace starts with RAW as the engine prints it.
Result<> Tracer::planGroups() {
  FXS_TRY(groups_, planTrace(specs_, input_, engine_, options_.lower.limits, options_.cacheDir,
                             runner_, context_));
  listPasses();
  if (groups_.empty() || !groups_.front().instrumented)
    groups_.insert(groups_.begin(), PassGroup{{}, true, {}, engine_});
  return {};
}

void Tracer::listPasses() {
  std::vector<PassRun>& passes = recorder_.trace().passes;
  for (const PassGroup& group : groups_)
    for (const PlannedPass& planned : group.passes)
      passes.push_back({.stage = planned.stage,
                        .pass = planned.pass.pass,
                        .options = planned.pass.options,
                        .anchor = planned.pass.anchors.empty() ? "builtin.module"
                                                               : planned.pass.anchors.back()});
  for (const StageSpec& step : steps_)
    passes.push_back({.stage = step.id,
                      .pass = step.tool.title(),
                      .options = {},
                      .anchor = std::string(mlir::name(step.writes))});
}

Command Tracer::plainCommand() const {
  std::vector<std::string> pipelines;
  for (const StageSpec& spec : specs_) pipelines.push_back(spec.pipeline);
  Command out = recorder_.command(engine_, concatenated(pipelines), input_);
  out.argv.resize(pipelines.size() > 1 ? 3 : 2);
  return out;
}

/// Runs the first group with few snapshots. The plain pipeline runs concurrently, to check that the
/// traced one gives the same result or fails at the same pass.
Result<> Tracer::runQuickly() {
  std::vector<Command> commands;
  commands.push_back(recorder_.quickCommand(groups_.front(), quick_, input_));
  recorder_.trace().runs.push_back(commands.back().argv);
  PassRecorder::Taking& taking = quick_.taking;
  Result<> took;
  commands.back().whileRunning = [&] {
    if (const Result<bool> next = recorder_.takeNext(taking, false); !next)
      took = tl::unexpected<Error>(next.error());
    return took && taking.clear && !taking.isComplete();
  };
  if (known_ == nullptr) commands.push_back(plainCommand());
  std::vector<Result<Exit>> exits = runner_.runAll(commands, context_.stop);
  FXS_CHECK(std::move(took));
  if (!exits.front()) return tl::unexpected<Error>(exits.front().error());
  // Of one that did not end by itself, the last snapshot may be half.
  if (exits.front()->reason == ExitReason::Exited && !wasKilled(*exits.front()))
    quick_.exit = *std::move(exits.front());
  else recorder_.goBack(quick_);
  if (exits.size() == 1) return {};
  if (!exits.back()) return tl::unexpected<Error>(exits.back().error());
  plain_ = *std::move(exits.back());
  return {};
}

/// If the plain pipeline did not end well, lowers stage by stage, which says where it stopped.
Result<> Tracer::explainPlainRun() {
  if (!plain_ || (plain_->ok() && noAnswer(specs_.back(), input_, plain_->out).empty())) return {};
  plain_.reset();
  return lowerPlainly();
}

/// The first of specs_ that did not end well in the plain pipeline; null if all did.
const StageResult* Tracer::stoppedStage() const {
  if (known_ == nullptr) return nullptr;
  const auto begin = known_->stages.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto end = begin + static_cast<std::ptrdiff_t>(specs_.size());
  const auto stage = std::find_if(
      begin, end, [](const StageResult& each) { return each.status != StageStatus::Ok; });
  return stage == end ? nullptr : &*stage;
}

Result<> Tracer::checkAnswered() const {
  const StageResult* first = known_ == nullptr ? nullptr : &known_->stages[first_];
  const bool failed = first != nullptr && first->status == StageStatus::Failed;
  if (failed && options_.lower.edit && first->failingPass.empty())
    return fail(ErrorCode::InvalidInput,
                "the edited text of " + first->id + ": " +
                    (first->findings.empty() ? "failed" : first->findings.front().message));
  if (failed && !specs_.empty() && specs_.front().pipeline.empty())
    return fail(ErrorCode::EngineFailed,
                "the engine does not accept the imported module, so that no pass runs");
  if (stopped_ == nullptr || stopped_->status != StageStatus::Unknown) return {};
  // Where it stopped is not known, so no pass is to blame.
  const StageSpec& spec =
      specs_[static_cast<std::size_t>(stopped_ - known_->stages.data()) - first_];
  if (spec.tool.isEngine() && isNoAnswer(stopped_->findings.front()))
    return fail(ErrorCode::EngineFailed, stopped_->findings.front().message);
  return {};
}

Result<> Tracer::checkGoesOn() const {
  if (context_.stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
  return {};
}

bool Tracer::stopsIn(const PassGroup& group) const {
  return stopped_ != nullptr &&
         std::any_of(group.passes.begin(), group.passes.end(),
                     [&](const PlannedPass& pass) { return pass.stage == stopped_->id; });
}

/// Up to the one in which the pipeline stops, if any.
Result<> Tracer::traceGroups() {
  for (const PassGroup& group : groups_) {
    const bool isLast = stopsIn(group);
    FXS_CHECK(traceGroup(group, isLast));
    FXS_CHECK(checkGoesOn());
    if (isLast) FXS_CHECK(recorder_.noteFailure(group, *stopped_));
    if (isLast || recorder_.trace().snapshots.empty()) break;
  }
  if (recorder_.trace().snapshots.empty())
    return fail(ErrorCode::EngineFailed, "engine " + engine_.path +
                                             ": it wrote no snapshot of the module to " +
                                             recorder_.trace().directory);
  return {};
}

Result<> Tracer::traceGroup(const PassGroup& group, bool stopsHere) {
  using Expected = PassRecorder::Expected;
  const Expected expected = stopsHere ? Expected::Failure : Expected::Success;
  if (!group.instrumented) return recorder_.runPrinted(group, expected);
  const bool ran = &group == &groups_.front() && quick_.exit;
  if (ran && !stopsHere) {
    FXS_TRY(const bool isClear, takeQuickRun());
    if (isClear) return {};
  }
  if (ran) recorder_.goBack(quick_);
  return recorder_.runEveryPass(group, input_, expected);
}

/// Takes the rest of the quick run. Returns whether it shows which pass made each change.
Result<bool> Tracer::takeQuickRun() {
  FXS_CHECK(recorder_.takeRest(quick_));
  if (stopped_ == nullptr && quick_.taking.clear && groups_.size() == 1)
    recorder_.takeQuietEnd(quick_.taking, untraced_);
  if (quick_.taking.clear)
    recorder_.noteTimes(groups_.front(), quick_.taking.points, quick_.exit->err);
  return quick_.taking.clear;
}

void Tracer::noteStages() {
  std::vector<StageResult>& stages = recorder_.trace().stages;
  if (known_ != nullptr) {
    stages = known_->stages;
    for (StageResult& stage : stages) stage.text.clear();
    return;
  }
  for (const StageSpec& spec : specs_) {
    StageResult& stage = stages.emplace_back();
    stage.id = spec.id;
    stage.title = spec.title;
    stage.status = StageStatus::Ok;
  }
}

/// Whether the traced pipeline gave the result of the plain one.
void Tracer::compareEnd() {
  Untraced& result = recorder_.trace().untraced;
  if (stopped_ != nullptr || result != Untraced::NotCompared) return;
  result = recorder_.isLastTraced(untraced_) ? Untraced::Same : Untraced::Differs;
}

/// Lists the passes that edits leave out too, so that every trace of the stages numbers alike.
Result<> Tracer::listSkipped() {
  const LowerOptions& lower = options_.lower;
  if (!lower.edit && lower.skipped.empty()) return {};
  FXS_TRY(const std::vector<ListedPass> listed, listedPasses(lower, engine_, runner_, context_));
  PassTrace& trace = recorder_.trace();
  std::vector<PassRun> passes;
  std::vector<int> now(trace.passes.size(), -1);  // the index of each that ran
  std::size_t next = std::min(again_, trace.passes.size());
  for (const ListedPass& each : listed) {
    if (each.runs) {
      // A stage whose tool is missing is not traced.
      if (next == trace.passes.size() || trace.passes[next].stage != each.at.stage) continue;
      now[next] = static_cast<int>(passes.size());
      passes.push_back(std::move(trace.passes[next++]));
      continue;
    }
    PassRun& run = passes.emplace_back();
    run.stage = each.at.stage;
    run.pass = each.pass.pass;
    run.options = each.pass.options;
    run.anchor = each.pass.anchors.empty() ? "builtin.module" : each.pass.anchors.back();
    run.skipped = true;
  }
  for (IrSnapshot& snapshot : trace.snapshots)
    if (snapshot.pass >= 0) snapshot.pass = now[static_cast<std::size_t>(snapshot.pass)];
  trace.passes = std::move(passes);
  if (lower.edit) noteEdit();
  return {};
}

/// The edited text is that of the pass after which it stands.
void Tracer::noteEdit() {
  const Edit& edit = *options_.lower.edit;
  PassTrace& trace = recorder_.trace();
  trace.snapshots.front().stage = edit.stage;
  std::size_t index = 0;  // within the stage
  PassRun* last = nullptr;
  for (PassRun& run : trace.passes) {
    if (run.stage != edit.stage) continue;
    last = &run;
    if (edit.pass == index++) break;
  }
  if (last != nullptr) last->snapshot = 0;
}

Result<std::shared_ptr<const PassTrace>> Tracer::run() {
  FXS_CHECK(planStages());
  FXS_CHECK(planGroups());
  FXS_CHECK(recorder_.open());
  context_.report({"tracing the passes", -1});
  quick_ = recorder_.quickRunOf(groups_.front(), groups_.back());
  if (stoppedStage() == nullptr) FXS_CHECK(runQuickly());
  FXS_CHECK(explainPlainRun());
  stopped_ = stoppedStage();
  FXS_CHECK(checkAnswered());
  if (stopped_ == nullptr)
    untraced_ = plain_ ? plain_->out : known_->stages[first_ + specs_.size() - 1].text;
  FXS_CHECK(checkGoesOn());
  FXS_CHECK(traceGroups());
  if (stopped_ == nullptr && known_ != nullptr && !context_.stop.stop_requested())
    FXS_CHECK(recorder_.takeSteps(steps_, *known_));
  noteStages();
  compareEnd();
  FXS_CHECK(listSkipped());
  return recorder_.finish();
}

}  // namespace

std::string_view name(Untraced untraced) {
  if (untraced == Untraced::Same) return "same";
  return untraced == Untraced::Differs ? "differs" : "not compared";
}

bool PassTrace::ok() const {
  return std::all_of(stages.begin(), stages.end(),
                     [](const StageResult& s) { return s.status == StageStatus::Ok; });
}

int PassTrace::lastOf(std::string_view stage) const {
  if (stage == "raw") return snapshots.empty() ? -1 : 0;
  for (auto pass = passes.rbegin(); pass != passes.rend(); ++pass)
    if (pass->stage == stage && pass->snapshot >= 0) return pass->snapshot;
  return -1;
}

Result<std::shared_ptr<const PassTrace>> tracePasses(
    const std::string& raw, const fx::Program& program, const Engine& engine,
    const TraceOptions& options, const Lowering* known, CommandRunner& runner,
    const RunContext& context, const TraceCallbacks& callbacks) {
  return Tracer(raw, program, engine, options, known, runner, context, callbacks).run();
}

}  // namespace fxs::lower
