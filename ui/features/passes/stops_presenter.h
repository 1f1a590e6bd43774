// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The passes of the trace at which a condition holds; see core/trace/condition.h. Found in a job
// when the condition or the trace changes. Going to one sets the handles to the modules before and
// after it, and selects the operations that the condition is about. Within the pass of a stop, the
// rewrites of its node are stops too: they are listed as passes are, and stepping past them
// returns.
#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "features/passes/pass_presenter.h"
#include "features/passes/pattern_presenter.h"
#include "session/selection_presenter.h"
#include "trace/stop.h"

namespace fxs::ui {

class StopsPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit StopsPresenter(Services& services);

  const QString& condition() const { return condition_; }
  /// "" for none. With `thenGo`, goes to the first stop after the current pass once it is found.
  void setCondition(const QString& condition, bool thenGo = false);
  /// Goes to the next (1) or previous (-1) stop, seen from the current pass; says so if there is
  /// none.
  void step(int direction);
  /// Goes to the first rewrite in the pass of the shown stop at which the condition holds, once the
  /// engine has said which patterns it tried on the node; refused() if there is none.
  void intoPass();
  bool busy() const { return finding_.running(); }
  std::size_t count() const { return stops_.size(); }
  /// "2 stops", "stop 1 of 2", "never holds", or what is wrong with the condition; "" without one.
  QString message() const;
  bool isWrong() const { return wrong_; }

 Q_SIGNALS:
  /// condition() or message() changed.
  void changed();
  /// There is no stop in that direction, or no condition: `message` says so.
  void refused(const QString& message);
  /// It went to a stop.
  void stopped();

 private:
  /// A stop, and the operation that it is about first: its snapshot, nodes and 0-based line.
  struct PassStop {
    trace::Stop stop;
    Selection op;
  };
  using Stops = std::vector<PassStop>;
  static Result<Stops> stopsOf(const trace::Trace& trace, const trace::Condition& condition,
                               const RunContext& context);
  /// A step to the first stop that the direction has from a pass.
  struct Step {
    int from = -1;
    int direction = 1;
  };
  void find(const std::optional<Step>& then);
  /// False if there is none.
  bool go(const Step& step);
  void refuse(int direction);
  void show(const PassStop& stop);
  void listRewrites();
  /// Goes on among the passes, from the one whose rewrites are listed.
  void leavePass(int direction);
  int shownPass() const;
  /// The rewrites of a pass that has a stop are listed.
  bool isInPass() const { return rewrites_ && rewrites_ == passes_.trace(); }
  /// Index in stops_ of the one whose modules the handles show; -1 for none.
  int current() const;
  PassPresenter& passes_;
  SelectionPresenter& selection_;
  PatternPresenter& patterns_;
  QString condition_;
  bool wrong_ = false;
  QString reason_;  ///< why there are no stops
  Stops stops_;
  trace::TracePtr trace_;  ///< of stops_
  struct Asked {
    int pass;
    fx::NodeId node;
  };
  std::optional<Asked> asked_;  ///< the pass whose rewrites of the node are wanted
  /// The rewrites that are listed, and the pass that they are in.
  trace::TracePtr rewrites_;
  lower::StepsOfPass steps_;
  int pass_ = -1;
  std::optional<Step> then_;  ///< once the stops of the next trace are found
  Task<Result<Stops>> finding_;
};

}  // namespace fxs::ui
