// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/answer/answer_presenter.h"

#include <QFileInfo>
#include <algorithm>

#include "diagnose/next_step.h"
#include "diagnose/wrong_results.h"
#include "module/source_module.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

using Standing = report::Answer::Standing;

/// Ids of actions, which features add.
constexpr const char* kFetch = "fetch-executors";
constexpr const char* kPython = "choose-python";
constexpr const char* kBundle = "export-bundle";
constexpr const char* kRun = "run";

QString actionOf(const diagnose::NextStep& step) {
  using Kind = diagnose::NextStep::Kind;
  switch (step.kind) {
    case Kind::Fix: return "export-fixed";
    case Kind::Registry: return "lower-registries";
    case Kind::Compare: return "compare";
    case Kind::Bundle: return kBundle;
    case Kind::OtherType: return "target-" + text(step.arguments.back());
    case Kind::Diagnose: break;
  }
  const auto& arguments = step.arguments;
  const bool asksPython =
      std::find(arguments.begin(), arguments.end(), "--python") != arguments.end();
  return asksPython ? kPython : "diagnose";
}

/// "lowering to tosa … 40 %"
QString progressText(const QString& step, double fraction) {
  return step + " …" + (fraction < 0 ? QString() : QString(" %1 %").arg(qRound(100 * fraction)));
}

TypeAnswer typeAnswer(const lower::OutputType& type, const report::Answer& answer) {
  return {type, answer.standing, text(lower::name(type)) + ": " + text(answer.brief)};
}

}  // namespace

AnswerPresenter::AnswerPresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      diagnosis_(services.get<DiagnosisPresenter>()),
      numbers_(services.get<NumbersPresenter>()),
      others_(services.get<OtherTypesPresenter>()) {
  connect(&session_, &SessionPresenter::programChanged, this, [this] {
    failed_.clear();
    refresh();
  });
  connect(&session_, &SessionPresenter::stateChanged, this, &AnswerPresenter::refresh);
  connect(&session_, &SessionPresenter::snapshotChanged, this, &AnswerPresenter::refresh);
  connect(&session_, &SessionPresenter::openFailed, this,
          [this](const QString& file, const QString& message) {
            if (!session_.hasProgram()) {
              QString reason = message.section('\n', 0, 0);
              if (const QString path = shown(file) + ": "; reason.startsWith(path))
                reason.remove(0, path.size());
              failed_ = shown(QFileInfo(file).fileName()) + ": not read: " + reason;
            }
            refresh();
          });
  connect(&session_, &SessionPresenter::runFinished, this, [this] {
    const session::SnapshotPtr& snapshot = session_.snapshot();
    if (snapshot->lowering && !session_.state().cancelled)
      others_.know(snapshot->lowering->target, lowered());
    refresh();
  });
  connect(&others_, &OtherTypesPresenter::changed, this, &AnswerPresenter::refresh);
  connect(&diagnosis_, &DiagnosisPresenter::changed, this, &AnswerPresenter::refresh);
  connect(&diagnosis_, &DiagnosisPresenter::stateChanged, this, &AnswerPresenter::refresh);
  connect(&numbers_, &NumbersPresenter::changed, this, &AnswerPresenter::refresh);
  connect(&numbers_, &NumbersPresenter::stateChanged, this, &AnswerPresenter::refresh);
}

void AnswerPresenter::refresh() {
  AnswerState now = verdict();
  const bool isIdle = session_.state().activity == Activity::Idle;
  if (!now.message.isEmpty() && isIdle) now.steps = steps();
  if (session_.hasProgram()) now.types = types();
  if (now == state_) return;
  state_ = std::move(now);
  Q_EMIT changed();
}

bool AnswerPresenter::computesWrong() const {
  const ComparedTarget* now = numbers_.ofSession();
  return now && compare::isAccused(*now->target);
}

report::Answer AnswerPresenter::lowered() const {
  const session::Snapshot& snapshot = *session_.snapshot();
  const ComparedTarget* now = numbers_.ofSession();
  if (!now || !snapshot.lowering->ok())
    return report::answerOf(*snapshot.lowering, snapshot.findings());
  const diagnose::Computed computed = diagnose::computedOf(*now->target, *now->comparison);
  return report::answerOf(*snapshot.lowering, snapshot.findings(), &computed);
}

