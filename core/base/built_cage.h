#pragma once
// A cage in the kernel's terms, built before the child exists: between vfork and exec nothing may be allocated.
#include <linux/filter.h>

#include <chrono>
#include <cstdint>
#include <vector>

#include "base/cage.h"
#include "base/result.h"

namespace fxs {

class BuiltCage {
 public:
  /// Io when a folder of `writes` does not exist, or the kernel rejects a restriction that it claims to support. `timeout`: the command's,
  /// 0 for none.
  static Result<BuiltCage> build(const Cage&, std::chrono::milliseconds timeout);
  BuiltCage(BuiltCage&& other) noexcept;
  BuiltCage& operator=(BuiltCage&&) = delete;
  ~BuiltCage();
  /// For the child, once; async-signal-safe. False with errno when a restriction cannot be applied: then the command must not run.
  bool enter() const;

 private:
  BuiltCage() = default;

  int ruleset_ = -1;
  std::vector<sock_filter> filter_;
  std::uint64_t fileSize_ = 0;
  std::uint64_t processorSeconds_ = 0;  // 0: no limit
};

}  // namespace fxs
