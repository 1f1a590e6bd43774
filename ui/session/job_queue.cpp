// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/job_queue.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <QSocketNotifier>
#include <cstdint>

#include "base/fd.h"

namespace fxs::ui {

/// A counter that the kernel keeps wakes the event loop once for each callback. Nothing but our own
/// queue is shared between threads, so that ThreadSanitizer sees all that is: Qt's own locks it
/// does not.
struct EventLoopExecutor::Target {
  Target() {
    QObject::connect(&notifier, &QSocketNotifier::activated, &notifier, [this] { runNext(); });
  }
  void runNext() {
    std::uint64_t one = 0;
    if (::read(wake.get(), &one, sizeof one) != sizeof one) return;
    std::function<void()> call;
    {
      const std::lock_guard lock(mutex);
      call = std::move(calls.front());
      calls.pop_front();
    }
    call();
  }

  Fd wake{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE)};
  QSocketNotifier notifier{wake.get(), QSocketNotifier::Read};
  std::mutex mutex;
  std::deque<std::function<void()>> calls;
};

EventLoopExecutor::EventLoopExecutor() : target_(std::make_unique<Target>()) {}
EventLoopExecutor::~EventLoopExecutor() = default;
void EventLoopExecutor::post(std::function<void()> call) {
  {
    const std::lock_guard lock(target_->mutex);
    target_->calls.push_back(std::move(call));
  }
  const std::uint64_t one = 1;
  (void)!::write(target_->wake.get(), &one, sizeof one);
}

JobQueue::JobQueue(Executor& executor, unsigned workers) : executor_(executor) {
  for (unsigned i = 0; i < workers; ++i)
    workers_.emplace_back([this](std::stop_token stop) { loop(std::move(stop)); });
}

JobQueue::~JobQueue() {
  {
    const std::lock_guard lock(mutex_);
    jobs_.clear();
  }
  for (std::jthread& worker : workers_) worker.request_stop();
  workers_.clear();
}

void JobQueue::enqueue(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  ready_.notify_one();
}

void JobQueue::loop(std::stop_token stop) {
  for (;;) {
    std::function<void()> job;
    {
      std::unique_lock lock(mutex_);
      if (!ready_.wait(lock, stop, [this] { return !jobs_.empty(); })) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    job();
  }
}

}  // namespace fxs::ui
