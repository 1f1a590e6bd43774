// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The passes of the trace at which a condition holds; see core/trace/condition.h. Found in a job
// when the condition or the trace changes. Going to one sets the handles to the modules before and
// after it, and selects the operations that the condition is about.
#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "features/passes/pass_presenter.h"
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
  void find(bool thenGo);
  void go(const PassStop& stop);
  /// Index in stops_ of the one whose modules the handles show; -1 for none.
  int current() const;
  PassPresenter& passes_;
  SelectionPresenter& selection_;
  QString condition_;
  bool wrong_ = false;
  QString reason_;  ///< why there are no stops
  Stops stops_;
  trace::TracePtr trace_;  ///< of stops_
  Task<Result<Stops>> finding_;
};

}  // namespace fxs::ui
