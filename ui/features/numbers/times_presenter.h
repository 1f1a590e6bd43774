// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How long the nodes of the open program take: its text at the session's output type is run on
// request, as a job, by an executor that measures. Nodes that the executor fuses into one share its
// time. Dropped when the program is lowered again.
#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <vector>

#include "numbers/run.h"
#include "session/colourings.h"
#include "session/session_presenter.h"

namespace fxs::ui {

using DispatchTimesPtr = std::shared_ptr<const numbers::DispatchTimes>;
/// Measures a snapshot's program at its output type: sessionMeasurer(), or a test double.
using Measurer =
    std::function<Result<DispatchTimesPtr>(const session::SnapshotPtr&, const RunContext&)>;
Measurer sessionMeasurer(session::Environment environment);

class TimesPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit TimesPresenter(Services& services);

  /// Measures, unless it did or does.
  void measure();
  void cancel() { task_.cancel(); }
  const WorkState& state() const { return task_.state(); }
  bool known() const { return times_ != nullptr; }
  /// By node of the user's program: the share, 0..1, of the whole time that everything that
  /// computes it takes.
  const std::vector<double>& shares() const { return shares_; }
  /// "38 µs with IREE 3.13.0"; what is going on, or why nothing is known, otherwise.
  QString summary() const;
  /// "12 % of 38 µs: main_dispatch_3 (with relu, add)", a line each; "" if nothing is known.
  QString textOf(fx::NodeId node) const;

 Q_SIGNALS:
  /// state(), shares() and summary() changed.
  void changed();

 private:
  void drop();
  void take(DispatchTimesPtr times);

  SessionPresenter& session_;
  Measurer measurer_;
  DispatchTimesPtr times_;
  std::chrono::duration<double> all_{0};
  std::vector<double> shares_;
  Task<Result<DispatchTimesPtr>> task_;
};

}  // namespace fxs::ui
