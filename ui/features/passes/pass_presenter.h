// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The passes of the open program's lowering, and two handles, A (from) and B (to), that choose the
// snapshots to compare. Choosing a pass sets them to the modules before and after it. Snapshots are
// read and compared in jobs.
#include <QObject>
#include <QString>
#include <map>
#include <optional>
#include <vector>

#include "session/session_presenter.h"
#include "text/diff_view.h"
#include "trace/provenance.h"

namespace fxs::ui {

struct PassRow {
  int pass = -1;  ///< index into PassTrace::passes
  QString stage, name, options, anchor;
  bool ran = true, changed = false;
  bool failed = false;   ///< the pipeline stopped in it, by what `status` says
  bool skipped = false;  ///< the lowering leaves it out
  bool unknown = false;  ///< what it did to the module is not known
  lower::StageStatus status = lower::StageStatus::Ok;
  std::optional<std::chrono::duration<double>> seconds;
  int snapshot = -1;  ///< index of the module after it; -1 if there is none
  int before = -1;    ///< index of the module before it; -1 if there is none
  std::optional<QString>
      difference;  ///< "+ 12  − 3"; nullopt if not known yet, or nothing to compare
  std::size_t added = 0, removed = 0;  ///< operations, of `difference`
};

/// What the trace shown is of: the program, the rewrites of one node, an edited lowering, or the
/// stages of two lowerings, each after its counterpart.
enum class Listed : std::uint8_t { Program, Rewrites, Variant, Comparison };

class PassPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit PassPresenter(Services& services);

  /// Sets the program's trace; may be null. Resets the handles unless it is the same trace.
  void setTrace(trace::TracePtr trace);
  const trace::TracePtr& trace() const { return trace_; }
  Listed listed() const { return listed_; }
  const trace::TracePtr& programTrace() const { return program_; }
  bool showsRewrites() const { return listed_ == Listed::Rewrites; }
  /// Switches to another trace, and back to the program's.
  void showOther(trace::TracePtr other, Listed listed);
  void showProgram();
  const WorkState& state() const { return session_.tracing(); }

  const std::vector<PassRow>& passes() const { return passes_; }
  /// Indices of the passes left by the filter and by "hide unchanged".
  std::vector<int> shown() const;
  const QString& filter() const { return filter_; }
  void setFilter(const QString& filter);
  bool hidesUnchanged() const { return hideUnchanged_; }
  void setHideUnchanged(bool on);

  /// The handles, as snapshot indices; -1 while unset.
  int from() const { return from_; }
  int to() const { return to_; }
  /// Index of the pass chosen last; -1 for none.
  int pass() const { return pass_; }
  /// Sets the handles to the modules before and after a pass; a pass that did not run leaves them
  /// unchanged.
  void choose(int pass);
  /// Sets one handle to the module after a pass; -1 is the module before the first pass.
  void setFromAfter(int pass);
  void setToAfter(int pass);
  void setHandles(int from, int to);
  /// Chooses the next (1) or previous (-1) pass that changed the module or failed; false if there
  /// is none.
  bool step(int direction);

  std::size_t snapshotCount() const { return trace_ ? trace_->passes().snapshots.size() : 0; }
  /// "3 · canonicalize", "before the first pass", or "failed in 7 · .." or "stopped in 7 · .." for
  /// the module where the pipeline stopped.
  QString titleOf(int snapshot) const;
  /// The text of a snapshot. Null until it is read: the first call starts the job; see
  /// snapshotReady().
  std::shared_ptr<const StageText> textOf(int snapshot);
  /// Why a snapshot cannot be read; "" otherwise.
  QString problemOf(int snapshot) const;
  /// Some PassRow::difference are still being computed.
  bool counting() const { return counted_ < passes_.size(); }
  /// A snapshot is being read, or the handles compared.
  bool busy() const;

  /// The difference between the handles; null until computed, or while a handle is unset.
  const std::shared_ptr<const DiffView>& diff() const { return diff_; }
  /// Whether panes mark the differences.
  bool showsDiff() const { return showDiff_; }
  void setShowDiff(bool on);
  /// Which differences are left out.
  const DiffOptions& diffOptions() const { return diffOptions_; }
  void setDiffOptions(const DiffOptions& options);
  /// Index of the current change in diff(); -1 for none.
  int change() const { return change_; }
  /// Goes to the next (1) or previous (-1) change, wrapping around; returns change(), or -1 if
  /// there are none.
  int stepChange(int direction);

 Q_SIGNALS:
  void traceChanged();
  void stateChanged();
  /// passes() or shown() changed.
  void passesChanged();
  void handlesChanged();
  /// choose() was called, perhaps for the same pass: views should show the handles.
  void chosen();
  void snapshotReady(int snapshot);
  void diffChanged();
  void changeChanged(int change);

 private:
  struct ReadText {
    std::shared_ptr<const StageText> text;
    QString problem;
  };
  struct Counted {
    bool known = false;
    QString summary;
    std::size_t added = 0, removed = 0;
  };
  static ReadText readSnapshot(const trace::Trace& trace, int snapshot);
  struct Text {
    explicit Text(Services& services) : reading(services, WorkFor::View) {}
    std::shared_ptr<const StageText> text;
    QString problem;
    std::uint64_t used = 0;  ///< clock_ at the last use
    Task<ReadText> reading;
  };
  void show(trace::TracePtr trace, Listed listed);
  void makeDiff();
  void countNext();
  void forget();

  Services& services_;
  SessionPresenter& session_;
  trace::TracePtr program_, trace_;
  Listed listed_ = Listed::Program;
  std::vector<PassRow> passes_;
  QString filter_;
  bool hideUnchanged_ = false;
  int from_ = -1, to_ = -1, pass_ = -1;
  std::map<int, Text> texts_;
  std::uint64_t clock_ = 0;
  Task<std::shared_ptr<const DiffView>> diffing_;
  std::shared_ptr<const DiffView> diff_;
  bool showDiff_ = true;
  DiffOptions diffOptions_;
  int change_ = -1;
  std::size_t counted_ = 0;  ///< passes whose difference was computed
  Task<Counted> counting_;
};

}  // namespace fxs::ui
