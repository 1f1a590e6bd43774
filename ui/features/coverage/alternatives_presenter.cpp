// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/coverage/alternatives_presenter.h"

#include <algorithm>
#include <utility>

#include "node_lab/node_lab.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr int kAlternativeTexts = 10;  ///< their place among the texts besides the stages

}  // namespace

AlternativesPresenter::AlternativesPresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      runner_(services.chosen(sessionAlternatives(services.environment))) {
  for (const Alternative each : kAlternatives)
    connect(&lowerings_.emplace_back(services).task, &Work::changed, this,
            [this, each] { Q_EMIT changed(each); });
  auto& sources = services.get<TextSources>();
  connect(this, &AlternativesPresenter::changed, &sources, &TextSources::changed);
  for (const Alternative each : kAlternatives)
    sources.add({kAlternativeTexts, each, [this, each] { return textOf(each); },
                 [this, each] { setWanted(each, true); },
                 [this, each] { return each != Alternative::Engine || !engine_.empty(); },
                 [this, each] {
                   return std::optional(each == Alternative::Type ? type() : session_.target());
                 }});
  connect(&session_, &SessionPresenter::programChanged, this, &AlternativesPresenter::drop);
  connect(&session_, &SessionPresenter::runStarted, this, &AlternativesPresenter::drop);
  // A cancelled run starts nothing.
  connect(&session_, &SessionPresenter::runFinished, this, [this] {
    if (!session_.state().cancelled) runWanted();
  });
}

OtherText AlternativesPresenter::textOf(Alternative alternative) const {
  const AlternativeState state = this->state(alternative);
  OtherText out{{alternative, title(alternative), StageMark::Waiting, {}, {}, {}, false}};
  Stage& stage = out.stage;
  if (state.running) {
    stage.mark = StageMark::Running;
    stage.note = state.step + " …";
  } else if (!state.message.isEmpty()) {
    stage.mark = StageMark::Skipped;
    stage.note = "not run: " + state.message;
  } else if (state.lowering) {
    const AlternativeLowering& lowering = *state.lowering;
    stage.mark = lowering.complete ? StageMark::Ok : StageMark::Failed;
    stage.isFailureText = !lowering.complete;
    stage.seconds = state.seconds;
    stage.note = lowering.note;
    stage.detail = lowering.detail;
  } else if (wanted(alternative) && session_.state().cancelled) {
    stage.mark = StageMark::Skipped;
    stage.note = "not run: cancelled; F5 runs it again";
  } else if (session_.hasProgram() && alternative == Alternative::Engine && engine().empty()) {
    stage.note = "choose a known engine with Run > Lower with another engine";
  }
  if (!state.lowering) return out;
  out.file = state.lowering->text;
  out.form = state.lowering->form;
  const bool isShown = !state.running && state.message.isEmpty() && !out.file.empty();
  out.source = isShown ? state.lowering.get() : nullptr;
  out.make = [held = state.lowering] {
    return stageText(trace::openText(held->text, nullptr, held->form));
  };
  return out;
}

QString AlternativesPresenter::title(Alternative alternative) const {
  switch (alternative) {
    case Alternative::Registries: return text(session::kRegistries.title);
    case Alternative::Nodes: return text(node_lab::kNodes.title);
    case Alternative::Type: return "Lowered to " + text(lower::name(type()));
    case Alternative::Engine: break;
  }
  return engine_.empty() ? QString("Another engine") : "With engine " + text(engine_);
}

void AlternativesPresenter::setEngine(std::string name) {
  engine_ = std::move(name);
  restart(Alternative::Engine);
}

void AlternativesPresenter::setRegistryForm(RegistryForm form) {
  if (std::exchange(form_, form) != form) restart(Alternative::Registries);
}

lower::OutputType AlternativesPresenter::type() const {
  return type_ && *type_ != session_.target() ? *type_ : typeAfter(session_.target());
}

lower::OutputType AlternativesPresenter::typeAfter(const lower::OutputType& type) const {
  std::vector<lower::OutputType> all = session_.outputTypes().backends();
  std::erase(all, session_.target());
  const auto after = std::find_if(all.begin(), all.end(), [&](const lower::OutputType& each) {
    return each->rank > type->rank;
  });
  return after == all.end() ? all.front() : *after;
}

void AlternativesPresenter::chooseNextType() {
  type_ = typeAfter(type());
  restart(Alternative::Type);
}

void AlternativesPresenter::restart(Alternative alternative) {
  lowering(alternative).drop();
  runWanted();
}

bool AlternativesPresenter::running() const {
  return std::any_of(lowerings_.begin(), lowerings_.end(),
                     [](const Lowering& each) { return each.task.running(); });
}

void AlternativesPresenter::setWanted(Alternative alternative, bool wanted) {
  if (this->wanted(alternative) == wanted) return;
  lowering(alternative).wanted = wanted;
  runWanted();
}

void AlternativesPresenter::drop() {
  for (Lowering& each : lowerings_) each.drop();
}

void AlternativesPresenter::runWanted() {
  // Wait for the run of the pipelines; runFinished calls this again.
  if (!session_.hasProgram() || session_.state().activity != Activity::Idle ||
      !session_.snapshot()->rewritten)
    return;
  for (const Alternative alternative : kAlternatives)
    if ((alternative != Alternative::Engine || !engine_.empty()) && wanted(alternative) &&
        !lowering(alternative).task.running() && !lowering(alternative).made &&
        lowering(alternative).task.state().message.isEmpty())
      start(alternative);
}

void AlternativesPresenter::start(Alternative alternative) {
  QString message;
  switch (alternative) {
    case Alternative::Registries: message = "lowering by registries"; break;
    case Alternative::Nodes: message = "lowering node by node"; break;
    case Alternative::Engine: message = "lowering with engine " + text(engine_); break;
    case Alternative::Type: message = "lowering to " + text(lower::name(type())); break;
  }
  const auto from = session_.snapshot();
  const auto since = std::chrono::steady_clock::now();
  Lowering& into = lowering(alternative);
  into.task.start(
      message,
      [choice = AlternativeChoice{alternative, engine_, type(), form_}, from,
       run = runner_](const RunContext& context) { return run(choice, from, context); },
      [&into, since](Result<AlternativeLoweringPtr> result) {
        into.seconds = std::chrono::steady_clock::now() - since;
        if (result) into.made = *std::move(result);
        else if (into.task.state().cancelled) into.task.setMessage("cancelled; F5 runs it again");
      });
}

}  // namespace fxs::ui