AnswerState AnswerPresenter::verdict() const {
  const SessionState& state = session_.state();
  if (state.activity != Activity::Idle)
    return {true, Standing::NotKnown, progressText(state.step, state.fraction)};
  if (!session_.hasProgram()) return {false, Standing::Stops, failed_};
  if (session_.showsTraceFile())
    return {false, Standing::Lowers, "A trace of passes; nothing was lowered here"};
  if (!state.stepProblem.isEmpty())
    return {false, Standing::Stops, state.stepProblem.section('\n', 0, 0)};
  if (!state.engineProblem.isEmpty())
    return {false, Standing::NotKnown, "Not lowered: " + state.engineProblem};
  if (!session_.snapshot()->lowering)
    return {false, Standing::NotKnown,
            text(lower::name(session_.target())) +
                (state.cancelled ? ": cancelled before it was lowered" : ": not run")};
  if (session_.snapshot()->capture->kernel && !session_.snapshot()->lowersRight())
    return {false, Standing::NotKnown,
            text(lower::name(session_.target())) + ": " + text(diagnose::kKernelMessage)};
  const diagnose::TargetDiagnosis* target = diagnosis_.of(session_.target());
  const WorkState& work = diagnosis_.state().running ? diagnosis_.state() : numbers_.state();
  const bool lowers = session_.snapshot()->lowering->ok();
  const bool isFromDiagnosis =
      target && !diagnosis_.state().running && !(lowers && numbers_.ofSession());
  const report::Answer answer =
      isFromDiagnosis ? report::answerOf(*diagnosis_.diagnosis(), *target) : lowered();
  AnswerState out{work.running, answer.standing, text(answer.message)};
  if (work.running) out.message += "; " + progressText(work.step, work.fraction);
  return out;
}

/// Again, or to an output type that can start from the module, if the session's cannot.
AnswerStep AnswerPresenter::stepToRun() const {
  const auto& module = session_.snapshot()->capture->module;
  if (!module || module::startingFrom(*module, session_.target(), session_.outputTypes()))
    return {kRun, {}};
  const auto types = module::startingTypes(*module, session_.outputTypes());
  if (types.empty()) return {kRun, {}};
  return {"target-" + text(lower::name(types.front())), "it can start from this module"};
}

std::vector<AnswerStep> AnswerPresenter::steps() const {
  if (!session_.hasProgram()) return {{"open", {}}};
  if (session_.showsTraceFile()) return {{"show-passes", {}}};
  const session::SnapshotPtr& snapshot = session_.snapshot();
  if (!session_.state().stepProblem.isEmpty()) return {{"show-problems", {}}, {"reload", {}}};
  if (!snapshot->lowering || session_.state().cancelled) return {stepToRun()};
  // What a diagnosis finds may be another step, but not of a kernel.
  if ((diagnosis_.state().running && !snapshot->capture->kernel) || numbers_.state().running)
    return {};
  std::vector<AnswerStep> out;
  const ComparedTarget* compared = numbers_.ofSession();
  const bool isDoubted =
      compared && severity(compared->target->verdict) >= tensor::Verdict::Suspicious;
  if (isDoubted && numbers_.consent().python().empty())
    out.push_back({kPython, "only PyTorch says what is expected, and where it begins to differ"});
  const bool isDiagnosed = diagnosis_.covers(session_.target());
  const bool isCompared = compared != nullptr;
  if (const auto next = isDiagnosed ? diagnose::nextStep(*snapshot, *diagnosis_.diagnosis())
                                    : diagnose::nextStep(*snapshot);
      next && !(isCompared && next->kind == diagnose::NextStep::Kind::Compare)) {
    const bool isMissing =
        next->kind == diagnose::NextStep::Kind::Compare && !numbers_.missing().isEmpty();
    out.push_back(isMissing ? AnswerStep{kFetch, text(next->message)}
                            : AnswerStep{actionOf(*next), text(next->message)});
  }
  const bool isReported = std::any_of(
      out.begin(), out.end(), [](const AnswerStep& step) { return step.action == kBundle; });
  if (!isReported && (!snapshot->lowersRight() || computesWrong())) out.push_back({kBundle, {}});
  if (out.empty()) out.push_back({isCompared ? "show-numbers" : "show-passes", {}});
  return out;
}

std::vector<TypeAnswer> AnswerPresenter::types() const {
  std::vector<TypeAnswer> out;
  for (const lower::OutputType& type : session_.outputTypes().backends()) {
    if (type == session_.target()) continue;
    auto known = others_.of(type);
    if (const DiagnosisPtr& diagnosis = diagnosis_.diagnosis(); diagnosis && !known)
      known = report::answerIn(*diagnosis, type);
    if (known) out.push_back(typeAnswer(type, *known));
    else out.push_back({type, Standing::NotKnown, text(lower::name(type)) + ": not run"});
  }
  return out;
}

}  // namespace fxs::ui
