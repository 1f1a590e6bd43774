// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/passes/stops_presenter.h"

#include <algorithm>
#include <utility>

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
  out.origin = Origin::Stage;
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
      patterns_(services.get<PatternPresenter>()),
      finding_(services) {
  connect(&passes_, &PassPresenter::traceChanged, this, [this] {
    if (trace_ != passes_.trace()) find(std::exchange(then_, std::nullopt));
  });
  connect(&patterns_, &PatternPresenter::changed, this, [this] {
    if (asked_ && !patterns_.asking()) listRewrites();
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
  find(thenGo ? std::optional(Step{shownPass(), 1}) : std::nullopt);
}

void StopsPresenter::find(const std::optional<Step>& then) {
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
                   [this, then](Result<Stops> found) {
                     wrong_ = !found;
                     if (found) stops_ = *std::move(found);
                     else reason_ = text(found.error().message);
                     Q_EMIT changed();
                     if (then && !go(*then)) refuse(then->direction);
                   });
  Q_EMIT changed();
  if (then && !condition_.isEmpty() && !busy()) Q_EMIT refused(reason_);
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
  if (go({shownPass(), direction})) return;
  if (isInPass()) leavePass(direction);
  else refuse(direction);
}

void StopsPresenter::refuse(int direction) {
  if (!reason_.isEmpty()) return Q_EMIT refused(reason_);
  if (isInPass()) return Q_EMIT refused("The condition holds at no rewrite of this pass");
  if (stops_.empty()) return Q_EMIT refused(message());
  Q_EMIT refused(direction > 0 ? "The condition holds at no later pass"
                               : "The condition holds at no earlier pass");
}

int StopsPresenter::shownPass() const {
  // A pass that was not chosen counts as before the import.
  return passes_.pass() >= 0 || passes_.to() == 0 ? passes_.pass() : -2;
}

bool StopsPresenter::go(const Step& step) {
  const auto isInDirection = [&](const PassStop& each) {
    const int pass = each.stop.pass;
    // The other rewrites of the node are those of other passes.
    if (isInPass() &&
        (pass < static_cast<int>(steps_.first) || pass >= static_cast<int>(steps_.end)))
      return false;
    return step.direction > 0 ? pass > step.from : pass < step.from;
  };
  const PassStop* found = nullptr;
  if (step.direction > 0) {
    const auto next = std::find_if(stops_.begin(), stops_.end(), isInDirection);
    if (next != stops_.end()) found = &*next;
  } else {
    const auto previous = std::find_if(stops_.rbegin(), stops_.rend(), isInDirection);
    if (previous != stops_.rend()) found = &*previous;
  }
  if (found != nullptr) show(*found);
  return found != nullptr;
}

void StopsPresenter::show(const PassStop& stop) {
  if (stop.stop.pass < 0) {
    passes_.setToAfter(-1);
    passes_.setHandles(0, 0);
  } else {
    passes_.choose(stop.stop.pass);
  }
  Q_EMIT stopped();
  Selection op = stop.op;
  if (op.nodes.empty() || passes_.listed() == Listed::Comparison) return;
  // The rewrites are those of the selected node.
  if (passes_.showsRewrites()) op.nodes = {selection_.current().inspected()};
  if (op.nodes.front().valid()) selection_.select(op);
}

void StopsPresenter::intoPass() {
  const int at = current();
  if (passes_.listed() != Listed::Program)
    return Q_EMIT refused("Return to the passes first (Ctrl+Alt+0)");
  if (at < 0) return Q_EMIT refused("Go to a stop first (F4)");
  const PassStop& stop = stops_[static_cast<std::size_t>(at)];
  if (stop.stop.pass < 0) return Q_EMIT refused("The import has no rewrites");
  if (stop.op.nodes.empty()) return Q_EMIT refused("The operations of this stop have no node");
  selection_.select(stop.op);
  asked_ = Asked{stop.stop.pass, stop.op.node()};
  if (patterns_.asked()) listRewrites();
  else patterns_.ask();
}

void StopsPresenter::listRewrites() {
  const Asked asked = *std::exchange(asked_, std::nullopt);
  // Something else may be wanted by now.
  if (!patterns_.asked() || passes_.listed() != Listed::Program ||
      selection_.current().inspected() != asked.node)
    return;
  if (!patterns_.rewrites())
    return Q_EMIT refused("The rewrites of this node cannot be stepped through");
  const lower::StepsOfPass steps = patterns_.rewritesOf(trace_->passes(), asked.pass);
  if (steps.first == steps.end) return Q_EMIT refused("The pass has no rewrites of this node");
  rewrites_ = patterns_.rewrites();
  steps_ = steps;
  pass_ = asked.pass;
  const int first = static_cast<int>(steps.first);
  then_ = Step{first - 1, 1};
  passes_.showOther(rewrites_, Listed::Rewrites);
  passes_.choose(first);
}

void StopsPresenter::leavePass(int direction) {
  rewrites_.reset();
  then_ = Step{pass_, direction};
  passes_.showProgram();
}

}  // namespace fxs::ui
