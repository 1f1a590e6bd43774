#pragma once
// Starts, watches and ends a child process with system calls.
#include <sys/types.h>

#include <string>
#include <utility>

#include "base/fd.h"
#include "base/subprocess.h"

namespace fxs {

std::string reason(int error);  ///< of errno, in words

struct Pipe {
  Fd read;
  Fd write;
};
Result<Pipe> makePipe();

/// A started child, killed with its group and reaped at the latest here.
class Child {
 public:
  /// Becomes the command, with these as its standard streams. NotFound and Io when it cannot.
  static Result<Child> start(const Command&, const CageExceptions&, int in, int out, int err);
  Child(Child&& other) noexcept : pid_(std::exchange(other.pid_, -1)), handle_(std::move(other.handle_)), status_(other.status_) {}
  Child& operator=(Child&&) = delete;
  ~Child() { reap(); }
  int handle() const { return handle_.get(); }
  /// SIGABRT to the thread that has used the most processor time: in a program that hangs, the one that hangs.
  void interrupt() const;
  /// The processes of its group, itself among them.
  std::size_t processes() const;
  /// The group is killed while the child is still unreaped, so that its number cannot belong to someone else.
  int reap();

 private:
  explicit Child(pid_t pid);

  pid_t pid_;
  Fd handle_;
  int status_ = 0;
};

}  // namespace fxs
