// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/passes/op_origin_presenter.h"

#include <algorithm>
#include <utility>

#include "text/node_text.h"
#include "text/words.h"

namespace fxs::ui {

OpOriginPresenter::OpOriginPresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      passes_(services.get<PassPresenter>()),
      patterns_(services.get<PatternPresenter>()),
      finding_(services, WorkFor::View) {
  connect(&services.get<SelectionPresenter>(), &SelectionPresenter::changed, this,
          &OpOriginPresenter::follow);
  connect(&patterns_, &PatternPresenter::changed, this, &OpOriginPresenter::changed);
  connect(&passes_, &PassPresenter::traceChanged, this, [this] {
    if (op_ && trace_ != traceOf(op_->text)) show(*op_);
  });
}

Result<OpOriginPresenter::Origin> OpOriginPresenter::originOf(const trace::Trace& trace,
                                                              int snapshot, std::uint32_t line,
                                                              const RunContext& context) {
  const auto index = static_cast<std::size_t>(snapshot);
  FXS_TRY(const auto module, trace.open(index));
  const mlir::OpId op = module->module->opOfLine(line);
  Origin out;
  if (!op.valid()) return out;
  FXS_TRY(const auto steps, trace::cameFrom(trace, index, op, context));
  for (const trace::OpStep& step : steps) {
    FXS_TRY(const auto then, trace.open(static_cast<std::size_t>(step.snapshot)));
    const auto nodes = then->origins->of(step.op).nodes;
    out.steps.push_back({step,
                         std::string(then->module->nameOf(step.op)),
                         {nodes.begin(), nodes.end()},
                         then->module->op(step.op).firstLine});
  }
  FXS_TRY(const auto entries, trace::wentTo(trace, index, op, context));
  for (const trace::HistoryEntry& entry : entries) {
    FXS_TRY(const auto then, trace.open(static_cast<std::size_t>(entry.snapshot)));
    out.next.push_back(
        {entry, entry.after.empty() ? 0 : then->module->op(entry.after.front()).firstLine});
  }
  return out;
}

/// Whether the operation is of one of the nodes, if any are given.
bool OpOriginPresenter::isOf(const std::vector<fx::NodeId>& nodes, const std::vector<Step>& steps) {
  if (nodes.empty() || steps.empty()) return true;
  const std::vector<fx::NodeId>& own = steps.front().nodes;
  return std::find_first_of(own.begin(), own.end(), nodes.begin(), nodes.end()) != own.end();
}

trace::TracePtr OpOriginPresenter::traceOf(const ShownText& text) const {
  if (std::holds_alternative<StageId>(text) || std::holds_alternative<LastStage>(text))
    return passes_.programTrace();
  // Rewrites and comparisons do not say which operation came from which.
  const bool isTraced = passes_.listed() == Listed::Program || passes_.listed() == Listed::Variant;
  return isTraced ? passes_.trace() : nullptr;
}

int OpOriginPresenter::snapshotOf(const ShownText& text) const {
  const trace::TracePtr trace = traceOf(text);
  if (!trace) return -1;
  const lower::PassTrace& passes = trace->passes();
  if (const auto* stage = std::get_if<StageId>(&text))
    return stage->id == "raw" ? 0 : passes.lastOf(stage->id.toStdString());
  if (std::holds_alternative<LastStage>(text))
    return passes.stages.empty() ? -1 : passes.lastOf(passes.stages.back().id);
  if (const auto* handle = std::get_if<Handle>(&text))
    return *handle == Handle::From ? passes_.from() : passes_.to();
  const auto* snapshot = std::get_if<PassSnapshot>(&text);
  return snapshot == nullptr ? -1 : snapshot->index;
}

void OpOriginPresenter::follow(const Selection& selected) {
  const bool isOfText = selected.stage != ShownText() && !selected.nodes.empty();
  if (isOfText && snapshotOf(selected.stage) >= 0)
    return show({selected.stage, selected.line}, selected.nodes);
  if (!op_) return;
  op_.reset();
  origin_.reset();
  finding_.supersede();
  stopsThen_ = false;
  Q_EMIT changed();
  Q_EMIT appeared();
}

void OpOriginPresenter::stopWhenItChanges(const TextOp& op) {
  show(op);
  if (busy()) stopsThen_ = true;
  else if (!changeCondition().isEmpty()) Q_EMIT stopRequested(changeCondition());
}

void OpOriginPresenter::show(const TextOp& op, const std::vector<fx::NodeId>& nodes) {
  const int snapshot = snapshotOf(op.text);
  const bool isSame = op_ && op_->text == op.text && op_->line == op.line;
  if (isSame && trace_ == traceOf(op.text) && (origin_ || busy())) return;
  const bool isFirst = !op_;
  op_ = op;
  trace_ = traceOf(op.text);
  origin_.reset();
  reason_.clear();
  stopsThen_ = false;
  finding_.supersede();
  if (snapshot >= 0)
    finding_.start(
        [trace = trace_, snapshot, line = op.line](const RunContext& context) {
          return originOf(*trace, snapshot, line, context);
        },
        [this, nodes](Result<Origin> found) {
          if (!found) reason_ = text(found.error().message);
          else if (isOf(nodes, found->steps)) origin_ = *std::move(found);
          else reason_ = "The text differs from the module of the trace";
          Q_EMIT changed();
          if (std::exchange(stopsThen_, false) && !changeCondition().isEmpty())
            Q_EMIT stopRequested(changeCondition());
        });
  else reason_ = "The trace has no module for this text";
  Q_EMIT changed();
  if (isFirst) Q_EMIT appeared();
}

QString OpOriginPresenter::name() const {
  return origin_ && !origin_->steps.empty() ? text(origin_->steps.front().name) : QString();
}

QString OpOriginPresenter::message() const {
  if (busy()) return "Following it through the passes …";
  if (!origin_) return reason_;
  if (origin_->steps.empty()) return "No operation is on this line";
  const Step& step = origin_->steps.front();
  return text(trace::madeInText(trace_->passes(), step.step.made, patternOf(step).toStdString()));
}

QString OpOriginPresenter::patternOf(const Step& step) const {
  const lower::PassTrace& passes = trace_->passes();
  const int pass = passes.snapshots[static_cast<std::size_t>(step.step.made.made)].pass;
  if (step.nodes.empty()) return {};
  return patterns_.patternOf(step.nodes.front(), passes, pass, step.name, step.step.made.sources);
}

QString OpOriginPresenter::titleOf(int pass) const {
  if (pass < 0) return "import";
  return QString("%1 · %2").arg(pass + 1).arg(
      text(trace_->passes().passes[static_cast<std::size_t>(pass)].pass));
}

QString OpOriginPresenter::nodeText(const std::vector<fx::NodeId>& nodes) const {
  const fx::ProgramPtr program = session_.program();
  if (nodes.empty() || !program || nodes.front().index() >= program->nodes.size()) return {};
  const QString name = text(program->node(nodes.front()).name);
  const QString place = pythonPlace(*program, nodes.front());
  return place.isEmpty() ? name : name + " · " + place;
}

std::vector<OpHop> OpOriginPresenter::cameFrom() const {
  std::vector<OpHop> out;
  if (!origin_) return out;
  for (std::size_t i = 1; i < origin_->steps.size(); ++i) {
    const Step& step = origin_->steps[i];
    const int pass = trace_->passes().snapshots[static_cast<std::size_t>(step.step.made.made)].pass;
    const QString pattern = patternOf(step);
    out.push_back({pass, titleOf(pass),
                   text(step.name) + (pattern.isEmpty() ? QString() : ", by " + pattern),
                   nodeText(step.nodes), step.step.snapshot, step.line});
  }
  return out;
}

std::vector<OpHop> OpOriginPresenter::wentTo() const {
  std::vector<OpHop> out;
  if (!origin_) return out;
  for (const Next& next : origin_->next)
    out.push_back({next.entry.pass,
                   titleOf(next.entry.pass),
                   text(next.entry.message()),
                   {},
                   next.entry.snapshot,
                   next.line});
  return out;
}

QString OpOriginPresenter::changeCondition() const {
  if (!origin_ || origin_->steps.empty()) return {};
  const Step& step = origin_->steps.front();
  const auto snapshot = static_cast<std::size_t>(step.step.snapshot);
  return QString("op=%1 line=%2 after=%3 changes")
      .arg(text(step.name))
      .arg(trace_->origins(snapshot)->lineOf(step.step.op))
      .arg(trace_->passes().snapshots[snapshot].pass + 1);
}

}  // namespace fxs::ui
