// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Writes what an issue of torch-mlir needs of the open program, of its failure or, if it lowers, of
// wrong values, in a job: the command `report`.
#include <QObject>
#include <QString>
#include <functional>
#include <memory>

#include "session/log_presenter.h"
#include "session/numbers_presenter.h"
#include "session/session_presenter.h"
#include "upstream/problem.h"

namespace fxs::ui {

using ProblemReport = std::shared_ptr<const upstream::Problem>;
/// Takes it together: sessionReporter(), or a test double.
using Reporter = std::function<Result<ProblemReport>(
    const session::SnapshotPtr&, const upstream::ProblemOptions&, const RunContext&)>;
Reporter sessionReporter(session::Environment environment);

struct ReportState : WorkState {
  ProblemReport result;  ///< null if there is none
};

class ReportPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit ReportPresenter(Services& services);

  /// Why nothing can be reported now, and what to do about it; "" if it is possible.
  QString obstacle() const;
  /// `node`: that fails; invalid for the first.
  void start(fx::NodeId node);
  void cancel();
  ReportState state() const { return {task_.state(), result_}; }
  /// The text of the issue, in Markdown; "" if there is none.
  QString markdown() const;
  /// Writes the files to a folder. "" if that went well, else the error.
  QString saveTo(const QString& folder) const;

 Q_SIGNALS:
  void changed();

 private:
  void drop();
  void logEnd();
  SessionPresenter& session_;
  NumbersPresenter& numbers_;
  LogPresenter& log_;
  Reporter reporter_;
  ProblemReport result_;
  Task<Result<ProblemReport>> task_;
};

}  // namespace fxs::ui
