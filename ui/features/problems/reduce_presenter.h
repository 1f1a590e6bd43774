#pragma once
// The smallest program that fails as the open one does: made by a job of its own, and written to a file of the window's own, so
// that it can be opened like any other. The file goes with the window.
#include <QObject>
#include <QString>
#include <functional>
#include <memory>

#include "base/scratch_directory.h"
#include "session/session_presenter.h"

namespace fxs::ui {

/// What was made of a program.
struct ReducedProgram {
  std::string file;                                   ///< to open
  std::string statement;                              ///< "reduced from 505 operations to 1 in 1.3 s, with 57 programs tried"
  std::shared_ptr<const ScratchDirectory> directory;  ///< holds the file as long as somebody holds it
};
/// Reduces what fails at a node, or what stops the whole program: by the session's own means, or a test's.
using Reducer = std::function<Result<ReducedProgram>(const session::SnapshotPtr&, fx::NodeId, const RunContext&)>;
Reducer sessionReducer(session::Environment environment);

class ReducePresenter final : public QObject {
  Q_OBJECT
 public:
  ReducePresenter(SessionPresenter& session, JobQueue& jobs, Reducer reducer, QObject* parent = nullptr);

  /// `node`: what fails; invalid: what stops the whole program. When it ends well the smaller program is opened.
  void start(fx::NodeId node);
  void cancel();
  const WorkState& state() const { return state_; }
  /// Whether the program that is open is one that was reduced here; then the file that it was made of, and how.
  bool showsReduced() const { return session_.hasProgram() && !file_.isEmpty() && session_.state().file == file_; }
  const QString& original() const { return original_; }
  const QString& statement() const { return statement_; }
  /// Opens the program that was reduced again.
  void back();

 Q_SIGNALS:
  void changed();
  void failed(const QString& why);

 private:
  void followSession();
  SessionPresenter& session_;
  JobQueue& jobs_;
  Reducer reducer_;
  WorkState state_;
  std::shared_ptr<const ScratchDirectory> directory_;
  QString file_, original_, statement_;
};

}  // namespace fxs::ui
