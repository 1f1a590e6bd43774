// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The log: what was done, in order, with times and the exact command lines.
#include <QObject>
#include <QString>
#include <QStringList>

#include "session/session_presenter.h"

namespace fxs::ui {

class LogPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit LogPresenter(Services& services);
  const QStringList& lines() const { return lines_; }
  void add(const QString& line);

 Q_SIGNALS:
  void changed();

 private:
  void addProgram();
  void addStage();
  void addTrace();
  void addRun();
  SessionPresenter& session_;
  QStringList lines_;
  trace::TracePtr traced_;  ///< the last trace that was logged
};

}  // namespace fxs::ui
