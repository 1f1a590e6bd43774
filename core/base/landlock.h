#pragma once
// Landlock of the kernel as far as a cage needs it. The numbers are those of include/uapi/linux/landlock.h of Linux 6.12: the headers of
// the machine that builds may be older than the kernel of the one that runs.
#include <cstdint>
#include <string>

#include "base/result.h"

namespace fxs::landlock {

// The versions of the interface that brought what some older ones lack.
inline constexpr int kRenaming = 2, kTruncation = 3, kNetwork = 4, kDevices = 5, kScopes = 6;

/// Of this kernel's interface; 0 when it has none.
int version();

enum class Access : std::uint8_t {
  Read,    ///< and run
  Change,  ///< and read: a folder in which files are made, changed and removed; links and pipes are not
  Device,  ///< reading and writing of what is there
};

/// A new set of rules that forbids all that `version` knows of; the descriptor, to be closed by the caller. Io when the kernel refuses.
Result<int> makeRuleset(int version);
/// NotFound when there is no such file or folder, Io otherwise.
Result<> allow(int ruleset, const std::string& path, Access access, int version);
/// Async-signal-safe, like a system call: false with errno.
bool enter(int ruleset);

}  // namespace fxs::landlock
