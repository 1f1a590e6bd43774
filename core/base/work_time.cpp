// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/work_time.h"

#include <time.h>

#include <algorithm>

namespace fxs {
namespace {

std::chrono::nanoseconds threadTime() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

WorkTime::WorkTime(CommandRunner& runner) : runner_(runner), start_(threadTime()) {}

Result<Exit> WorkTime::run(const Command& command, std::stop_token stop) {
  Result<Exit> exit = runner_.run(command, std::move(stop));
  count(exit);
  return exit;
}

std::vector<Result<Exit>> WorkTime::runAll(std::span<const Command> commands,
                                           std::stop_token stop) {
  std::vector<Result<Exit>> exits = runner_.runAll(commands, std::move(stop));
  for (const Result<Exit>& exit : exits) count(exit);
  return exits;
}

std::chrono::nanoseconds WorkTime::spent() const { return threadTime() - start_ + ofPrograms_; }

void WorkTime::count(const Result<Exit>& exit) {
  if (!exit) return;
  // A program that hangs takes no processor.
  ofPrograms_ += exit->reason == ExitReason::TimedOut ? std::max(exit->processor, exit->wall)
                                                      : exit->processor;
}

TimeLimit::TimeLimit(std::chrono::milliseconds limit) : start_(now()), limit_(limit) {}
TimeLimit::TimeLimit(std::chrono::milliseconds limit, const WorkTime& work)
    : work_(&work), start_(now()), limit_(limit) {}

bool TimeLimit::isReached() const { return now() - start_ >= limit_; }

std::chrono::nanoseconds TimeLimit::now() const {
  return work_ == nullptr
             ? std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch())
             : work_->spent();
}

}  // namespace fxs
