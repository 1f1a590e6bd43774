// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/job_queue.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

namespace fxs::ui {
namespace {

/// Keeps what is posted until the test takes it.
class PumpedExecutor final : public Executor {
 public:
  void post(std::function<void()> call) override {
    {
      const std::lock_guard lock(mutex_);
      calls_.push_back(std::move(call));
    }
    posted_.notify_all();
  }
  /// Waits for one posted call and runs it.
  void pumpOne() {
    std::function<void()> call;
    {
      std::unique_lock lock(mutex_);
      posted_.wait(lock, [this] { return !calls_.empty(); });
      call = std::move(calls_.front());
      calls_.pop_front();
    }
    call();
  }

 private:
  std::mutex mutex_;
  std::condition_variable posted_;
  std::deque<std::function<void()>> calls_;
};

/// Returns once it is asked to stop: 1.
int untilStopped(const RunContext& context) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  stopped.wait(lock, context.stop, [] { return false; });
  return 1;
}

TEST(JobQueue, DoneRunsWhereTheExecutorPostsIt) {
  PumpedExecutor executor;
  JobQueue jobs(executor, 1);
  int result = 0;
  jobs.submit<int>("a", [](const RunContext&) { return 42; }, [&](int value) { result = value; });
  EXPECT_EQ(result, 0);
  executor.pumpOne();
  EXPECT_EQ(result, 42);
}

TEST(JobQueue, LaterJobSupersedes) {
  PumpedExecutor executor;
  JobQueue jobs(executor, 2);
  std::vector<int> done;
  jobs.submit<int>("a", untilStopped, [&](int value) { done.push_back(value); });
  jobs.submit<int>(
      "a", [](const RunContext&) { return 2; }, [&](int value) { done.push_back(value); });
  // The first posts its end too, and says nothing; the order of the two is open.
  executor.pumpOne();
  jobs.submit<int>(
      "b", [](const RunContext&) { return 3; }, [&](int value) { done.push_back(value); });
  executor.pumpOne();
  while (done.size() < 2) executor.pumpOne();
  EXPECT_EQ(done, (std::vector<int>{2, 3}));
}

TEST(JobQueue, CancelStillEndsTheJob) {
  PumpedExecutor executor;
  JobQueue jobs(executor, 1);
  int done = 0;
  jobs.submit<int>("a", untilStopped, [&](int value) { done = value; });
  jobs.cancel("a");
  executor.pumpOne();
  EXPECT_EQ(done, 1);
}

TEST(JobQueue, ProgressComesBeforeTheEnd) {
  PumpedExecutor executor;
  JobQueue jobs(executor, 1);
  std::vector<std::string> said;
  jobs.submit<int>(
      "a",
      [](const RunContext& context) {
        context.report({"halfway", 0.5});
        return 0;
      },
      [&](int) { said.push_back("end"); }, [&](const Progress& now) { said.push_back(now.what); });
  executor.pumpOne();
  executor.pumpOne();
  EXPECT_EQ(said, (std::vector<std::string>{"halfway", "end"}));
}

TEST(JobQueue, TheEndOfTheQueueStopsWhatRuns) {
  PumpedExecutor executor;
  bool ended = false;
  {
    JobQueue jobs(executor, 1);
    jobs.submit<int>("a", untilStopped, [&](int) { ended = true; });
  }
  EXPECT_FALSE(ended);
}

}  // namespace
}  // namespace fxs::ui
