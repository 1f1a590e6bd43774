// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/task.h"

#include <atomic>
#include <stop_token>

#include "session/services.h"

namespace fxs::ui {

struct Work::Run {
  std::stop_source stop;
  std::atomic<bool> current{true};  ///< not superseded
};

Work::Work(Services& services, WorkFor purpose, CancelBy cancelBy)
    : Work(services.jobs, services.get<WorkList>(), purpose, cancelBy) {}

Work::Work(JobQueue& jobs, WorkList& list, WorkFor purpose, CancelBy cancelBy)
    : jobs_(jobs), list_(list), purpose_(purpose), cancelBy_(cancelBy) {
  list_.add(*this);
}

// Silent: who listens may be going, too.
Work::~Work() {
  stop();
  list_.remove(*this);
}

void Work::cancel(const QString& message) {
  if (!state_.running) return;
  state_.cancelled = true;
  if (!message.isEmpty()) state_.report({message.toStdString(), -1});
  run_->stop.request_stop();
  notify();
}

void Work::supersede(QString reason) {
  const bool isNews = running();
  stop();
  state_ = {};
  state_.message = std::move(reason);
  if (isNews) notify();
  else Q_EMIT changed();
}

void Work::begin(const QString& message, Job job) {
  stop();
  run_ = std::make_shared<Run>();
  state_ = {true, message};
  jobs_.enqueue([this, run = run_, &executor = jobs_.executor(), job = std::move(job)] {
    if (!run->current) return;
    const Post post = [run, &executor](std::function<void()> call) {
      executor.post([run, call = std::move(call)] {
        if (run->current) call();
      });
    };
    RunContext context;
    context.stop = run->stop.get_token();
    context.report = [this, post](const Progress& now) {
      post([this, now] {
        state_.report(now);
        notify();
      });
    };
    post(job(context, post));
  });
  notify();
}

void Work::end(const Error* error, const std::function<void()>& done) {
  const std::shared_ptr<Run> run = run_;
  WorkState ended;
  if (error) ended.ended(*error);
  else ended.cancelled = state_.cancelled;
  state_ = std::move(ended);
  done();
  if (run->current) notify();  // else `done` has started or superseded it, or ended it for good
}

void Work::stop() {
  if (!run_) return;
  run_->current = false;
  run_->stop.request_stop();
}

void Work::notify() {
  WorkList& list = list_;  // who listens may destroy this
  Q_EMIT changed();
  Q_EMIT list.changed();
}

}  // namespace fxs::ui
