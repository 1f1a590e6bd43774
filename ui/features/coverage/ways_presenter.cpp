#include "features/coverage/ways_presenter.h"

#include <algorithm>

#include "text/words.h"

namespace fxs::ui {

WaysPresenter::WaysPresenter(SessionPresenter& session, JobQueue& jobs, WayRunner runner, QObject* parent)
    : QObject(parent), session_(session), jobs_(jobs), runner_(std::move(runner)) {
  connect(&session, &SessionPresenter::programChanged, this, [this] {
    stopped_ = {};
    drop();
  });
  connect(&session, &SessionPresenter::runStarted, this, [this] {
    stopped_ = {};
    drop();
  });
  connect(&session, &SessionPresenter::runFinished, this, &WaysPresenter::runWanted);
}

bool WaysPresenter::running() const {
  return std::any_of(states_.begin(), states_.end(), [](const WayState& state) { return state.running; });
}

void WaysPresenter::setWanted(Way way, bool wanted) {
  bool& now = wanted_[static_cast<std::size_t>(way)];
  if (now == wanted) return;
  now = wanted;
  if (!wanted) stopped_[static_cast<std::size_t>(way)] = false;
  runWanted();
}

void WaysPresenter::cancel() {
  for (const Way way : kWays)
    if (state(way).running) {
      stopped_[static_cast<std::size_t>(way)] = true;
      jobs_.cancel(job(way));
    }
}

void WaysPresenter::drop() {
  for (const Way way : kWays) {
    jobs_.supersede(job(way));
    set(way, {});
  }
}

void WaysPresenter::set(Way way, WayState state) {
  states_[static_cast<std::size_t>(way)] = std::move(state);
  Q_EMIT changed(way);
}

void WaysPresenter::runWanted() {
  // While the program is still being lowered by the pipelines, they have the machine.
  if (!session_.hasProgram() || session_.state().activity != Activity::Idle || !session_.snapshot()->rewritten) return;
  for (const Way way : kWays)
    if (wanted(way) && !stopped_[static_cast<std::size_t>(way)] && !state(way).running && !state(way).lowering && state(way).why.isEmpty())
      start(way);
}

void WaysPresenter::start(Way way) {
  WayState begun;
  begun.running = true;
  begun.what = way == Way::Registries ? QString("lowering by registries") : QString("lowering node by node");
  set(way, begun);
  const auto from = session_.snapshot();
  const auto since = std::chrono::steady_clock::now();
  jobs_.submit<Result<WayLoweringPtr>>(
      job(way), [way, from, run = runner_](const RunContext& context) { return run(way, from, context); },
      [this, way, since](Result<WayLoweringPtr> result) {
        WayState ended;
        ended.seconds = std::chrono::steady_clock::now() - since;
        if (result) ended.lowering = *std::move(result);
        else
          ended.why =
              result.error().code == ErrorCode::Cancelled ? QString("cancelled; F5 runs it again") : lines(toString(result.error()));
        set(way, std::move(ended));
      },
      [this, way](const Progress& now) {
        WayState going = state(way);
        going.report(now);
        set(way, std::move(going));
      });
}

}  // namespace fxs::ui
