// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/alone/alone_presenter.h"

#include <algorithm>

#include "session/work_list.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr const char* kAloneJob = "alone";
constexpr int kAloneText = 20;  ///< its place among the texts besides the stages

}  // namespace

AlonePresenter::AlonePresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      jobs_(services.jobs),
      runner_(services.chosen(sessionAlone(services.environment))) {
  auto& work = services.get<WorkList>();
  work.add({WorkFor::View, [this] { return running_; }, [this] { cancel(); }});
  connect(this, &AlonePresenter::changed, &work, &WorkList::changed);
  connect(&services.get<SelectionPresenter>(), &SelectionPresenter::changed, this,
          [this](const Selection& selected) { show(selected.inspected()); });
  auto& sources = services.get<TextSources>();
  sources.add({kAloneText, NodeAlone{}, [this] { return text(); }, [this] { setWanted(true); }});
  connect(this, &AlonePresenter::changed, &sources, &TextSources::changed);
  connect(&session_, &SessionPresenter::programChanged, this, [this] {
    node_ = {};
    drop({});
  });
  connect(&session_, &SessionPresenter::runStarted, this, [this] { drop({}); });
  connect(&session_, &SessionPresenter::runFinished, this, &AlonePresenter::start);
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
  } else if (running_) {
    stage.mark = StageMark::Running;
    stage.note = "lowering this node …";
  } else if (!why_.isEmpty()) {
    stage.note = why_;
  } else if (session_.hasProgram() && !node_.valid()) {
    stage.note = "select a node to see its lowering";
  }
  return out;
}

void AlonePresenter::show(fx::NodeId node) {
  if (node == node_) return;
  node_ = node;
  drop({});
  start();
}

void AlonePresenter::setWanted(bool wanted) {
  if (wanted == wanted_) return;
  wanted_ = wanted;
  if (wanted_) return start();
  jobs_.cancel(kAloneJob);
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

void AlonePresenter::cancel() {
  if (running_) jobs_.cancel(kAloneJob);
}

void AlonePresenter::drop(const QString& why) {
  // Avoid a signal for every selected node while nothing is shown.
  const bool blank = !running_ && !lowering_ && why_.isEmpty() && why.isEmpty();
  if (blank) return;
  jobs_.supersede(kAloneJob);
  running_ = false;
  lowering_.reset();
  why_ = why;
  Q_EMIT changed();
}

void AlonePresenter::start() {
  const fx::ProgramPtr program = session_.program();
  if (!wanted_ || running_ || lowering_ || !program || !node_.valid() ||
      node_.index() >= program->nodes.size())
    return;
  if (program->node(node_).op != fx::NodeOp::CallFunction)
    return drop("Only a call can be lowered by itself");
  // Wait for the run of the whole program; runFinished calls this again.
  if (session_.state().activity != Activity::Idle) return;
  running_ = true;
  why_.clear();
  Q_EMIT changed();
  jobs_.submit<Result<AloneLoweringPtr>>(
      kAloneJob,
      [from = session_.snapshot(), node = node_, run = runner_](const RunContext& context) {
        return run(from, node, context);
      },
      [this](Result<AloneLoweringPtr> result) {
        running_ = false;
        if (result) lowering_ = *std::move(result);
        else
          why_ = result.error().code == ErrorCode::Cancelled ? QString("Cancelled")
                                                             : lines(toString(result.error()));
        Q_EMIT changed();
      });
}

}  // namespace fxs::ui
