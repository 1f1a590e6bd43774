// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/task.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "session/job_queue.h"

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

/// Returns once it is asked to stop.
Result<int> untilStopped(const RunContext& context) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  stopped.wait(lock, context.stop, [] { return false; });
  return tl::unexpected<Error>(cancelled());
}

class TaskTest : public ::testing::Test {
 protected:
  std::function<void(const Result<int>&)> keep() {
    return [this](const Result<int>& result) {
      done_.push_back(result ? std::to_string(*result) : toString(result.error()));
    };
  }

  PumpedExecutor executor_;
  JobQueue jobs_{executor_, 2};
  WorkList list_;
  std::vector<std::string> done_;
};

TEST_F(TaskTest, DoneRunsWhereTheExecutorPostsItAndThenItSaysSo) {
  Task<Result<int>> task(jobs_, list_, WorkFor::View);
  std::vector<std::string> said;
  QObject::connect(&task, &Work::changed, [&] {
    said.push_back((task.running() ? "running " : "idle ") + std::to_string(done_.size()));
  });
  QSignalSpy listed(&list_, &WorkList::changed);
  EXPECT_FALSE(list_.running(WorkFor::View));
  task.start("counting", [](const RunContext&) -> Result<int> { return 42; }, keep());
  EXPECT_TRUE(list_.running(WorkFor::View));
  EXPECT_FALSE(list_.running(WorkFor::Answer));
  EXPECT_EQ(task.state().step, "counting");
  EXPECT_EQ(done_, std::vector<std::string>{});
  executor_.pumpOne();
  EXPECT_EQ(done_, std::vector<std::string>{"42"});
  EXPECT_FALSE(list_.running(WorkFor::View));
  EXPECT_EQ(said, (std::vector<std::string>{"running 0", "idle 1"}));
  EXPECT_EQ(listed.count(), 2);
}

TEST_F(TaskTest, StartingAgainSupersedes) {
  Task<Result<int>> task(jobs_, list_), other(jobs_, list_);
  task.start(untilStopped, keep());
  task.start([](const RunContext&) -> Result<int> { return 2; }, keep());
  // The first posts its end too, and says nothing; the order of the two is open.
  executor_.pumpOne();
  other.start([](const RunContext&) -> Result<int> { return 3; }, keep());
  while (done_.size() < 2) executor_.pumpOne();
  EXPECT_EQ(done_, (std::vector<std::string>{"2", "3"}));
}

TEST_F(TaskTest, WhatIsSupersededIsForgotten) {
  Task<Result<int>> task(jobs_, list_);
  task.start("counting", untilStopped, keep());
  task.supersede("not now");
  EXPECT_FALSE(task.running());
  EXPECT_EQ(task.state().step, "");
  EXPECT_EQ(task.state().message, "not now");
  EXPECT_FALSE(task.state().cancelled);
}

TEST_F(TaskTest, CancelStillEndsIt) {
  Task<Result<int>> task(jobs_, list_, WorkFor::Answer, CancelBy::Button);
  Task<Result<int>> other(jobs_, list_);
  other.start(untilStopped, keep());
  EXPECT_FALSE(list_.cancellable());
  task.start(untilStopped, keep());
  EXPECT_TRUE(list_.cancellable());
  list_.cancel();
  EXPECT_TRUE(task.running());
  executor_.pumpOne();
  EXPECT_EQ(done_, std::vector<std::string>{"cancelled"});
  EXPECT_FALSE(task.running());
  EXPECT_TRUE(task.state().cancelled);
  EXPECT_EQ(task.state().message, "");
  EXPECT_TRUE(other.running());
}

TEST_F(TaskTest, TheErrorSaysWhyThereIsNoResult) {
  Task<Result<int>> task(jobs_, list_);
  task.start(
      [](const RunContext&) -> Result<int> {
        return fail(ErrorCode::InvalidInput, "no such file");
      },
      keep());
  executor_.pumpOne();
  EXPECT_EQ(task.state().message, "no such file");
  task.start([](const RunContext&) -> Result<int> { throw std::bad_alloc(); }, keep());
  executor_.pumpOne();
  EXPECT_TRUE(task.state().message.startsWith("this step")) << task.state().message.toStdString();
  EXPECT_EQ(done_.size(), 2u);
}

TEST_F(TaskTest, ProgressAndPartsComeBeforeTheEnd) {
  Task<Result<int>> task(jobs_, list_);
  task.start(
      [this](const RunContext& context, const Work::Post& post) -> Result<int> {
        context.report({"halfway", 0.5});
        post([this] { done_.push_back("part"); });
        return 0;
      },
      keep());
  executor_.pumpOne();
  EXPECT_EQ(task.state().step, "halfway");
  EXPECT_EQ(task.state().fraction, 0.5);
  executor_.pumpOne();
  executor_.pumpOne();
  EXPECT_EQ(done_, (std::vector<std::string>{"part", "0"}));
}

TEST_F(TaskTest, DoneMayStartItAgain) {
  Task<Result<int>> task(jobs_, list_);
  task.start([](const RunContext&) -> Result<int> { return 1; },
             [&](const Result<int>&) {
               task.start([](const RunContext&) -> Result<int> { return 2; }, keep());
             });
  executor_.pumpOne();
  EXPECT_TRUE(task.running());
  executor_.pumpOne();
  EXPECT_EQ(done_, std::vector<std::string>{"2"});
}

TEST_F(TaskTest, ItsEndStopsWhatRuns) {
  {
    Task<Result<int>> task(jobs_, list_);
    task.start(untilStopped, keep());
    EXPECT_TRUE(list_.running(WorkFor::Answer));
  }
  EXPECT_FALSE(list_.running(WorkFor::Answer));
  auto task = std::make_unique<Task<Result<int>>>(jobs_, list_);
  task->start([](const RunContext&) -> Result<int> { return 1; },
              [&](const Result<int>& result) {
                task.reset();
                keep()(result);
              });
  while (done_.empty()) executor_.pumpOne();
  EXPECT_EQ(done_, std::vector<std::string>{"1"});
}

}  // namespace
}  // namespace fxs::ui
