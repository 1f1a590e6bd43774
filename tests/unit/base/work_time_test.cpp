// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/work_time.h"

#include <gtest/gtest.h>

#include <thread>

#include "shell_command.h"

namespace fxs {
namespace {

using namespace std::chrono_literals;

TEST(WorkTime, CountsProcessorsAndNotTheClock) {
  PosixCommandRunner runner;
  WorkTime work(runner);
  const TimeLimit limit(5s, work), onClock(1ms);
  ASSERT_TRUE(work.run(test::shellCommand("sleep 0.2"), {}));
  std::this_thread::sleep_for(100ms);
  EXPECT_LT(work.spent(), 150ms);
  EXPECT_FALSE(limit.isReached());
  EXPECT_TRUE(onClock.isReached());
}

TEST(WorkTime, CountsWhatProgramsTake) {
  PosixCommandRunner runner;
  WorkTime work(runner);
  const TimeLimit limit(100ms, work);
  const auto busy = work.runAll(
      std::vector{test::shellCommand("i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"),
                  test::shellCommand("true")},
      {});
  ASSERT_TRUE(busy[0]);
  EXPECT_GT(busy[0]->processor, 100ms);
  EXPECT_GE(work.spent(), busy[0]->processor);
  EXPECT_TRUE(limit.isReached());
}

TEST(WorkTime, AProgramThatHangsTakesItsWholeTime) {
  PosixCommandRunner runner;
  WorkTime work(runner);
  const auto exit = work.run(test::shellCommand("sleep 10", 200ms), {});
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->reason, ExitReason::TimedOut);
  EXPECT_GE(work.spent(), 200ms);
}

}  // namespace
}  // namespace fxs
