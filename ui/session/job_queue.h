// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The threads that jobs of the window run on, and the way back to the thread of the window. Who
// starts a job has a Task (session/task.h).
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace fxs::ui {

/// Runs callbacks on the thread that consumes results: the window posts to its event loop, a test
/// runs them by hand.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual void post(std::function<void()>) = 0;
};

/// Posts to the event loop of the thread that created it. Callbacks still pending when it is
/// destroyed never run.
class EventLoopExecutor final : public Executor {
 public:
  EventLoopExecutor();
  ~EventLoopExecutor() override;
  void post(std::function<void()>) override;

 private:
  struct Target;
  std::unique_ptr<Target> target_;
};

class JobQueue {
 public:
  JobQueue(Executor& executor, unsigned workers);
  /// Drops the jobs that wait, and joins the threads: every Task has stopped its own by then.
  ~JobQueue();
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  void enqueue(std::function<void()> job);
  /// Runs what is posted on the thread of the window.
  Executor& executor() const { return executor_; }

 private:
  void loop(std::stop_token stop);

  Executor& executor_;
  std::mutex mutex_;
  std::condition_variable_any ready_;
  std::deque<std::function<void()>> jobs_;
  std::vector<std::jthread> workers_;
};

}  // namespace fxs::ui
