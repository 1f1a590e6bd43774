#pragma once
// The program that is open: reads, lowers, reloads, cancels, and watches the file. Every step runs as a job; each one that ends
// publishes a new immutable Snapshot, so that the graph is there long before the last stage. A file that cannot be read leaves
// the open program as it was.
#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QStringList>

#include "session/job_queue.h"
#include "session/session.h"
#include "session/work_state.h"

namespace fxs::ui {

enum class Activity : std::uint8_t { Idle, Reading, Lowering };

struct SessionState {
  Activity activity = Activity::Idle;
  QString file;          ///< the open one, or the one being read
  QString what;          ///< "lowering to tosa", in the user's words
  double fraction = -1;  ///< 0..1, negative: unknown
  bool changedOnDisk = false;
  bool cancelled = false;  ///< the last run was stopped by the user
  QString engineProblem;   ///< why nothing was lowered, with the way out; "" when an engine answered
  QString stepProblem;     ///< an error of a step after reading; "" when none
};

class SessionPresenter final : public QObject {
  Q_OBJECT
 public:
  SessionPresenter(session::Environment environment, JobQueue& jobs, Executor& executor, QObject* parent = nullptr);

  void open(const QString& file);
  void reload();
  /// Runs again up to the target, from what is known of the program.
  void run();
  void cancel();
  /// Traces every pass of the lowering that was run, in a job of its own; one that goes on already is left alone.
  void trace();
  void cancelTrace();
  void setTarget(const lower::OutputType&);
  lower::OutputType target() const { return request_.lower.target; }
  const lower::OutputTypes& outputTypes() const { return environment_.outputTypes; }

  const SessionState& state() const { return state_; }
  const WorkState& tracing() const { return tracing_; }
  /// Null until something was read.
  const session::SnapshotPtr& snapshot() const { return snapshot_; }
  /// The user's program, or null.
  fx::ProgramPtr program() const;
  bool hasProgram() const { return snapshot_ != nullptr; }
  /// While a run goes on: its stages that have ended, in order.
  const std::vector<std::shared_ptr<const lower::StageResult>>& endedStages() const { return endedStages_; }

 Q_SIGNALS:
  void stateChanged();
  /// Another program is open: ids of the one before mean nothing any more.
  void programChanged();
  /// The snapshot holds more, or other, results of the same program.
  void snapshotChanged();
  /// The stages of the open program are about to run again, for the target() of now.
  void runStarted();
  /// A stage of the run going on has ended; see endedStages().
  void stageEnded();
  void runFinished();
  void traceProgressed();
  void openFailed(const QString& file, const QString& message);

 private:
  void read(const QString& file, bool isReload);
  void advanceTo(session::Phase phase);
  void published(session::Phase phase, Result<session::SnapshotPtr> result);
  void setActivity(Activity activity, const QString& what, double fraction = -1);
  void watch(const QString& file);
  void setTracing(WorkState);
  /// What the last run said, and its trace.
  void forgetRun();

  session::Environment environment_;
  JobQueue& jobs_;
  Executor& executor_;
  session::Request request_;
  session::SnapshotPtr snapshot_;
  SessionState state_;
  WorkState tracing_;
  std::vector<std::shared_ptr<const lower::StageResult>> endedStages_;
  QFileSystemWatcher watcher_;
  std::uint64_t run_ = 0;  ///< tells stages of a superseded run from those of this one
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace fxs::ui
