// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The answer about the open program: the verdict in a sentence, what to do next, and the verdicts
// of other output types. The sentence is that of the reports (report/answer.h).
#include <QObject>
#include <QString>
#include <vector>

#include "features/answer/other_types_presenter.h"
#include "report/answer.h"
#include "session/diagnosis_presenter.h"
#include "session/numbers_presenter.h"
#include "session/session_presenter.h"

namespace fxs::ui {

/// Something to do next.
struct AnswerStep {
  QString action;   ///< id of the action that does it: "export-fixed"
  QString message;  ///< why: "a verified fix makes the whole program lower to tosa"; may be empty
  friend bool operator==(const AnswerStep&, const AnswerStep&) = default;
};

/// What an output type comes to.
struct TypeAnswer {
  lower::OutputType type;
  report::Answer::Standing standing = report::Answer::Standing::NotKnown;
  QString message;  ///< "linalg-on-tensors: lowers, 1 warning"
  friend bool operator==(const TypeAnswer&, const TypeAnswer&) = default;
};

struct AnswerState {
  bool running = false;  ///< something that answers: a lowering, a diagnosis, a comparison
  report::Answer::Standing standing = report::Answer::Standing::NotKnown;
  QString message;                     ///< "" if no program was opened
  std::vector<AnswerStep> steps = {};  ///< the one to do next first
  std::vector<TypeAnswer> types = {};  ///< backends besides the output type
  friend bool operator==(const AnswerState&, const AnswerState&) = default;
};

class AnswerPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit AnswerPresenter(Services& services);

  const AnswerState& state() const { return state_; }

 Q_SIGNALS:
  void changed();

 private:
  void refresh();
  /// Without steps and types.
  AnswerState verdict() const;
  report::Answer lowered() const;
  AnswerStep stepToRun() const;
  std::vector<AnswerStep> steps() const;
  std::vector<TypeAnswer> types() const;
  /// That of the session's output type, if it was compared and is accused.
  bool computesWrong() const;

  SessionPresenter& session_;
  DiagnosisPresenter& diagnosis_;
  NumbersPresenter& numbers_;
  OtherTypesPresenter& others_;
  QString failed_;  ///< why a file could not be read, while no program is open
  AnswerState state_;
};

}  // namespace fxs::ui
