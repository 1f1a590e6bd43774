// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The diagnosis of the open program. Runs as a job: automatically after a stage failed, or on
// request. Publishes partial results. A diagnosis is kept when the output type changes to one that
// it covers, and dropped when the program changes or is run again.
#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <vector>

#include "diagnose/diagnosis.h"
#include "session/python_consent.h"
#include "session/session_presenter.h"

namespace fxs::ui {

using DiagnosisPtr = std::shared_ptr<const diagnose::Diagnosis>;
/// Diagnoses the program for some output types, reporting partial results: sessionDiagnoser(), or a
/// test double.
using Diagnoser = std::function<Result<DiagnosisPtr>(
    const session::SnapshotPtr&, const std::vector<lower::OutputType>&, const PythonUse&,
    const std::function<void(const DiagnosisPtr&)>& onPart, const RunContext&)>;

Diagnoser sessionDiagnoser(session::Environment environment);

class DiagnosisPresenter final : public QObject {
  Q_OBJECT
 public:
  /// Services::python runs only for files for which the user allowed it.
  explicit DiagnosisPresenter(Services& services);

  /// Diagnoses for the session's target.
  void diagnose();
  /// Diagnoses for the session's target and every backend.
  void surveyAllTargets();
  /// Keeps the results so far.
  void cancel() { diagnosing_.cancel(); }
  /// Null until the first partial result.
  const DiagnosisPtr& diagnosis() const { return diagnosis_; }
  /// Whether the diagnosis includes an output type.
  bool covers(const lower::OutputType& target) const { return of(target) != nullptr; }
  /// Null if the diagnosis does not include the output type.
  const diagnose::TargetDiagnosis* of(const lower::OutputType& target) const;
  const WorkState& state() const { return diagnosing_.state(); }
  PythonConsent& consent() { return consent_; }
  /// Whether a diagnosis can start now: a program is open, an engine is available, and nothing else
  /// is running.
  bool possible() const;
  /// "linalg-on-tensors, tosa and stablehlo": the backends that surveyAllTargets() covers.
  QString allTargets() const;

 Q_SIGNALS:
  /// diagnosis() changed.
  void changed();
  void stateChanged();

 private:
  void followSession();
  void start(const std::vector<lower::OutputType>& targets);
  void startAgain();
  void take(const DiagnosisPtr& part);
  void drop();

  SessionPresenter& session_;
  Diagnoser diagnoser_;
  PythonConsent consent_;
  DiagnosisPtr diagnosis_;
  lower::OutputType target_;                ///< the session's target at the last run
  std::vector<lower::OutputType> targets_;  ///< of the last diagnosis
  Task<Result<DiagnosisPtr>> diagnosing_;
};

}  // namespace fxs::ui
