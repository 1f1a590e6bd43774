#pragma once
// What was done, in order, with times and the exact command lines: the log.
#include <QObject>
#include <QString>
#include <QStringList>

#include "session/session_presenter.h"

namespace fxs::ui {

class LogPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit LogPresenter(SessionPresenter& session, QObject* parent = nullptr);
  const QStringList& lines() const { return lines_; }
  void add(const QString& line);

 Q_SIGNALS:
  void changed();

 private:
  QStringList lines_;
  trace::TracePtr traced_;  ///< the last that was told of
};

}  // namespace fxs::ui
