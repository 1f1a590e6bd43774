// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/answer/other_types_presenter.h"

#include <algorithm>
#include <utility>

namespace fxs::ui {
namespace {

/// Of the program's own lowering: longer ones are not for the background.
constexpr std::chrono::seconds kQuick{5};
/// Of a run in the background.
constexpr std::chrono::seconds kMostTime{20};
constexpr std::uint64_t kMostMemory = std::uint64_t{2} << 30;

bool wasQuick(const session::Snapshot& snapshot) {
  return std::all_of(snapshot.timings.begin(), snapshot.timings.end(),
                     [](const session::Timing& each) { return each.seconds < kQuick; });
}

}  // namespace

OtherTypesPresenter::OtherTypesPresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      work_(services.get<WorkList>()),
      environment_(services.environment),
      lowering_(services, WorkFor::Answer, CancelBy::Button) {
  quiet_.setSingleShot(true);
  quiet_.setInterval(services.get<QuietTime>().before);
  connect(&quiet_, &QTimer::timeout, this, &OtherTypesPresenter::begin);
  connect(&work_, &WorkList::changed, this, &OtherTypesPresenter::workChanged);
  connect(&session_, &SessionPresenter::programChanged, this, [this] {
    known_.clear();
    tried_.clear();
    isStopped_ = false;
    lowering_.supersede();
  });
  connect(&session_, &SessionPresenter::runStarted, this, [this] {
    const std::pair choices(session_.choices(), session_.asTorchMlir());
    if (std::exchange(choices_, choices) != choices) known_.clear();
    tried_.clear();
    isStopped_ = false;
    lowering_.supersede();
  });
}

std::optional<report::Answer> OtherTypesPresenter::of(const lower::OutputType& type) const {
  const auto found = known_.find(type);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

void OtherTypesPresenter::know(const lower::OutputType& type, report::Answer answer) {
  known_[type] = std::move(answer);
}

bool OtherTypesPresenter::canBegin() const {
  const session::SnapshotPtr& snapshot = session_.snapshot();
  if (isStopped_ || work_.running(WorkFor::View) || work_.running(WorkFor::Answer)) return false;
  if (!snapshot || !snapshot->lowering || session_.state().cancelled) return false;
  return !snapshot->capture->module && !snapshot->capture->kernel && !session_.bundleManifest() &&
         wasQuick(*snapshot);
}

void OtherTypesPresenter::workChanged() {
  if (!canBegin()) quiet_.stop();
  else if (!quiet_.isActive()) quiet_.start();
}

void OtherTypesPresenter::begin() {
  if (!canBegin()) return;
  const std::vector<lower::OutputType> types = session_.outputTypes().backends();
  const auto next = std::find_if(types.begin(), types.end(), [&](const lower::OutputType& type) {
    return type != session_.target() && !known_.contains(type) && !tried_.contains(type);
  });
  if (next == types.end()) return;
  session::Request request = session_.snapshot()->request;
  request.lower.target = *next;
  lower::Limits& limits = request.lower.limits;
  if (limits.timeout.count() == 0 || limits.timeout > kMostTime) limits.timeout = kMostTime;
  limits.memory = std::min(limits.memory, kMostMemory);
  tried_.insert(*next);
  const session::SnapshotPtr from = session::retarget(session_.snapshot(), std::move(request));
  lowering_.start(
      [from, environment = environment_](const RunContext& context) {
        return session::advance(from, session::Phase::Lower, environment, context);
      },
      [this, type = *next](Result<session::SnapshotPtr> made) {
        // Without a result there is none for the next either.
        if (!made || lowering_.state().cancelled || !(*made)->lowering) {
          isStopped_ = true;
          return;
        }
        const lower::Lowering& lowering = *(*made)->lowering;
        const bool hasCrashed = std::any_of(lowering.stages.begin(), lowering.stages.end(),
                                            [](const lower::StageResult& stage) {
                                              return stage.status == lower::StageStatus::Crashed;
                                            });
        report::Answer answer = report::answerOf(lowering, (*made)->findings());
        if (hasCrashed || answer.standing == report::Answer::Standing::NotKnown) return;
        know(type, std::move(answer));
        Q_EMIT changed();
      });
}

}  // namespace fxs::ui
