// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/passes/stops_presenter.h"

#include <algorithm>

#include "text/words.h"

namespace fxs::ui {
namespace {

/// The first operation of a module that the stop is about; empty if there is none, or no node.
Result<Selection> opOf(const trace::Trace& trace, const trace::Stop& stop) {
  const bool isAfter = stop.snapshot >= 0 && !stop.opsAfter.empty();
  const int snapshot = isAfter ? stop.snapshot : stop.before;
  const std::vector<mlir::OpId>& ops = isAfter ? stop.opsAfter : stop.opsBefore;
  Selection out;
  if (snapshot < 0 || ops.empty()) return out;
  FXS_TRY(const auto module, trace.open(static_cast<std::size_t>(snapshot)));
  const auto nodes = module->origins->of(ops.front()).nodes;
  out.nodes.assign(nodes.begin(), nodes.end());
  out.stage = PassSnapshot{snapshot};
  out.line = module->module->op(ops.front()).firstLine;
  return out;
}

}  // namespace

Result<StopsPresenter::Stops> StopsPresenter::stopsOf(const trace::Trace& trace,
                                                      const trace::Condition& condition,
                                                      const RunContext& context) {
  Stops out;
  for (std::size_t from = 0; from < trace.passes().snapshots.size();) {
    FXS_TRY(const auto stop, trace::firstStop(trace, condition, from, context));
    if (!stop) break;
    FXS_TRY(Selection op, opOf(trace, *stop));
    out.push_back({*stop, std::move(op)});
    if (condition.event == trace::Event::Fails || stop->snapshot < 0) break;
    from = static_cast<std::size_t>(stop->snapshot) + 1;
  }
  return out;
}

StopsPresenter::StopsPresenter(Services& services)
    : passes_(services.get<PassPresenter>()),
      selection_(services.get<SelectionPresenter>()),
      finding_(services) {
  connect(&passes_, &PassPresenter::traceChanged, this, [this] {
    if (trace_ != passes_.trace()) find(false);
  });
  connect(&passes_, &PassPresenter::handlesChanged, this, &StopsPresenter::changed);
}

void StopsPresenter::setCondition(const QString& condition, bool thenGo) {
  const QString wanted = condition.trimmed();
  if (condition_ == wanted) {
    if (thenGo && !busy() && !wanted.isEmpty()) step(1);
    return;
  }
  condition_ = wanted;
  find(thenGo);
}

void StopsPresenter::find(bool thenGo) {
  stops_.clear();
  reason_.clear();
  trace_ = passes_.trace();
  finding_.supersede();
  const auto parsed = trace::conditionFrom(condition_.toStdString());
  wrong_ = !condition_.isEmpty() && !parsed;
  if (wrong_) reason_ = text(parsed.error().message);
  else if (!trace_) reason_ = "The passes have not been traced yet";
  if (parsed && trace_)
    finding_.start([trace = trace_, condition = *parsed](
                       const RunContext& context) { return stopsOf(*trace, condition, context); },
                   [this, thenGo](Result<Stops> found) {
                     wrong_ = !found;
                     if (found) stops_ = *std::move(found);
                     else reason_ = text(found.error().message);
                     Q_EMIT changed();
                     if (thenGo) step(1);
                   });
  Q_EMIT changed();
  if (thenGo && !condition_.isEmpty() && !busy()) Q_EMIT refused(reason_);
}

int StopsPresenter::current() const {
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    const trace::Stop& stop = stops_[i].stop;
    const bool isShown =
        stop.pass < 0 ? passes_.to() == 0 && passes_.pass() < 0 : passes_.pass() == stop.pass;
    if (isShown) return static_cast<int>(i);
  }
  return -1;
}

QString StopsPresenter::message() const {
  if (condition_.isEmpty()) return {};
  if (busy()) return "Searching …";
  if (!reason_.isEmpty()) return reason_;
  if (stops_.empty()) return "Never holds";
  const int at = current();
  return at < 0 ? counted(stops_.size(), "stop")
                : QString("Stop %1 of %2").arg(at + 1).arg(stops_.size());
}

void StopsPresenter::step(int direction) {
  if (condition_.isEmpty())
    return Q_EMIT refused("Write a condition first, such as op=linalg.* appears (Ctrl+F4)");
  if (busy()) return Q_EMIT refused("Searching the passes …");
  if (stops_.empty()) return Q_EMIT refused(message());
  // A pass that was not chosen counts as before the import.
  const int pass = passes_.pass() >= 0 || passes_.to() == 0 ? passes_.pass() : -2;
  if (direction > 0) {
    const auto next = std::find_if(stops_.begin(), stops_.end(),
                                   [&](const PassStop& each) { return each.stop.pass > pass; });
    return next == stops_.end() ? Q_EMIT refused("The condition holds at no later pass")
                                : go(*next);
  }
  const auto previous = std::find_if(stops_.rbegin(), stops_.rend(),
                                     [&](const PassStop& each) { return each.stop.pass < pass; });
  if (previous == stops_.rend()) return Q_EMIT refused("The condition holds at no earlier pass");
  go(*previous);
}

void StopsPresenter::go(const PassStop& stop) {
  if (stop.stop.pass < 0) {
    passes_.setToAfter(-1);
    passes_.setHandles(0, 0);
  } else {
    passes_.choose(stop.stop.pass);
  }
  Q_EMIT stopped();
  const bool hasNodes = passes_.listed() == Listed::Program || passes_.listed() == Listed::Variant;
  if (!stop.op.nodes.empty() && hasNodes) selection_.select(stop.op);
}

}  // namespace fxs::ui
