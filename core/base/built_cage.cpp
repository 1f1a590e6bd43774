// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/built_cage.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/landlock.h"

namespace fxs {
namespace {

/// Paths that system programs are made of or read. Of /proc there is nothing about other processes.
constexpr const char* kOfTheSystem[] = {"/usr",
                                        "/bin",
                                        "/sbin",
                                        "/lib",
                                        "/lib32",
                                        "/lib64",
                                        "/libx32",
                                        "/opt",
                                        "/nix/store",
                                        "/gnu/store",
                                        "/etc/ld.so.cache",
                                        "/etc/ld.so.preload",
                                        "/etc/alternatives",
                                        "/etc/localtime",
                                        "/etc/fonts",
                                        "/proc/cpuinfo",
                                        "/proc/filesystems",
                                        "/proc/meminfo",
                                        "/proc/stat",
                                        "/proc/sys/vm",
                                        "/sys/devices/system"};
constexpr const char* kDevices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                    "/dev/urandom"};

/// Every folder of the root except /dev.
std::vector<std::string> everything() {
  std::vector<std::string> out;
  DIR* root = ::opendir("/");
  if (root == nullptr) return out;
  while (const dirent* entry = ::readdir(root))
    if (const std::string name = entry->d_name; name != "." && name != ".." && name != "dev")
      out.push_back("/" + name);
  ::closedir(root);
  return out;
}

/// Keeps of the capabilities of root only those that give it the files that it passes: with others
/// it could read the memory of any process, and signal it. Those of other users stay as they are,
/// none.
bool dropCapabilities() {
  constexpr std::uint32_t kOfFiles = 1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH;
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3]{};
  if (::syscall(SYS_capget, &header, sets) != 0) return false;
  const std::uint32_t kept = sets[0].permitted & kOfFiles;
  sets[0] = {kept, kept, 0};
  sets[1] = {};
  return ::syscall(SYS_capset, &header, sets) == 0;
}

bool limit(int resource, std::uint64_t amount, std::uint64_t atTheEnd) {
  // Keep a lower limit: only root may raise one.
  rlimit now{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &now) != 0) return false;
  const rlimit wanted{std::min<rlim_t>(amount, now.rlim_cur),
                      std::min<rlim_t>(atTheEnd, now.rlim_max)};
  return ::setrlimit(static_cast<__rlimit_resource>(resource), &wanted) == 0;
}

}  // namespace

Result<BuiltCage> BuiltCage::build(const Cage& cage, std::chrono::milliseconds timeout) {
  const CageStrength strength = cageStrength();
  BuiltCage out(strength.filter ? SystemCallFilter(cage.processes) : SystemCallFilter());
  if (strength.landlock > 0) {
    FXS_TRY(out.ruleset_, landlock::makeRuleset(strength.landlock));
    const auto allow = [&](const std::string& path, landlock::Access access) {
      return landlock::allow(out.ruleset_, path, access, strength.landlock);
    };
    // Errors are ignored: a path that is missing or inaccessible needs no rule.
    for (const char* path : kOfTheSystem) (void)allow(path, landlock::Access::Read);
    for (const char* path : kDevices) (void)allow(path, landlock::Access::Device);
    for (const std::string& path :
         cage.reading == Cage::Reading::Everything ? everything() : cage.reads)
      (void)allow(path, landlock::Access::Read);
    for (const std::string& path : cage.writes) FXS_CHECK(allow(path, landlock::Access::Change));
  }
  out.landlock_ = strength.landlock;
  if (cage.processes == Cage::Processes::Programs) out.processLimit_ = ProcessLimit::make();
  out.fileSize_ = cage.fileSize;
  out.processorSeconds_ = static_cast<std::uint64_t>(cage.processorTime.count());
  if (out.processorSeconds_ == 0 && timeout.count() > 0) {
    const auto processors =
        static_cast<std::uint64_t>(std::max(::sysconf(_SC_NPROCESSORS_ONLN), 1L));
    out.processorSeconds_ = (static_cast<std::uint64_t>(timeout.count()) / 1000 + 1) * processors;
  }
  return out;
}

BuiltCage::BuiltCage(BuiltCage&& other) noexcept
    : ruleset_(std::exchange(other.ruleset_, -1)),
      landlock_(other.landlock_),
      filter_(std::move(other.filter_)),
      processLimit_(std::move(other.processLimit_)),
      fileSize_(other.fileSize_),
      processorSeconds_(other.processorSeconds_) {}

BuiltCage::~BuiltCage() {
  if (ruleset_ >= 0) ::close(ruleset_);
}

bool BuiltCage::enter() {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  if (!processLimit_.enter()) return false;
  // SIGXCPU at the limit, SIGKILL one second later.
  if (processorSeconds_ > 0 && !limit(RLIMIT_CPU, processorSeconds_, processorSeconds_ + 1))
    return false;
  if (!limit(RLIMIT_FSIZE, fileSize_, fileSize_) ||
      !limit(RLIMIT_NOFILE, Cage::kMostOpenFiles, Cage::kMostOpenFiles))
    return false;
  if (ruleset_ >= 0) {
    // Its own folder in /proc stays open: the kernel forgets one that nobody uses, and a rule for
    // it would name no other.
    const int own = ::open("/proc/self", O_PATH | O_CLOEXEC);
    if (own >= 0) landlock::allow(ruleset_, own, landlock::Access::Read, landlock_);
    if (!landlock::enter(ruleset_)) return false;
  }
  if (!dropCapabilities()) return false;
  if (filter_.isEmpty()) return true;
  filter_.setOwnProcess(::getpid());
  // Kernels before 5.16 otherwise enable speculation mitigations, which slow the program down.
  const sock_fprog program = filter_.program();
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                   &program) == 0;
}

}  // namespace fxs
