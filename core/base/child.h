// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Starts, monitors and kills a child process.
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "base/fd.h"
#include "base/process_limit.h"
#include "base/subprocess.h"

namespace fxs {

std::string reason(int error);  ///< the message for an errno value

struct Pipe {
  Fd read;
  Fd write;
};
Result<Pipe> makePipe();

/// A running child process. The destructor kills its process group and reaps it.
class Child {
 public:
  /// Starts the command with these descriptors as its standard streams. NotFound if there is no
  /// such program, Io if it cannot be started.
  static Result<Child> start(const Command&, const CageExceptions&, int in, int out, int err);
  Child(Child&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)),
        handle_(std::move(other.handle_)),
        processLimit_(std::move(other.processLimit_)),
        status_(other.status_),
        peakMemory_(other.peakMemory_),
        processor_(other.processor_) {}
  Child& operator=(Child&&) = delete;
  ~Child() { reap(); }
  int handle() const { return handle_.get(); }
  /// Sends SIGABRT to the thread that has used the most CPU time, which is likely the one that
  /// hangs.
  void interrupt() const;
  /// The number of processes in its group, including itself.
  std::size_t processes() const;
  /// The longest time that a thread of its group could have run and had to wait for a processor.
  std::chrono::nanoseconds waited() const;
  /// Whether the kernel refused it a process, where it tells.
  bool wantedMoreProcesses() const { return processLimit_.wasReached(); }
  /// Kills the group, reaps the child and returns its wait status. The kill comes first, while the
  /// group id cannot be reused.
  int reap();
  /// Bytes; known once it was reaped. See Exit::peakMemory.
  std::uint64_t peakMemory() const { return peakMemory_; }
  /// Known once it was reaped. See Exit::processor.
  std::chrono::milliseconds processor() const { return processor_; }

 private:
  explicit Child(pid_t pid);

  pid_t pid_;
  Fd handle_;
  ProcessLimit processLimit_;
  int status_ = 0;
  std::uint64_t peakMemory_ = 0;
  std::chrono::milliseconds processor_{0};
};

}  // namespace fxs
