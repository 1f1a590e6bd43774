// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/graph/op_graph_presenter.h"

#include <algorithm>

#include "session/session_presenter.h"

namespace fxs::ui {

OpGraphPresenter::OpGraphPresenter(Services& services)
    : stages_(services.get<StagePresenter>()),
      session_(services.get<SessionPresenter>()),
      graph_(services),
      making_(services, WorkFor::View),
      linking_(services, WorkFor::View) {
  connect(&stages_, &StagePresenter::textChanged, this, [this](const ShownText& id) {
    if (chosen_ && stages_.resolved(*chosen_) == id) refresh();
  });
  connect(&stages_, &StagePresenter::stagesChanged, this, [this] {
    Q_EMIT choicesChanged();
    refresh();
  });
  connect(&stages_.passes(), &PassPresenter::handlesChanged, this, [this] {
    Q_EMIT choicesChanged();
    refresh();
  });
  connect(&stages_.passes(), &PassPresenter::diffChanged, this, &OpGraphPresenter::changesChanged);
  connect(&session_, &SessionPresenter::programChanged, this, [this] {
    text_.reset();
    opsText_.reset();
    ops_ = {};
    difference_.reset();
    linked_.reset();
    series_.clear();
    making_.supersede();
    linking_.supersede();
    graph_.show(nullptr);
    refresh();
  });
}

void OpGraphPresenter::choose(std::optional<ShownText> text) {
  if (chosen_ == text) return;
  chosen_ = std::move(text);
  if (chosen_) stages_.want(*chosen_);
  Q_EMIT chosenChanged();
  refresh();
}

void OpGraphPresenter::toggle(const ShownText& text) {
  if (chosen_) return choose(std::nullopt);
  const auto known = stages_.textOf(text);
  if (std::holds_alternative<PassSnapshot>(text) || stages_.showsHandles()) choose(Handle::To);
  else choose(known && known->open ? text : stages_.resolved(LastStage{}));
}

std::vector<std::pair<ShownText, QString>> OpGraphPresenter::choices() const {
  std::vector<std::pair<ShownText, QString>> out;
  for (const Stage& stage : stages_.stages())
    if (const auto text = stages_.textOf(stage.id); text && text->open)
      out.emplace_back(stage.id, stage.title);
  for (const Stage& other : stages_.others()) {
    const auto text = stages_.textOf(other.id);
    const bool runsWhenChosen =
        std::holds_alternative<Alternative>(other.id) && stages_.canWant(other.id);
    if (text ? text->open != nullptr : runsWhenChosen) out.emplace_back(other.id, other.title);
  }
  if (const PassPresenter& passes = stages_.passes(); passes.trace()) {
    out.emplace_back(Handle::From, passes.from() < 0 ? QString("A: before the selected pass")
                                                     : "A  " + passes.titleOf(passes.from()));
    out.emplace_back(Handle::To, passes.to() < 0 ? QString("B: after the selected pass")
                                                 : "B  " + passes.titleOf(passes.to()));
  }
  return out;
}

void OpGraphPresenter::refresh() {
  if (!chosen_ || !session_.program()) return;
  link();
  const ShownText shown = stages_.resolved(*chosen_);
  const std::shared_ptr<const StageText> text = stages_.textOf(shown);
  if (!text || !text->open) {
    // A lowering that runs again has no text for a moment: what is drawn stays, under the message.
    const Stage* stage = stages_.stage(shown);
    if (!stage) return setMessage({});
    return setMessage(stage->note.isEmpty() ? stage->title + " …"
                                            : stage->title + ": " + stage->note);
  }
  setMessage({});
  if (text == text_) return;
  text_ = text;
  making_.start(
      [text, program = session_.program()](const RunContext& context) {
        return trace::opGraph(*text->open, *program, context);
      },
      [this](trace::OpGraph made) {
        ops_ = std::move(made);
        opsText_ = text_;
        Q_EMIT operationsChanged();
        draw();
      });
}

void OpGraphPresenter::link() {
  const trace::TracePtr& trace = stages_.passes().trace();
  if (linked_ == trace || !chosen_ ||
      !std::holds_alternative<PassSnapshot>(stages_.resolved(*chosen_)))
    return;
  linked_ = trace;
  series_.clear();
  linking_.start(
      [trace, program = session_.program()](const RunContext& context) {
        return trace::graphSeries(
            trace->passes().snapshots.size(), [&](std::size_t i) { return trace->open(i); },
            *program, context);
      },
      [this](Result<std::vector<trace::GraphSeries>> made) {
        const bool isMade = made.has_value();
        if (isMade) series_ = *std::move(made);  // else each module is drawn by itself
        if (isMade && !making_.running() && ops_.program && chosen_ &&
            std::holds_alternative<PassSnapshot>(stages_.resolved(*chosen_)))
          draw();
      });
}

void OpGraphPresenter::draw() {
  // The program is shown again, perhaps, while the operations were made.
  const ShownText shown = chosen_ ? stages_.resolved(*chosen_) : ShownText(LastStage{});
  if (const auto* snapshot = std::get_if<PassSnapshot>(&shown)) {
    const auto module = static_cast<std::size_t>(snapshot->index);
    for (const trace::GraphSeries& series : series_)
      if (module >= series.first && module - series.first < series.positionOf.size() &&
          series.positionOf[module - series.first].size() == ops_.program->nodes.size())
        return graph_.showPart(series.program, ops_.program,
                               series.positionOf[module - series.first]);
  }
  graph_.show(ops_.program, true);
}

std::vector<fx::NodeId> OpGraphPresenter::shownFor(const std::vector<fx::NodeId>& nodes) const {
  std::vector<fx::NodeId> out, folded;
  if (!ops_.program) return out;
  for (const fx::Node& node : ops_.program->nodes) {
    const std::vector<fx::NodeId>& from = ops_.fxNodesOf[node.id.index()];
    if (std::none_of(nodes.begin(), nodes.end(), [&](fx::NodeId id) {
          return std::binary_search(from.begin(), from.end(), id);
        }))
      continue;
    (node.op == fx::NodeOp::GetAttr ? folded : out).push_back(node.id);
  }
  out.insert(out.end(), folded.begin(), folded.end());
  return out;
}

std::vector<fx::NodeId> OpGraphPresenter::usersNodes(fx::NodeId shown) const {
  return shown.valid() && shown.index() < ops_.fxNodesOf.size() ? ops_.fxNodesOf[shown.index()]
                                                                : std::vector<fx::NodeId>{};
}

std::vector<mlir::OpChange> OpGraphPresenter::changes() const {
  if (!chosen_ || !ops_.program) return {};
  const std::shared_ptr<const DiffView>& view =
      std::holds_alternative<Handle>(*chosen_) ? stages_.passes().diff() : difference_;
  if (!view || (view->a != opsText_ && view->b != opsText_)) return {};
  return trace::changesIn(ops_, view->diff,
                          view->a == opsText_ ? view->diff.pairOfA : view->diff.pairOfB);
}

void OpGraphPresenter::setDifference(std::shared_ptr<const DiffView> difference) {
  if (difference_ == difference) return;
  difference_ = std::move(difference);
  Q_EMIT changesChanged();
}

void OpGraphPresenter::setMessage(const QString& message) {
  if (message_ == message) return;
  message_ = message;
  Q_EMIT messageChanged(message_);
}

std::optional<std::uint32_t> OpGraphPresenter::lineOf(fx::NodeId shown) const {
  if (!opsText_ || !shown.valid() || shown.index() >= ops_.opsOf.size() ||
      ops_.opsOf[shown.index()].empty())
    return std::nullopt;
  return opsText_->open->module->op(ops_.opsOf[shown.index()].front()).firstLine;
}

}  // namespace fxs::ui
