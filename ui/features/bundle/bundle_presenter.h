#pragma once
// Exports the open program's failure as a reproducer bundle, by a job of its own. The bundle is replayed before it is handed over;
// what that said is part of the result.
#include <QObject>
#include <QString>
#include <functional>
#include <optional>

#include "session/bundle.h"
#include "session/session_presenter.h"

namespace fxs::ui {

/// Makes a bundle: the session's own, or a test's.
using Bundler = std::function<Result<session::BundleResult>(const session::SnapshotPtr&, const session::BundleOptions&, const RunContext&)>;
Bundler sessionBundler(session::Environment environment);

struct BundleState : WorkState {
  std::optional<session::BundleResult> result;
};

class BundlePresenter final : public QObject {
  Q_OBJECT
 public:
  BundlePresenter(SessionPresenter& session, JobQueue& jobs, Bundler bundler, QObject* parent = nullptr);

  /// Why there is nothing to export, with the way out; "" when there is.
  QString obstacle() const;
  void start(const session::BundleOptions& options);
  void cancel();
  /// Of the last export nothing is said any more.
  void forget();
  const BundleState& state() const { return state_; }

 Q_SIGNALS:
  void changed();
  /// It came to an end: written, refused or stopped.
  void ended();

 private:
  void drop();
  SessionPresenter& session_;
  JobQueue& jobs_;
  Bundler bundler_;
  BundleState state_;
};

/// "34 kB, 1 of 505 operations": how large what was written is.
QString sizeText(const session::BundleResult&);
/// "Removed as private or unneeded: 2 paths under a home folder (now net.py); .."; "" when nothing was.
QString removedText(const session::BundleResult&);

}  // namespace fxs::ui
