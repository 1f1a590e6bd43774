// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Where the selected operation of a text comes from: the pass that made it and the one that changed
// it last, what it was made of, back to the import, and what it becomes. Computed from the trace in
// a job when an operation is selected; patterns are named once those of its node were asked for.
#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "features/passes/pass_presenter.h"
#include "features/passes/pattern_presenter.h"
#include "session/op_commands.h"
#include "session/selection_presenter.h"
#include "trace/made_in.h"

namespace fxs::ui {

/// An operation on the way, or what it becomes.
struct OpHop {
  int pass = -1;           ///< that made it, or changed it; -1: the import
  QString title;           ///< "10 · convert-torch-to-linalg", "import"
  QString message;         ///< "torch.aten.mm, by DecomposeAtenAddmmOp"
  QString node;            ///< "addmm · addmm.py:12"; "" if it has none
  int snapshot = -1;       ///< a module that has it
  std::uint32_t line = 0;  ///< in its text, 0-based
};

class OpOriginPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit OpOriginPresenter(Services& services);

  /// An operation is selected, and its origin is known or is being found.
  bool hasOp() const { return op_.has_value(); }
  bool busy() const { return finding_.running(); }
  /// Of the snapshots of hops.
  const trace::TracePtr& trace() const { return trace_; }
  /// "linalg.matmul"; "" until it is known.
  QString name() const;
  /// "made in pass 12 (convert-torch-to-linalg) by ConvertAtenMmOp; last changed in 13
  /// (canonicalize)", or why that is not known.
  QString message() const;
  std::vector<OpHop> cameFrom() const;
  std::vector<OpHop> wentTo() const;
  /// Null if there is none that the origins of its operations are known of.
  trace::TracePtr traceOf(const ShownText& text) const;
  /// Of the text in traceOf(); -1 if there is none.
  int snapshotOf(const ShownText& text) const;
  /// Whether the text has modules in the trace.
  bool canShow(const TextOp& op) const { return snapshotOf(op.text) >= 0; }
  /// `nodes`: those of the line, if they are known.
  void show(const TextOp& op, const std::vector<fx::NodeId>& nodes = {});
  /// Emits stopRequested() once the operation is known.
  void stopWhenItChanges(const TextOp& op);

 Q_SIGNALS:
  void changed();
  /// hasOp() changed.
  void appeared();
  /// A condition that holds where this very operation changes: "op=linalg.matmul line=9 after=12
  /// changes".
  void stopRequested(const QString& condition);

 private:
  struct Step {
    trace::OpStep step;
    std::string name;
    std::vector<fx::NodeId> nodes;
    std::uint32_t line = 0;
  };
  struct Next {
    trace::HistoryEntry entry;
    std::uint32_t line = 0;
  };
  struct Origin {
    std::vector<Step> steps;  ///< the operation first
    std::vector<Next> next;
  };
  static Result<Origin> originOf(const trace::Trace& trace, int snapshot, std::uint32_t line,
                                 const RunContext& context);
  static bool isOf(const std::vector<fx::NodeId>& nodes, const std::vector<Step>& steps);
  void follow(const Selection& selected);
  QString patternOf(const Step& step) const;
  QString changeCondition() const;
  QString titleOf(int pass) const;
  QString nodeText(const std::vector<fx::NodeId>& nodes) const;

  SessionPresenter& session_;
  PassPresenter& passes_;
  PatternPresenter& patterns_;
  std::optional<TextOp> op_;
  trace::TracePtr trace_;  ///< of origin_
  std::optional<Origin> origin_;
  QString reason_;
  bool stopsThen_ = false;  ///< when it is known
  Task<Result<Origin>> finding_;
};

}  // namespace fxs::ui
