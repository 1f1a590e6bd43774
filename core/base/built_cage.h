// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A cage as kernel objects, built before the fork: the child must not allocate between vfork and
// exec.
#include <chrono>
#include <cstdint>
#include <utility>

#include "base/cage.h"
#include "base/process_limit.h"
#include "base/result.h"
#include "base/system_call_filter.h"

namespace fxs {

class BuiltCage {
 public:
  /// Io if a folder of `writes` does not exist, or the kernel rejects a restriction that it claims
  /// to support. `timeout` is Command::timeout, 0 for none.
  static Result<BuiltCage> build(const Cage&, std::chrono::milliseconds timeout);
  BuiltCage(BuiltCage&& other) noexcept;
  BuiltCage& operator=(BuiltCage&&) = delete;
  ~BuiltCage();
  /// Restricts the calling process, the child. Async-signal-safe. On failure returns false and sets
  /// errno: do not exec then.
  bool enter();
  /// Of the processes that it starts; exists as long as they do.
  ProcessLimit takeProcessLimit() { return std::move(processLimit_); }

 private:
  explicit BuiltCage(SystemCallFilter filter) : filter_(std::move(filter)) {}

  int ruleset_ = -1;
  int landlock_ = 0;
  SystemCallFilter filter_;
  ProcessLimit processLimit_;
  std::uint64_t fileSize_ = 0;
  std::uint64_t processorSeconds_ = 0;  // 0: no limit
};

}  // namespace fxs
