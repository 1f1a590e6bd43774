// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/system_call_filter.h"

#include <asm/ioctls.h>
#include <asm/sockios.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>

namespace fxs {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kProcessor = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kProcessor = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kProcessor = 0;
#endif

/// mseal of Linux 6.10. Past it come calls that change attributes and mounts, and on x86-64 those
/// of the 32-bit interface.
constexpr std::uint32_t kNewest = 462;

// Numbers of calls that headers may not know yet; from here on they are the same on all processors.
constexpr int kPidfdSendSignal = 424, kIoUringSetup = 425, kIoUringEnter = 426,
              kIoUringRegister = 427, kOpenTree = 428, kMoveMount = 429, kFsopen = 430,
              kFsconfig = 431, kFsmount = 432, kFspick = 433, kClone3 = 435, kPidfdGetfd = 438,
              kProcessMadvise = 440, kMountSetattr = 442, kQuotactlFd = 443, kProcessMrelease = 448,
              kFchmodat2 = 452, kLsmSetSelfAttr = 460;

constexpr int kDenied[] = {
    // Network, and sockets of other programs on this machine.
    SYS_socket,
    // Other processes, and the group in which all that a command starts is killed.
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    kPidfdGetfd,
    kPidfdSendSignal,
    kProcessMadvise,
    kProcessMrelease,
    SYS_setsid,
    SYS_setpgid,
    SYS_setpriority,
    SYS_migrate_pages,
    SYS_move_pages,
    // What Landlock does not restrict: owners, modes and attributes of files.
    SYS_fchmod,
    SYS_fchmodat,
    kFchmodat2,
    SYS_fchown,
    SYS_fchownat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
#if defined(__x86_64__)
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
#endif
    // What outlives a process and is seen by others.
    SYS_shmget,
    SYS_shmat,
    SYS_shmctl,
    SYS_msgget,
    SYS_msgctl,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_semget,
    SYS_semctl,
    SYS_semop,
    SYS_semtimedop,
    SYS_mq_open,
    SYS_mq_unlink,
    // Other views of the file system.
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    kOpenTree,
    kMoveMount,
    kFsopen,
    kFsconfig,
    kFsmount,
    kFspick,
    kMountSetattr,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    SYS_fanotify_init,
    SYS_quotactl,
    kQuotactlFd,
    // Parts of the kernel with a large attack surface that are not needed here.
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    kIoUringSetup,
    kIoUringEnter,
    kIoUringRegister,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    kLsmSetSelfAttr,
    // The machine itself, if run as root.
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_acct,
    SYS_syslog,
    SYS_vhangup,
#if defined(__x86_64__)
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
#endif
};

/// Calls whose first argument is the process or thread that gets a signal, or that is scheduled
/// otherwise.
constexpr int kSignals[] = {SYS_kill, SYS_tkill, SYS_tgkill, SYS_rt_sigqueueinfo,
                            SYS_rt_tgsigqueueinfo};
constexpr int kScheduling[] = {SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_sched_setparam,
                               SYS_sched_setattr};
constexpr std::uint32_t kPriorityOfProcess = 1;  // IOPRIO_WHO_PROCESS
constexpr std::uint32_t kOtherThanStream =
    0xe;  // bits of a type of sockets that SOCK_STREAM does not have

constexpr std::uint32_t kNewNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                         CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

/// Half of an argument of the call; both processors are little-endian.
constexpr std::uint32_t low(int argument) {
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) +
                                    8 * static_cast<std::size_t>(argument));
}
constexpr std::uint32_t high(int argument) { return low(argument) + 4; }

}  // namespace

class FilterWriter {
 public:
  explicit FilterWriter(SystemCallFilter& filter) : out_(filter), filter_(filter.code_) {}
  void load(std::uint32_t offset) { filter_.push_back({BPF_LD | BPF_W | BPF_ABS, 0, 0, offset}); }
  void allow() { answer(SECCOMP_RET_ALLOW); }
  void deny(int error) { answer(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error)); }
  void answer(std::uint32_t answer) { filter_.push_back({BPF_RET | BPF_K, 0, 0, answer}); }
  /// The next `instructions` run when what was loaded is `value`, or not, or has or has not one of
  /// its bits, or is above it.
  void ifIs(std::uint32_t value, std::uint8_t instructions) {
    jump(BPF_JEQ, value, 0, instructions);
  }
  void ifIsNot(std::uint32_t value, std::uint8_t instructions) {
    jump(BPF_JEQ, value, instructions, 0);
  }
  void ifHas(std::uint32_t mask, std::uint8_t instructions) {
    jump(BPF_JSET, mask, 0, instructions);
  }
  void ifLacks(std::uint32_t mask, std::uint8_t instructions) {
    jump(BPF_JSET, mask, instructions, 0);
  }
  void ifAbove(std::uint32_t value, std::uint8_t instructions) {
    jump(BPF_JGT, value, 0, instructions);
  }
  /// Two instructions each.
  void denyIfIs(std::uint32_t value, int error = EPERM) {
    ifIs(value, 1);
    deny(error);
  }
  void denyIfIsNot(std::uint32_t value) {
    ifIsNot(value, 1);
    deny(EPERM);
  }
  void denyIfHas(std::uint32_t mask) {
    ifHas(mask, 1);
    deny(EPERM);
  }
  void ifIsOwnProcess(std::uint8_t instructions) {
    out_.ownProcess_.push_back(filter_.size());
    ifIs(0, instructions);
  }

  static constexpr std::uint8_t kOwnOnly = 6;  // instructions
  /// Allows the call if its argument is 0, or the process itself where it can have no other.
  void ownOnly(int argument) {
    load(low(argument));
    ifIs(0, 1);
    allow();
    ifIsOwnProcess(1);
    allow();
    deny(EPERM);
  }

 private:
  void jump(int test, std::uint32_t value, std::uint8_t ifTrue, std::uint8_t ifFalse) {
    filter_.push_back({static_cast<std::uint16_t>(BPF_JMP | test | BPF_K), ifTrue, ifFalse, value});
  }
  SystemCallFilter& out_;
  std::vector<sock_filter>& filter_;
};

