#pragma once
// Work that must not block the window. Each job has a key; a later job with the same key supersedes the earlier one, which is
// asked to stop and whose `done` never runs. cancel() asks to stop too, but then `done` does run (the work answers
// Cancelled), so that a sign of being busy always ends. `done` and `progress` run where the executor posts them.
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

/// Where results are handed over: the window posts to its event loop, a test pumps by hand.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual void post(std::function<void()>) = 0;
};

/// Posts to the event loop of the thread that made it; what is still posted when it dies never runs.
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
  /// Asks everything to stop and joins; no `done` runs afterwards.
  ~JobQueue();
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  template <class T>
  void submit(std::string key, std::function<T(const RunContext&)> work, std::function<void(T)> done,
              std::function<void(const Progress&)> progress = {}) {
    auto ticket = begin(key);
    enqueue([this, ticket, work = std::move(work), done = std::move(done), progress = std::move(progress)] {
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
  /// As if a newer job with this key had come: its `done` never runs.
  void supersede(const std::string& key);

 private:
  struct Ticket {
    std::stop_source stop;
    std::atomic<bool> current{true};
  };
  /// What the work answers; where it was abandoned, the error as T takes it: an Error, or a T of nothing.
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
