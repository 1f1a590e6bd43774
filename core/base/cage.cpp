// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
  const std::string landlock =
      files ? "Landlock " + std::to_string(strength.landlock) : "no Landlock in this kernel";
  const std::string filter = strength.filter ? "seccomp" : "no seccomp in this kernel";
  const bool truncation = strength.landlock >= landlock::kTruncation;
  const bool tcp = strength.landlock >= landlock::kNetwork;
  const bool scopes = strength.landlock >= landlock::kScopes;
  const std::string truncated = truncation ? "" : "; files it may read can be truncated";
  std::string network = "not restricted (" + filter + ")";
  if (strength.filter) network = "no sockets (" + filter + (tcp ? ", Landlock" : "") + ")";
  else if (tcp)
    network = "no TCP; other sockets are not restricted (" + landlock + ", " + filter + ")";
  std::string signals = "not restricted (" + landlock + ", " + filter + ")";
  if (scopes) signals = "only to its own processes (" + landlock + ")";
  else if (strength.filter)
    signals =
        "only to itself; those of a script are not restricted (" + filter + ", " + landlock + ")";
  std::vector<CageWall> out;
  out.push_back(
      {"files", files,
       files
           ? "reads only system folders and the files passed to it, writes only its own folder (" +
                 landlock + ")" + truncated +
                 "; add folders with FXSCOPE_CAGE_READ and FXSCOPE_CAGE_WRITE"
           : "not restricted (" + landlock + ")"});
  out.push_back({"network", strength.filter || tcp, network});
  out.push_back({"processes", strength.filter,
                 strength.filter
                     ? "threads only; a script may start up to " +
                           std::to_string(Cage::kMostProcesses) + " processes (" + filter + ")"
                     : "not restricted (" + filter + ")"});
  out.push_back({"signals", scopes || strength.filter, signals});
  out.push_back({"limits", true,
                 "CPU time, memory, file size and number of open files; its own environment"});
  return out;
}

}  // namespace fxs
