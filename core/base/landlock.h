// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The part of the kernel's Landlock API that a cage uses. Constants are copied from
// include/uapi/linux/landlock.h of Linux 6.12, because the headers of the build machine may be
// older than the kernel at run time.
#include <cstdint>
#include <string>

#include "base/result.h"

namespace fxs::landlock {

// The ABI versions that introduced a feature.
inline constexpr int kRenaming = 2, kTruncation = 3, kNetwork = 4, kDevices = 5, kScopes = 6;

/// The ABI version of the running kernel; 0 if it does not support Landlock.
int version();

enum class Access : std::uint8_t {
  Read,    ///< read and execute
  Change,  ///< also create, change and remove files in a folder, but no links or pipes
  Device,  ///< read and write existing files
};

/// Creates a ruleset that denies every access right of `version`. The caller closes the descriptor.
/// Io if the kernel refuses.
Result<int> makeRuleset(int version);
/// Adds a rule for `path`. NotFound if there is no such file or folder, Io for other failures.
Result<> allow(int ruleset, const std::string& path, Access access, int version);
/// The same for an open descriptor of a folder. Async-signal-safe; returns false and sets errno on
/// failure.
bool allow(int ruleset, int folder, Access access, int version);
/// Restricts the calling thread. Async-signal-safe; returns false and sets errno on failure.
bool enter(int ruleset);

}  // namespace fxs::landlock
