// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The seccomp filter of a cage. It is a deny list, because engines, Python interpreters, shells and
// each release of their libraries use different system calls. System calls that are newer than this
// file fail as on an older kernel.
#include <linux/filter.h>
#include <sys/types.h>

#include <cstddef>
#include <vector>

#include "base/cage.h"

namespace fxs {

class SystemCallFilter {
 public:
  SystemCallFilter() = default;  ///< an empty one
  /// Empty if there is no filter for this architecture.
  explicit SystemCallFilter(Cage::Processes);

  bool isEmpty() const { return code_.empty(); }
  /// Sets the process that may send signals to itself. Async-signal-safe.
  void setOwnProcess(pid_t);
  sock_fprog program();

 private:
  friend class FilterWriter;
  std::vector<sock_filter> code_;
  std::vector<std::size_t> ownProcess_;  // instructions that compare with it
};

}  // namespace fxs
