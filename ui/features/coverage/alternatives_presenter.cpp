// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/coverage/alternatives_presenter.h"

#include <algorithm>

#include "node_lab/node_lab.h"
#include "session/work_list.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr int kAlternativeTexts = 10;  ///< their place among the texts besides the stages

}  // namespace

AlternativesPresenter::AlternativesPresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      jobs_(services.jobs),
      runner_(services.chosen(sessionAlternatives(services.environment))) {
  auto& work = services.get<WorkList>();
  work.add({WorkFor::View, [this] { return running(); }, [this] { cancel(); }});
  connect(this, &AlternativesPresenter::changed, &work, &WorkList::changed);
  auto& sources = services.get<TextSources>();
  connect(this, &AlternativesPresenter::changed, &sources, &TextSources::changed);
  for (const Alternative each : kAlternatives)
    sources.add({kAlternativeTexts, each, [this, each] { return textOf(each); },
                 [this, each] { setWanted(each, true); },
                 [this, each] { return each != Alternative::Engine || !engine_.empty(); },
                 [this, each] {
                   return std::optional(each == Alternative::Type ? type() : session_.target());
                 }});
  connect(&session_, &SessionPresenter::programChanged, this, [this] {
    stopped_ = {};
    drop();
  });
  connect(&session_, &SessionPresenter::runStarted, this, [this] {
    stopped_ = {};
    drop();
  });
  connect(&session_, &SessionPresenter::runFinished, this, &AlternativesPresenter::runWanted);
}

OtherText AlternativesPresenter::textOf(Alternative alternative) const {
  const AlternativeState& state = this->state(alternative);
  OtherText out{{alternative, title(alternative), StageMark::Waiting, {}, {}, {}, false}};
  Stage& stage = out.stage;
  if (state.running) {
    stage.mark = StageMark::Running;
    stage.note = state.what + " …";
  } else if (!state.why.isEmpty()) {
    stage.mark = StageMark::Skipped;
    stage.note = "not run: " + state.why;
  } else if (state.lowering) {
    const AlternativeLowering& lowering = *state.lowering;
    stage.mark = lowering.complete ? StageMark::Ok : StageMark::Failed;
    stage.isFailureText = !lowering.complete;
    stage.seconds = state.seconds;
    stage.note = lowering.note;
    stage.detail = lowering.detail;
  } else if (session_.hasProgram() && alternative == Alternative::Engine && engine().empty()) {
    stage.note = "choose a known engine with Run > Lower with another engine";
  }
  if (!state.lowering) return out;
  out.file = state.lowering->text;
  out.form = state.lowering->form;
  const bool isShown = !state.running && state.why.isEmpty() && !out.file.empty();
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

lower::OutputType AlternativesPresenter::type() const {
  return type_ && *type_ != session_.target() ? *type_ : typeAfter(session_.target());
}

lower::OutputType AlternativesPresenter::typeAfter(const lower::OutputType& type) const {
  std::vector<lower::OutputType> all = session_.outputTypes().backends();
  std::erase(all, session_.target());
  const auto after = std::find_if(all.begin(), all.end(), [&](const lower::OutputType& each) {
    return each->place > type->place;
  });
  return after == all.end() ? all.front() : *after;
}

void AlternativesPresenter::chooseNextType() {
  type_ = typeAfter(type());
  restart(Alternative::Type);
}

void AlternativesPresenter::restart(Alternative alternative) {
  stopped_[static_cast<std::size_t>(alternative)] = false;
  jobs_.supersede(job(alternative));
  set(alternative, {});
  runWanted();
}

bool AlternativesPresenter::running() const {
  return std::any_of(states_.begin(), states_.end(),
                     [](const AlternativeState& state) { return state.running; });
}

void AlternativesPresenter::setWanted(Alternative alternative, bool wanted) {
  bool& now = wanted_[static_cast<std::size_t>(alternative)];
  if (now == wanted) return;
  now = wanted;
  if (!wanted) stopped_[static_cast<std::size_t>(alternative)] = false;
  runWanted();
}

void AlternativesPresenter::cancel() {
  for (const Alternative alternative : kAlternatives)
    if (state(alternative).running) {
      stopped_[static_cast<std::size_t>(alternative)] = true;
      jobs_.cancel(job(alternative));
    }
}

void AlternativesPresenter::drop() {
  for (const Alternative alternative : kAlternatives) {
    jobs_.supersede(job(alternative));
    set(alternative, {});
  }
}

void AlternativesPresenter::set(Alternative alternative, AlternativeState state) {
  states_[static_cast<std::size_t>(alternative)] = std::move(state);
  Q_EMIT changed(alternative);
}

void AlternativesPresenter::runWanted() {
  // Wait for the run of the pipelines; runFinished calls this again.
  if (!session_.hasProgram() || session_.state().activity != Activity::Idle ||
      !session_.snapshot()->rewritten)
    return;
  for (const Alternative alternative : kAlternatives)
    if ((alternative != Alternative::Engine || !engine_.empty()) && wanted(alternative) &&
        !stopped_[static_cast<std::size_t>(alternative)] && !state(alternative).running &&
        !state(alternative).lowering && state(alternative).why.isEmpty())
      start(alternative);
}

void AlternativesPresenter::start(Alternative alternative) {
  AlternativeState begun;
  begun.running = true;
  switch (alternative) {
    case Alternative::Registries: begun.what = "lowering by registries"; break;
    case Alternative::Nodes: begun.what = "lowering node by node"; break;
    case Alternative::Engine: begun.what = "lowering with engine " + text(engine_); break;
    case Alternative::Type: begun.what = "lowering to " + text(lower::name(type())); break;
  }
  set(alternative, begun);
  const auto from = session_.snapshot();
  const auto since = std::chrono::steady_clock::now();
  jobs_.submit<Result<AlternativeLoweringPtr>>(
      job(alternative),
      [choice = AlternativeChoice{alternative, engine_, type()}, from,
       run = runner_](const RunContext& context) { return run(choice, from, context); },
      [this, alternative, since](Result<AlternativeLoweringPtr> result) {
        AlternativeState ended;
        ended.seconds = std::chrono::steady_clock::now() - since;
        if (result) ended.lowering = *std::move(result);
        else
          ended.why = result.error().code == ErrorCode::Cancelled
                          ? QString("cancelled; F5 runs it again")
                          : lines(toString(result.error()));
        set(alternative, std::move(ended));
      },
      [this, alternative](const Progress& now) {
        AlternativeState going = state(alternative);
        going.report(now);
        set(alternative, std::move(going));
      });
}

}  // namespace fxs::ui
