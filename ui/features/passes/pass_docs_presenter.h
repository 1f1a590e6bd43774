// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the tool of a stage says of its passes, asked of it in a job when it is first wanted.
#include <QObject>
#include <QString>
#include <map>
#include <vector>

#include "lower/tool_passes.h"
#include "session/session_presenter.h"
#include "session/task.h"

namespace fxs::ui {

class PassDocsPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit PassDocsPresenter(Services& services);
  /// "Canonicalize operations"; "" if the tool says nothing, or until it was asked: see changed().
  QString of(const QString& stage, const QString& pass);

 Q_SIGNALS:
  void changed();

 private:
  using Passes = std::vector<lower::ToolPass>;
  static Result<Passes> passesOf(const session::Snapshot& lowering, const std::string& stage,
                                 CommandRunner& runner, const RunContext& context);
  void forget();

  Services& services_;
  SessionPresenter& session_;
  std::map<QString, Passes> known_;  ///< by stage
  QString asking_;                   ///< the stage of the job
  Task<Result<Passes>> job_;
};

}  // namespace fxs::ui
