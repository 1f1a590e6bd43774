// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Background jobs. Each job has a key; submitting another job with the same key supersedes the
// earlier one, which is asked to stop and whose `done` never runs. cancel() also asks the job to
// stop, but its `done` does run, usually with Cancelled, so that a busy indicator always ends.
// `done` and `progress` run where the executor runs what is posted.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/run_context.h"

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
  /// Stops all jobs and joins the threads; no `done` runs afterwards.
  ~JobQueue();
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  template <class T>
  void submit(const std::string& key, std::function<T(const RunContext&)> work,
              std::function<void(T)> done, std::function<void(const Progress&)> progress = {}) {
    auto ticket = begin(key);
    enqueue([this, ticket, work = std::move(work), done = std::move(done),
             progress = std::move(progress)] {
      if (!ticket->current) return;
      RunContext context;
      context.stop = ticket->stop.get_token();
      context.report = [this, ticket, progress](const Progress& now) {
        if (progress)
          executor_.post([ticket, progress, now] {
            if (ticket->current) progress(now);
          });
      };
      auto result = std::make_shared<T>(resultOf(work, context));
      executor_.post([ticket, done, result] {
        if (ticket->current) done(std::move(*result));
      });
    });
  }
  void cancel(const std::string& key);
  /// Stops the job as if superseded: its `done` never runs.
  void supersede(const std::string& key);

 private:
  struct Ticket {
    std::stop_source stop;
    std::atomic<bool> current{true};
  };
  /// The result of the work; if it throws, the error if T is a Result, else a default T.
  template <class T>
  static T resultOf(const std::function<T(const RunContext&)>& work, const RunContext& context) {
    try {
      return work(context);
    } catch (...) {
      auto error = abandoned("this step");
      if constexpr (std::is_constructible_v<T, tl::unexpected<Error>>) return error;
      else return T{};
    }
  }
  std::shared_ptr<Ticket> begin(const std::string& key);
  void enqueue(std::function<void()> job);
  void loop(std::stop_token stop);

  Executor& executor_;
  std::mutex mutex_;
  std::condition_variable_any ready_;
  std::deque<std::function<void()>> jobs_;
  std::map<std::string, std::shared_ptr<Ticket>> tickets_;
  std::vector<std::jthread> workers_;
};

}  // namespace fxs::ui
