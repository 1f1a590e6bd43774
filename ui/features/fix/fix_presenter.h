// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Writes the open program with the changes that make it lower, in a job: the command `fix`.
#include <QObject>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "fix/fix.h"
#include "session/log_presenter.h"
#include "session/session_presenter.h"

namespace fxs::ui {

struct FixRequest {
  std::vector<lower::OutputType> targets;  ///< at least one
  QString file;                            ///< the .pt2 to write; replaced if it exists
  QString script;                          ///< the Python module to write; "" for none
};

/// Fixes and writes: sessionFixer(), or a test double.
using Fixer = std::function<Result<fix::FixedProgramPtr>(const session::SnapshotPtr&,
                                                         const FixRequest&, const RunContext&)>;
Fixer sessionFixer(session::Environment environment);

struct FixState : WorkState {
  fix::FixedProgramPtr result;  ///< what was written; null if nothing was
  FixRequest request;
};

class FixPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit FixPresenter(Services& services);

  /// Why nothing can be fixed now, and what to do about it; "" if it is possible.
  QString obstacle() const;
  void start(const FixRequest& request);
  void cancel();
  /// Resets state(): the result or error of the last run is dropped.
  void forget();
  FixState state() const { return {task_.state(), result_, request_}; }
  /// What the fixed program lowers to, and each change; lines.
  QString summary() const;

 Q_SIGNALS:
  void changed();

 private:
  void drop();
  void logEnd();
  SessionPresenter& session_;
  LogPresenter& log_;
  Fixer fixer_;
  fix::FixedProgramPtr result_;
  FixRequest request_;
  Task<Result<fix::FixedProgramPtr>> task_;
};

}  // namespace fxs::ui
