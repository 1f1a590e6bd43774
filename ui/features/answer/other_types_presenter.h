// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The verdicts of the output types that the open program is not lowered to: those of earlier runs,
// and of runs in the background, one after the other, once nothing else is going on. They are for
// programs whose own lowering was quick, and never begin after something was cancelled. Their
// limits are small: one that reaches them, or in which the engine crashes, says nothing.
#include <QObject>
#include <QTimer>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "report/answer.h"
#include "session/session_presenter.h"

namespace fxs::ui {

/// How long nothing has to go on before a run in the background. Services::set() sets another.
struct QuietTime {
  std::chrono::milliseconds before{1'500};
};

class OtherTypesPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit OtherTypesPresenter(Services& services);

  /// Nullopt if it is not known.
  std::optional<report::Answer> of(const lower::OutputType& type) const;
  /// Of a run of the session.
  void know(const lower::OutputType& type, report::Answer answer);

 Q_SIGNALS:
  void changed();

 private:
  bool canBegin() const;
  void workChanged();
  void begin();

  SessionPresenter& session_;
  WorkList& work_;
  const session::Environment environment_;
  std::map<lower::OutputType, report::Answer> known_;
  std::pair<LoweringChoices, bool> choices_;  ///< of known_; whether as torch-mlir does
  std::set<lower::OutputType> tried_;         ///< in the background
  bool isStopped_ = false;  ///< until another program is open, or this one runs again
  QTimer quiet_;
  Task<Result<session::SnapshotPtr>> lowering_;
};

}  // namespace fxs::ui
