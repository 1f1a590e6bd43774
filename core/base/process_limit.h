// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A limit, kept by the kernel, for the processes and threads that a caged script starts: a pids
// control group of its own where one can be made, as root mostly; else RLIMIT_NPROC, which counts
// what the user runs already and does not hold root.
#include <cstddef>
#include <cstdint>
#include <string>

namespace fxs {

class ProcessLimit {
 public:
  /// No limit.
  ProcessLimit() = default;
  /// A limit of Cage::kMostProcesses; more where many processors run a thread each.
  static ProcessLimit make();
  ProcessLimit(ProcessLimit&& other) noexcept;
  ProcessLimit& operator=(ProcessLimit&& other) noexcept;
  /// Removes the group; what it held must have been killed.
  ~ProcessLimit() { remove(); }

  /// Limits the calling process and what it starts. Async-signal-safe. On failure returns false and
  /// sets errno.
  bool enter() const;
  /// Whether it is a group of its own, which is exact.
  bool isGroup() const { return !group_.empty(); }
  /// Whether the kernel refused a process, where it tells.
  bool wasReached() const;

 private:
  void remove();

  std::string group_;         // its folder; "" for none
  std::string members_;       // its file of processes
  std::uint64_t ofUser_ = 0;  // for RLIMIT_NPROC; 0: none
};

}  // namespace fxs
