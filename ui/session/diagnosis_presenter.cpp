// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/diagnosis_presenter.h"

#include <algorithm>

#include "diagnose/diagnose.h"
#include "text/words.h"

namespace fxs::ui {

Diagnoser sessionDiagnoser(session::Environment environment) {
  return [environment = std::move(environment)](
             const session::SnapshotPtr& snapshot, const std::vector<lower::OutputType>& targets,
             const PythonUse& python, const std::function<void(const DiagnosisPtr&)>& onPart,
             const RunContext& context) {
    diagnose::DiagnoseOptions options;
    options.targets = targets;
    options.python = python.path;
    options.withoutPython = python.unused;
    options.onPart = onPart;
    return diagnose::diagnose(snapshot, options, environment, context);
  };
}

DiagnosisPresenter::DiagnosisPresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      diagnoser_(services.chosen(sessionDiagnoser(services.environment))),
      consent_(services.python),
      target_(session_.target()),
      diagnosing_(services, WorkFor::Answer, CancelBy::Button) {
  connect(&diagnosing_, &Work::changed, this, &DiagnosisPresenter::stateChanged);
  connect(&session_, &SessionPresenter::programChanged, this, [this] {
    consent_.setFile(session_.state().file);
    drop();
  });
  connect(&consent_, &PythonConsent::agreed, this, &DiagnosisPresenter::startAgain);
  connect(&session_, &SessionPresenter::runStarted, this, &DiagnosisPresenter::followSession);
  connect(&session_, &SessionPresenter::runFinished, this, [this] {
    target_ = session_.target();
    const session::SnapshotPtr& snapshot = session_.snapshot();
    const bool ended = snapshot && snapshot->lowering && !session_.state().cancelled;
    if (ended && !snapshot->lowersRight() && !covers(session_.target())) diagnose();
    else Q_EMIT stateChanged();
  });
}

const diagnose::TargetDiagnosis* DiagnosisPresenter::of(const lower::OutputType& target) const {
  if (!diagnosis_) return nullptr;
  const auto found =
      std::find_if(diagnosis_->targets.begin(), diagnosis_->targets.end(),
                   [&](const diagnose::TargetDiagnosis& each) { return each.target == target; });
  return found == diagnosis_->targets.end() ? nullptr : &*found;
}

QString DiagnosisPresenter::allTargets() const {
  return text(lower::listed(session_.outputTypes().backends(), " and "));
}

bool DiagnosisPresenter::possible() const {
  return diagnoser_ && !diagnosing_.running() && session_.hasProgram() &&
         session_.state().activity == Activity::Idle && session_.snapshot()->engine.has_value();
}

void DiagnosisPresenter::followSession() {
  // A second run with the same output type is a request of the user; the engine may have changed.
  const bool again = target_ == session_.target();
  target_ = session_.target();
  if (again || !covers(target_) || diagnosing_.running()) drop();
}

void DiagnosisPresenter::diagnose() { start({session_.target()}); }
void DiagnosisPresenter::surveyAllTargets() {
  std::vector<lower::OutputType> targets{session_.target()};
  for (const lower::OutputType& each : session_.outputTypes().backends())
    if (each != session_.target()) targets.push_back(each);
  start(targets);
}

void DiagnosisPresenter::start(const std::vector<lower::OutputType>& targets) {
  if (!possible()) return;
  targets_ = targets;
  diagnosing_.start(
      "diagnosing every operation",
      [this, targets, python = consent_.request(), snapshot = session_.snapshot(),
       diagnoser = diagnoser_](const RunContext& context, const Work::Post& post) {
        const auto onPart = [this, &post](const DiagnosisPtr& part) {
          post([this, part] { take(part); });
        };
        return diagnoser(snapshot, targets, python, onPart, context);
      },
      [this](const Result<DiagnosisPtr>& result) {
        if (result) take(*result);
      });
}

void DiagnosisPresenter::take(const DiagnosisPtr& part) {
  if (!part) return;
  diagnosis_ = part;
  Q_EMIT changed();
}

/// Restarts the diagnosis with Python; the old results are shown until the first new ones.
void DiagnosisPresenter::startAgain() {
  diagnosing_.supersede();
  start(targets_);
}

void DiagnosisPresenter::drop() {
  const bool had = diagnosis_ != nullptr;
  diagnosis_.reset();
  diagnosing_.supersede();
  if (had) Q_EMIT changed();
}

}  // namespace fxs::ui
