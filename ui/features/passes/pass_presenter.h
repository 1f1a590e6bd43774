#pragma once
// The passes of the open program's lowering, and the two snapshots between which one looks at differences. A snapshot is read,
// and a difference made, by a job; selecting a pass chooses the module before it and the module after it.
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
  int pass = -1;  ///< of PassTrace::passes
  QString stage, name, options, anchor;
  bool ran = true, changed = false, failed = false;
  std::optional<std::chrono::duration<double>> seconds;
  int snapshot = -1;                   ///< the module after it
  int before = -1;                     ///< the module before it
  std::optional<QString> difference;   ///< "+ 12  − 3"; not known yet, or nothing to compare
  std::size_t added = 0, removed = 0;  ///< of `difference`
};

class PassPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit PassPresenter(JobQueue& jobs, QObject* parent = nullptr);

  /// Null: none. The handles are let go, unless it is the same trace.
  void setTrace(trace::TracePtr trace);
  void setState(WorkState state);
  /// The trace in the list: that of the program, or the rewrites of one node.
  const trace::TracePtr& trace() const { return trace_; }
  const trace::TracePtr& programTrace() const { return program_; }
  bool showsRewrites() const { return trace_ != program_; }
  /// The rewrites of a node instead of the program's passes, and back.
  void showRewrites(trace::TracePtr rewrites);
  void showProgram();
  const WorkState& state() const { return state_; }

  const std::vector<PassRow>& passes() const { return passes_; }
  /// Those that the filter and "hide unchanged" leave, as indices of passes().
  std::vector<int> shown() const;
  const QString& filter() const { return filter_; }
  void setFilter(const QString& filter);
  bool hidesUnchanged() const { return hideUnchanged_; }
  void setHideUnchanged(bool on);

  /// The handles, as snapshots; -1 while none is chosen.
  int from() const { return from_; }
  int to() const { return to_; }
  /// The pass last chosen; -1 for none.
  int pass() const { return pass_; }
  /// The module before the pass and the module after it; one that did not run leaves the handles where they are.
  void choose(int pass);
  /// One handle alone: the module after the pass, and -1 the module before the first.
  void setFromAfter(int pass);
  void setToAfter(int pass);
  void setHandles(int from, int to);
  /// To the next (1) or the previous (-1) pass that changed something or failed; false when there is none.
  bool step(int direction);

  std::size_t snapshotCount() const { return trace_ ? trace_->passes().snapshots.size() : 0; }
  /// By the pass that made it: "3 · canonicalize", "before the first pass"; "failed in 7 · .." of the module at a failure.
  QString titleOf(int snapshot) const;
  /// Null until it is read, which asking for it begins; see snapshotReady().
  std::shared_ptr<const StageText> textOf(int snapshot);
  QString problemOf(int snapshot) const;
  /// How much passes changed is still being found out, one after another.
  bool counting() const { return counted_ < passes_.size(); }
  /// A snapshot or a difference is still being made.
  bool busy() const { return reading_ > 0 || diffing_; }

  /// Between the handles; null until it is made, or when there is none to make.
  const std::shared_ptr<const DiffView>& diff() const { return diff_; }
  /// Whether panes mark the differences.
  bool showsDiff() const { return showDiff_; }
  void setShowDiff(bool on);
  /// The change that was gone to; -1 for none.
  int change() const { return change_; }
  /// To the next or previous change, around the end; -1 when nothing differs.
  int stepChange(int direction);

 Q_SIGNALS:
  void traceChanged();
  void stateChanged();
  /// Rows, or which of them are shown.
  void passesChanged();
  void handlesChanged();
  /// A pass was chosen, the one before perhaps: whoever shows the handles shows them.
  void chosen();
  void snapshotReady(int snapshot);
  void diffChanged();
  void changeChanged(int change);

 private:
  struct Text {
    std::shared_ptr<const StageText> text;
    QString problem;
    std::uint64_t used = 0;
    bool reading = false;
  };
  void show(trace::TracePtr trace);
  void makeDiff();
  void countNext();
  void forget();

  JobQueue& jobs_;
  trace::TracePtr program_, trace_;
  WorkState state_;
  std::vector<PassRow> passes_;
  QString filter_;
  bool hideUnchanged_ = false;
  int from_ = -1, to_ = -1, pass_ = -1;
  std::map<int, Text> texts_;
  std::uint64_t clock_ = 0;
  int reading_ = 0;
  bool diffing_ = false;
  std::shared_ptr<const DiffView> diff_;
  bool showDiff_ = true;
  int change_ = -1;
  std::size_t counted_ = 0;  ///< passes whose difference was looked at
};

}  // namespace fxs::ui
