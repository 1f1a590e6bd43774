#pragma once
// The diagnosis of the open program, made by a job of its own: by itself once the stages have run and one failed, or when asked.
// What is known grows while it goes on. It is kept when the output type changes to one that it covers, and dropped when the
// program changes or is run again.
#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <vector>

#include "diagnose/diagnosis.h"
#include "features/problems/python_consent_state.h"
#include "session/session_presenter.h"

namespace fxs::ui {

using DiagnosisPtr = std::shared_ptr<const diagnose::Diagnosis>;
/// Makes a diagnosis for some output types and tells of each part as it comes: the session's own, or a test's.
using Diagnoser = std::function<Result<DiagnosisPtr>(const session::SnapshotPtr&, const std::vector<lower::OutputType>&, const PythonUse&,
                                                     const std::function<void(const DiagnosisPtr&)>& onPart, const RunContext&)>;

/// The session's own.
Diagnoser sessionDiagnoser(session::Environment environment);

class DiagnosisPresenter final : public QObject {
  Q_OBJECT
 public:
  /// `python`: one with PyTorch for its decomposition tables, "auto" to look for python3, "" for none. It runs for a file that the user
  /// agreed to.
  DiagnosisPresenter(SessionPresenter& session, JobQueue& jobs, Executor& executor, Diagnoser diagnoser, std::string python = {},
                     QObject* parent = nullptr);

  /// For the output type lowered to.
  void diagnose();
  /// For every output type that has stages of its own.
  void surveyAllTargets();
  void cancel();
  /// Null until the first part is there.
  const DiagnosisPtr& diagnosis() const { return diagnosis_; }
  /// Whether the diagnosis has something to say of an output type.
  bool covers(const lower::OutputType& target) const { return of(target) != nullptr; }
  const diagnose::TargetDiagnosis* of(const lower::OutputType& target) const;
  const WorkState& state() const { return state_; }
  PythonConsent& consent() { return consent_; }
  /// Whether one can be asked for now: a program is open and nothing else goes on with it.
  bool possible() const;
  /// "linalg-on-tensors, tosa and stablehlo": what surveyAllTargets() asks for.
  QString allTargets() const;

 Q_SIGNALS:
  /// Another diagnosis, or more of it.
  void changed();
  void stateChanged();

 private:
  void followSession();
  void start(std::vector<lower::OutputType> targets);
  void startAgain();
  void drop();
  void setState(WorkState state);

  SessionPresenter& session_;
  JobQueue& jobs_;
  Executor& executor_;
  Diagnoser diagnoser_;
  PythonConsent consent_;
  DiagnosisPtr diagnosis_;
  WorkState state_;
  lower::OutputType target_;                ///< of the session when it last ran
  std::vector<lower::OutputType> targets_;  ///< of the last diagnosis
  std::uint64_t run_ = 0;                   ///< tells parts of a superseded diagnosis from those of this one
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace fxs::ui
