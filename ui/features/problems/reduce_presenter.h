// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Reduces the open program to a smaller one that fails in the same way, in a job. The result is
// written to a temporary file, which is opened like any other and removed with the last reference
// to it.
#include <QObject>
#include <QString>
#include <functional>
#include <memory>

#include "base/scratch_directory.h"
#include "session/log_presenter.h"
#include "session/session_presenter.h"

namespace fxs::ui {

/// The result of a reduction.
struct ReducedProgram {
  std::string file;       ///< to open
  std::string statement;  ///< "reduced from 505 operations to 1 in 1.3 s, with 57 programs tried"
  std::shared_ptr<const ScratchDirectory> directory;  ///< keeps the file alive
};
/// Reduces the failure at a node, or with an invalid id the failure of the whole program:
/// sessionReducer(), or a test double.
using Reducer = std::function<Result<ReducedProgram>(const session::SnapshotPtr&, fx::NodeId,
                                                     const RunContext&)>;
Reducer sessionReducer(session::Environment environment);

class ReducePresenter final : public QObject {
  Q_OBJECT
 public:
  explicit ReducePresenter(Services& services);

  /// `node`: the failing node; invalid for the failure of the whole program. On success opens the
  /// reduced program.
  void start(fx::NodeId node);
  void cancel() { reducing_.cancel(); }
  const WorkState& state() const { return reducing_.state(); }
  /// Whether the open program is the reduced one; if so, original() is the file it was reduced
  /// from, and statement() says how.
  bool showsReduced() const {
    return session_.hasProgram() && !file_.isEmpty() && session_.state().file == file_;
  }
  const QString& original() const { return original_; }
  const QString& statement() const { return statement_; }
  /// Reopens the original program.
  void back();

 Q_SIGNALS:
  void changed();
  void failed(const QString& reason);

 private:
  void followSession();
  SessionPresenter& session_;
  Reducer reducer_;
  std::shared_ptr<const ScratchDirectory> directory_;
  QString file_, original_, statement_;
  Task<Result<ReducedProgram>> reducing_;
};

}  // namespace fxs::ui
