// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Limits on the time of work that runs programs, in the time that it takes on processors: unlike
// the time on the clock, that does not depend on how busy the machine is. The programs have limits
// of their own (Command::timeout).
#include <chrono>

#include "base/subprocess.h"

namespace fxs {

/// Counts the time of the thread that made it, and of the programs that are run through it: the
/// processor time of those that ended, all of the time of those that reached their limit.
class WorkTime final : public CommandRunner {
 public:
  explicit WorkTime(CommandRunner& runner);
  Result<Exit> run(const Command&, std::stop_token) override;
  std::vector<Result<Exit>> runAll(std::span<const Command>, std::stop_token) override;
  std::chrono::nanoseconds spent() const;

 private:
  void count(const Result<Exit>&);
  CommandRunner& runner_;
  std::chrono::nanoseconds start_;
  std::chrono::nanoseconds ofPrograms_{0};
};

/// A limit that begins when it is made.
class TimeLimit {
 public:
  /// Of the time on the clock.
  TimeLimit(std::chrono::milliseconds limit);
  /// Of that work, which must outlive it.
  TimeLimit(std::chrono::milliseconds limit, const WorkTime& work);
  bool isReached() const;

 private:
  std::chrono::nanoseconds now() const;
  const WorkTime* work_ = nullptr;
  std::chrono::nanoseconds start_;
  std::chrono::nanoseconds limit_;
};

}  // namespace fxs
