// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/alone/alone_presenter.h"

#include <algorithm>

#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr int kAloneText = 20;  ///< its place among the texts besides the stages

}  // namespace

AlonePresenter::AlonePresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      runner_(services.chosen(sessionAlone(services.environment))),
      task_(services, WorkFor::View, CancelBy::Button) {
  connect(&task_, &Work::changed, this, &AlonePresenter::changed);
  connect(&services.get<SelectionPresenter>(), &SelectionPresenter::changed, this,
          [this](const Selection& selected) { show(selected.inspected()); });
  auto& sources = services.get<TextSources>();
  sources.add({kAloneText, NodeAlone{}, [this] { return text(); }, [this] { setWanted(true); }});
  connect(this, &AlonePresenter::changed, &sources, &TextSources::changed);
  connect(&session_, &SessionPresenter::programChanged, this, [this] {
    node_ = {};
    drop();
  });
  connect(&session_, &SessionPresenter::runStarted, this, [this] { drop(); });
  // A cancelled run starts nothing.
  connect(&session_, &SessionPresenter::runFinished, this, [this] {
    if (!session_.state().cancelled) start();
  });
}

const AloneLowering::Target* AlonePresenter::target() const {
  if (!lowering_) return nullptr;
  const auto found =
      std::find_if(lowering_->targets.begin(), lowering_->targets.end(),
                   [this](const AloneLowering::Target& target) { return target.type == chosen(); });
  return found == lowering_->targets.end() ? nullptr : &*found;
}

OtherText AlonePresenter::text() const {
  OtherText out{{NodeAlone{}, "This node by itself", StageMark::Waiting, {}, {}, {}, false}};
  Stage& stage = out.stage;
  if (const AloneLowering::Target* target = this->target()) {
    stage.mark = markOf(target->status);
    const bool inlined = inlined_ && !target->inlined.empty();
    stage.title += ": " + ui::text(lower::name(target->type)) + (inlined ? ", inlined" : "");
    stage.note = target->note;
    const std::string& shown = inlined ? target->inlined : target->text;
    out.file = shown;
    out.source = shown.empty() ? nullptr : &shown;
    out.make = [held = lowering_, &shown] { return stageText(trace::openText(shown)); };
  } else if (lowering_ && !chosen() && lowering_->program) {
    stage.mark = StageMark::Ok;
    stage.title += ": its program";
    out.source = lowering_->program.get();
    out.make = [program = lowering_->program] { return fxStageText(*program); };
  } else if (running()) {
    stage.mark = StageMark::Running;
    stage.note = "lowering this node …";
  } else if (!message().isEmpty()) {
    stage.note = message();
  } else if (wanted_ && node_.valid() && session_.state().cancelled) {
    stage.note = "not run: cancelled";
  } else if (session_.hasProgram() && !node_.valid()) {
    stage.note = "select a node to see its lowering";
  }
  return out;
}

void AlonePresenter::show(fx::NodeId node) {
  if (node == node_) return;
  node_ = node;
  drop();
  start();
}

void AlonePresenter::setWanted(bool wanted) {
  if (wanted == wanted_) return;
  wanted_ = wanted;
  if (wanted_) return start();
  task_.cancel();
  Q_EMIT changed();
}

void AlonePresenter::choose(std::optional<lower::OutputType> type) {
  const bool same = type == chosen();
  follows_ = false;
  chosen_ = std::move(type);
  if (!same) Q_EMIT changed();
}

void AlonePresenter::setInlined(bool inlined) {
  if (inlined == inlined_) return;
  inlined_ = inlined;
  Q_EMIT changed();
}

void AlonePresenter::drop(const QString& reason) {
  // Avoid a signal for every selected node while nothing is shown.
  const bool blank = !running() && !lowering_ && this->message().isEmpty() && reason.isEmpty();
  if (blank) return;
  lowering_.reset();
  task_.supersede(reason);
}

void AlonePresenter::start() {
  const fx::ProgramPtr program = session_.program();
  if (!wanted_ || running() || lowering_ || !program || !node_.valid() ||
      node_.index() >= program->nodes.size())
    return;
  if (program->node(node_).op != fx::NodeOp::CallFunction)
    return drop("Only a call can be lowered by itself");
  // Wait for the run of the whole program; runFinished calls this again.
  if (session_.state().activity != Activity::Idle) return;
  task_.start([from = session_.snapshot(), node = node_,
               run = runner_](const RunContext& context) { return run(from, node, context); },
              [this](Result<AloneLoweringPtr> result) {
                if (result) lowering_ = *std::move(result);
                else if (task_.state().cancelled) task_.setMessage("not run: cancelled");
              });
}

}  // namespace fxs::ui