namespace {

void denyOtherProcessors(FilterWriter& f) {
  f.load(offsetof(seccomp_data, arch));
  f.ifIsNot(kProcessor, 1);
  f.answer(SECCOMP_RET_KILL_PROCESS);
}

void denyCalls(FilterWriter& f) {
  f.load(offsetof(seccomp_data, nr));
  f.ifAbove(kNewest, 1);
  f.deny(ENOSYS);
  // Its flags are in memory, which a filter cannot read; libraries fall back to clone.
  f.denyIfIs(kClone3, ENOSYS);
  for (const int call : kDenied) f.denyIfIs(static_cast<std::uint32_t>(call));
}

void restrictNewProcesses(FilterWriter& f, Cage::Processes processes) {
  const bool threadsOnly = processes == Cage::Processes::Threads;
#if defined(__x86_64__)
  if (threadsOnly)
    for (const int call : {SYS_fork, SYS_vfork}) f.denyIfIs(static_cast<std::uint32_t>(call));
#endif
  f.ifIs(SYS_clone, threadsOnly ? 6 : 4);
  f.load(low(0));
  f.denyIfHas(kNewNamespaces | CLONE_PARENT);  // a sibling would be a child of fxscope
  if (threadsOnly) {
    f.ifLacks(CLONE_THREAD, 1);
    f.deny(EPERM);
  }
  f.allow();
}

void restrictOtherProcesses(FilterWriter& f, Cage::Processes processes) {
  const auto ownOnly = [&](int call) {
    f.ifIs(static_cast<std::uint32_t>(call), FilterWriter::kOwnOnly);
    f.ownOnly(0);
  };
  // A script may signal what it started; that it reaches nothing else, Landlock sees to.
  if (processes == Cage::Processes::Threads)
    for (const int call : kSignals) ownOnly(call);
  for (const int call : kScheduling) ownOnly(call);
  f.ifIs(SYS_ioprio_set, 3 + FilterWriter::kOwnOnly);
  f.load(low(0));
  f.denyIfIsNot(kPriorityOfProcess);
  f.ownOnly(1);
  // Limits of other processes.
  f.ifIs(SYS_prlimit64, 4);
  f.load(low(0));
  f.denyIfIsNot(0);
  f.allow();
}

void restrictFiles(FilterWriter& f) {
  // A datagram of a pair can be sent to any socket that has a name.
  f.ifIs(SYS_socketpair, 4);
  f.load(low(1));
  f.denyIfHas(kOtherThanStream);
  f.allow();
  // The process that gets the signals of a file; a lease, for which others that open the file wait.
  f.ifIs(SYS_fcntl, 8);
  f.load(low(1));
  for (const std::uint32_t request :
       {std::uint32_t{F_SETOWN}, std::uint32_t{F_SETOWN_EX}, std::uint32_t{F_SETLEASE}})
    f.denyIfIs(request);
  f.allow();
  // Typing into the terminal from which fxscope was started, and again the process that gets
  // signals.
  f.ifIs(SYS_ioctl, 10);
  f.load(low(1));
  for (const std::uint32_t request : {std::uint32_t{TIOCSTI}, std::uint32_t{TIOCLINUX},
                                      std::uint32_t{FIOSETOWN}, std::uint32_t{SIOCSPGRP}})
    f.denyIfIs(request);
  f.allow();
  // Times of files that are not open.
  f.ifIs(SYS_utimensat, 7);
  f.load(low(1));
  f.denyIfIsNot(0);
  f.load(high(1));
  f.denyIfIsNot(0);
  f.allow();
}

}  // namespace

SystemCallFilter::SystemCallFilter(Cage::Processes processes) {
  if (kProcessor == 0) return;
  FilterWriter f(*this);
  denyOtherProcessors(f);
  denyCalls(f);
  restrictNewProcesses(f, processes);
  restrictOtherProcesses(f, processes);
  restrictFiles(f);
  f.allow();
  // Until it is known, and where there may be several, no process is its own.
  if (processes != Cage::Processes::Threads) ownProcess_.clear();
}

void SystemCallFilter::setOwnProcess(pid_t process) {
  for (const std::size_t at : ownProcess_) code_[at].k = static_cast<std::uint32_t>(process);
}

sock_fprog SystemCallFilter::program() {
  return {static_cast<unsigned short>(code_.size()), code_.data()};
}

}  // namespace fxs
