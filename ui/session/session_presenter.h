// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The open program: reads, lowers, reloads and cancels, and watches the file. Every step runs as a
// job and publishes a new immutable Snapshot, so that the graph appears long before the last stage.
// If a file cannot be read, the open program stays open.
#include <QDateTime>
#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <set>
#include <string>

#include "bundle/manifest.h"
#include "session/services.h"
#include "session/task.h"

namespace fxs::ui {

enum class Activity : std::uint8_t { Idle, Reading, Lowering };

struct SessionState {
  Activity activity = Activity::Idle;
  QString file;                ///< open, or being read
  QString step;                ///< current step: "lowering to tosa"
  double fraction = -1;        ///< progress, 0..1; negative if unknown
  bool changedOnDisk = false;  ///< and is complete: nobody is writing it any more
  bool cancelled = false;      ///< the user cancelled the last run, of which a part may be done
  QString engineProblem;  ///< why nothing was lowered, and what to do about it; "" if an engine ran
  QString stepProblem;    ///< error of a step after reading; "" for none
};

/// How a program is lowered, whatever the output type.
struct LoweringChoices {
  std::set<std::string> decompose = {};  ///< as rewrite::RewriteOptions::decompose
  import::ImportChoices import = {};     ///< without asTorchMlir
  std::string extraLibrary = {};         ///< this and the next three: as in lower::LowerOptions
  std::set<std::string> backendLegalOps = {};
  bool allowNonFinites = true;
  lower::Limits limits = {};
  bool operator==(const LoweringChoices&) const = default;
};

class SessionPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit SessionPresenter(Services& services);

  /// `model`: of read::Capture::models; "" for the first.
  void open(const QString& file, const QString& model = {});
  /// Another of Capture::models of the open file: a part of a text, a model of an archive.
  void openModel(const QString& model);
  void reload();
  /// Goes on with what was read, until the file changes again.
  void ignoreChange();
  /// Reloads by itself whenever the file changed and is complete, but while isEdited().
  void setWatching(bool);
  bool isWatching() const { return isWatching_; }
  /// A text of the program is being edited, which reloading would discard.
  void setEdited(bool);
  bool isEdited() const { return isEdited_; }
  /// Lowers the program to the target again, without reading the file again.
  void run();
  void cancel();
  /// Traces every pass of the last lowering, in a separate job. Does nothing while a trace is
  /// running.
  void trace();
  void cancelTrace();
  void setTarget(const lower::OutputType&);
  /// Lowers as torch_mlir.fx.export_and_import does, and no more: diagnose::asTorchMlir().
  void setAsTorchMlir(bool);
  bool asTorchMlir() const { return request_.import.asTorchMlir; }
  /// Takes effect in the next run, or when a file is opened.
  void setChoices(LoweringChoices choices);
  const LoweringChoices& choices() const { return choices_; }
  /// Of a module, reached from the module.
  lower::OutputType target() const;
  const lower::OutputTypes& outputTypes() const { return environment_.outputTypes; }

  const SessionState& state() const { return state_; }
  const WorkState& tracing() const { return tracing_.state(); }
  /// Null until a file was read.
  const session::SnapshotPtr& snapshot() const { return snapshot_; }
  /// The user's program, or null.
  fx::ProgramPtr program() const;
  bool hasProgram() const { return snapshot_ != nullptr; }
  /// The program is what was open before, read again: nodes may have kept their names.
  bool isReadAgain() const { return isReadAgain_; }
  /// Of the bundle that is open, which is lowered to its own output type; else null.
  const std::shared_ptr<const bundle::Manifest>& bundleManifest() const { return bundle_; }
  /// The trace was opened as a file: the program was not lowered here.
  bool showsTraceFile() const;
  /// Why there is no failure to export or to reduce now; "" if there is one.
  QString noFailure() const;
  /// During a run, the stages that have ended, in order.
  const std::vector<std::shared_ptr<const lower::StageResult>>& endedStages() const {
    return endedStages_;
  }

 Q_SIGNALS:
  void stateChanged();
  /// Another program is open: ids of the previous one are invalid.
  void programChanged();
  /// snapshot() has more, or other, results for the same program.
  void snapshotChanged();
  /// The stages of the open program are about to run again, for target().
  void runStarted();
  /// A stage of the current run has ended; see endedStages().
  void stageEnded();
  void runFinished();
  void traceProgressed();
  void openFailed(const QString& file, const QString& message);

 private:
  /// What a file that is written or replaced changes; of none a size of -1.
  struct FileStamp {
    qint64 size = -1;
    QDateTime modified = {};
    bool operator==(const FileStamp&) const = default;
  };
  static FileStamp stampOf(const QString& file);
  void read(const QString& file, const std::string& model, bool isReload);
  /// Puts choices_ into request_.
  void choose(bool asTorchMlir);
  void take(const session::SnapshotPtr& snapshot);
  void takeChoices(session::Request& request) const;
  void advanceTo(session::Phase phase);
  void readFailed(const QString& file, const Error& error);
  void published(session::Phase phase, Result<session::SnapshotPtr> result);
  /// Says that a run ended, and traces it unless it was cancelled.
  void endRun();
  void becomeIdle();
  void watch(const QString& file);
  void lookAtDisk();
  void setChangedOnDisk(bool isChanged);
  void reloadWatched();
  /// Drops the results and errors of the last run, and its trace.
  void forgetRun();

  session::Environment environment_;
  LoweringChoices choices_;
  session::Request request_;
  lower::OutputType listed_;  ///< the last target of the table: a pipeline is that of one file
  session::SnapshotPtr snapshot_;
  std::shared_ptr<const bundle::Manifest> bundle_;
  SessionState state_;
  std::vector<std::shared_ptr<const lower::StageResult>> endedStages_;
  bool isReadAgain_ = false, isWatching_ = false, isEdited_ = false;
  QFileSystemWatcher watcher_;
  QTimer settling_;              ///< runs while the file may still be written
  FileStamp read_, seenOnDisk_;  ///< of what is open; when it was looked at last
  Task<Result<session::SnapshotPtr>> advancing_, tracing_;
};

/// A program is open, lowered, traced and laid out, and every text is ready.
bool settled(Services& services);

}  // namespace fxs::ui
