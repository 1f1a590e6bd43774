#include "base/cage.h"

#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/landlock.h"

namespace fxs {

CageStrength cageStrength() {
  CageStrength out;
  out.landlock = landlock::version();
#if defined(__x86_64__) || defined(__aarch64__)
  const std::uint32_t action = SECCOMP_RET_ERRNO;
  out.filter = ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
#endif
  return out;
}

std::vector<CageWall> walls(const CageStrength& strength) {
  const bool files = strength.landlock > 0;
  const std::string landlock = files ? "Landlock " + std::to_string(strength.landlock) : "no Landlock in this kernel";
  const std::string filter = strength.filter ? "seccomp" : "no seccomp in this kernel";
  const bool truncation = strength.landlock >= landlock::kTruncation;
  const bool tcp = strength.landlock >= landlock::kNetwork;
  const bool signals = strength.landlock >= landlock::kScopes;
  std::vector<CageWall> out;
  out.push_back({"files", files,
                 files
                     ? "it reads the system's folders and what is named to it, and writes in its own folder only (" + landlock + ")" +
                           (truncation ? "" : "; what it may read, it can empty") + "; FXSCOPE_CAGE_READ and FXSCOPE_CAGE_WRITE add folders"
                     : "not held (" + landlock + ")"});
  out.push_back({"network", strength.filter || tcp,
                 strength.filter ? "it can open no socket (" + filter + (tcp ? ", Landlock" : "") + ")"
                 : tcp           ? "no TCP; other sockets are not held (" + landlock + ", " + filter + ")"
                                 : "not held (" + filter + ")"});
  out.push_back({"processes", strength.filter,
                 strength.filter
                     ? "it starts threads only; a script, up to " + std::to_string(Cage::kMostProcesses) + " processes (" + filter + ")"
                     : "not held (" + filter + ")"});
  out.push_back({"signals", signals, signals ? "they reach its own processes only (" + landlock + ")" : "not held (" + landlock + ")"});
  out.push_back({"limits", true, "processor time, memory, size and number of open files; an environment of its own"});
  return out;
}

}  // namespace fxs
